// Who sits where, for the screen at the table and the owner: let a phone sit down, or free a seat.

import { get, post } from "./api.js";
import { h, refill } from "./dom.js";
import { language, t } from "./i18n.js";
import { whoIs } from "./seat.js";

const LOOK_MS = 2000;

// Keeps `box` showing who sits where; it is hidden while nobody does.
/** @param {HTMLElement} box */
export function showSitting(box) {
  /** @type {Api.AccessTable | null} */
  let table = null;
  const draw = () => {
    const rows = (table?.seats ?? []).filter(({ taken, asked }) => taken || asked);
    box.hidden = !rows.length;
    refill(box, [rows, language], () => [h("h2", null, t("sitting.title")),
      h("ul", { class: "sitting" }, rows.map(row))]);
  };
  const ask = async (path, seat) => { table = (await post(path, { seat }, null)) ?? table; draw(); };
  /** @param {Api.SeatTaken} each */
  const row = ({ seat, taken, asked }) => h("li", { "data-testid": `sits-${seat}` },
    h("b", null, whoIs(seat)),
    asked ? [h("span", { class: "asks" }, t("sitting.asks")),
      h("button", { type: "button", "data-testid": `admit-${seat}`,
        onclick: () => ask("/api/access/admit", seat) }, t("sitting.admit"))] : null,
    taken ? [h("span", null, t("sitting.taken")), h("button", { type: "button", "data-testid": `free-${seat}`,
      onclick: () => ask("/api/access/free", seat) }, t("sitting.free"))] : null);
  const look = async () => {
    table = (await get("/api/access/table")) ?? table;
    draw();
  };
  look();
  setInterval(look, LOOK_MS);
}
