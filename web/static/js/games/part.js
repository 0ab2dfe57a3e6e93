// What a game shows besides the table, as pieces of page.
//
// A game's module exports any of these, each a function of a view:
//   act      what the person at this phone can do now           about    how the game stands
//   overlay  SVG drawn over the mat                             label    a button's own words for an act
//   needsActs  whether `view.acts` is wanted: what GET /api/acts says this seat may do
//   personal   whether people act on phones of their own, each at a seat
//   ownChoices whether `act` offers by itself what the referee would offer as buttons
// A piece is {key, make}: rebuilt by `make()` only when `key`, all it is made from, changes. Null shows nothing.
//
// view: {snapshot, game, seat (or null), acts, redraw()}

import { drawCoin, radius } from "../coin.js";
import { h, s } from "../dom.js";
import { KINDS } from "../i18n.js";

export const coinIcon = (kind, face = "any") =>
  s("svg", { viewBox: "-13 -13 26 26", class: "icon coin-icon", "aria-hidden": "true" },
    drawCoin(kind, face, radius(kind)));

export const heapIcons = (heap) =>
  KINDS.flatMap((kind) => Array.from({ length: heap?.[kind] ?? 0 }, () => coinIcon(kind)));

export const coinIcons = (names) => names.map((name) => coinIcon(...name.split(":")));

export const card = (title, ...body) =>
  h("section", { class: "card part" }, title ? h("h2", null, title) : null, ...body);

export const hint = (text) => h("p", { class: "hint" }, text);

export const chip = (text, on, testid) => h("li", { class: `chip ${on ? "on" : ""}`, "data-testid": testid }, text);
