// How the coins fell: heads by seat and by coin.

import { get } from "./api.js";
import { fairnessCells } from "./fairness.js";
import { coinIcon } from "./games/part.js";
import { $, h } from "./dom.js";
import { seatName, t } from "./i18n.js";

export async function showFlips() {
  /** @type {Api.Summary | null} */
  const found = await get("/api/flips?tosses=0");
  const nothing = () => h("p", { class: "hint" }, t(found ? "flips.none" : "error.offline"));
  const later = found?.uncounted ? h("p", { class: "hint" }, t("flips.later")) : "";
  $("flips-body").replaceChildren(found?.all.tosses ? table(found) : nothing(), later);
  if (!$("flips").open) $("flips").showModal();
  $("flips").scrollTop = 0; // whatever the browser scrolled to when it moved the focus
}

/** @param {Api.Summary} summary */
function table({ all, seats, coins }) {
  const named = Object.entries(seats).filter(([seat]) => seat !== "table");
  return h("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": t("menu.flips") },
    h("table", { class: "regions", "data-testid": "flips-table" }, h("thead", null, h("tr", null, h("td"),
    ["flips.heads", "flips.fair"].map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", null, row(t("flips.all"), all), named.map(([seat, record]) => row(seatName(seat), record)),
      kinds(coins).map(([kind, record]) => row([coinIcon(kind), " ", t(kind)], record)))));
}

/** @type {(coins: Api.Summary["coins"]) => [Api.Denomination, Api.Fairness][]} */
const kinds = (coins) => /** @type {[Api.Denomination, Api.Fairness][]} */ (Object.entries(coins));

/** @type {(name: any, fairness: Api.Fairness) => any} */
const row = (name, fairness) => h("tr", null, h("th", { scope: "row" }, name), fairnessCells(fairness));
