// How the coins fell: heads by player and by coin, and how often fair coins would fall at least as unevenly (p).

import { get } from "./api.js";
import { coinIcon } from "./games/part.js";
import { $, h } from "./dom.js";
import { seatName, t } from "./i18n.js";

const UNLIKELY = 0.01; // a p below this is called remarkable; about one in a hundred fair records is

export async function showFlips() {
  /** @type {Api.Summary | null} */
  const found = await get("/api/flips");
  const nothing = () => h("p", { class: "hint" }, t(found ? "flips.none" : "error.offline"));
  const later = found?.uncounted ? h("p", { class: "hint" }, t("flips.later")) : "";
  $("flips-body").replaceChildren(found?.all.tosses ? table(found) : nothing(), later);
  if (!$("flips").open) $("flips").showModal();
  $("flips").scrollTop = 0; // the browser scrolled to the focused button, which is last
}

/** @param {Api.Summary} summary */
function table({ all, seats, coins }) {
  const named = Object.entries(seats).filter(([seat]) => seat !== "table");
  return h("table", { class: "regions", "data-testid": "flips-table" }, h("thead", null, h("tr", null, h("td"),
    ["flips.heads", "flips.fair"].map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", null, row(t("flips.all"), all), named.map(([seat, record]) => row(seatName(seat), record)),
      kinds(coins).map(([kind, record]) => row([coinIcon(kind), " ", t(kind)], record))));
}

/** @type {(coins: Api.Summary["coins"]) => [Api.Denomination, Api.Fairness][]} */
const kinds = (coins) => /** @type {[Api.Denomination, Api.Fairness][]} */ (Object.entries(coins));

/** @type {(name: any, fairness: Api.Fairness) => any} */
function row(name, { heads, tosses, p }) {
  const percent = `${(100 * p).toFixed(p < 0.1 ? 1 : 0)} %`;
  return h("tr", null, h("th", { scope: "row" }, name), h("td", null, t("flips.of", { heads, tosses })),
    h("td", null, percent, p < UNLIKELY ? h("b", null, ` ${t("flips.odd")}`) : null));
}
