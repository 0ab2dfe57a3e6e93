// People may end a game before its rules do: one side resigns, or offers the other a draw.

import { once } from "./api.js";
import { $, h } from "./dom.js";
import { t } from "./i18n.js";
import { seatTaken, watching, whoIs } from "./seat.js";

// The sides of a game of two that is under way; none in any other game, or for somebody who only looks on.
/** @type {(snapshot: Api.Snapshot) => string[]} */
function sides({ game, prompt }) {
  const seats = Object.keys(game?.totals ?? game?.score ?? {});
  return seats.length === 2 && prompt.kind !== "over" && !watching() ? seats : [];
}

/** @param {Api.Snapshot} snapshot */
export function showEnding(snapshot) {
  const mine = seatTaken(), known = sides(snapshot);
  const people = known.filter((seat) => snapshot.seats[seat] !== "computer");
  $("offer-draw").hidden = people.length < 2;
  $("resign").hidden = !known.length;
  $("resign").onclick = () => askWho(people.filter((seat) => !mine || seat === mine));
  $("offer-draw").onclick = () => { $("menu").open = false; once("/api/draw", {}); };
  $("pause").hidden = !snapshot.game || watching();
}

// Nobody resigns by a slip of the finger.
/** @param {string[]} seats */
function askWho(seats) {
  $("menu").open = false;
  const dialog = $("resigning");
  const button = (seat) => h("button", { type: "button", class: "wide", "data-testid": `resign-${seat}`,
    onclick: () => { dialog.close(); once("/api/resign", { seat }); } }, t("resign.seat", { seat: whoIs(seat) }));
  $("resigning-choices").replaceChildren(...seats.map(button));
  dialog.showModal();
}
