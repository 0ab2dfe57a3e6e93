// What a game shows besides the table, as pieces of page.

/**
 * A piece of page. `make()` builds it, and is called again only when `key`, all it is made from, has changed.
 * @typedef {{ key: unknown, make: () => any[] }} Piece
 *
 * What a piece is made from. `game` is the game's public state; `seat` is null for the whole table.
 * @typedef {object} View
 * @property {Api.Snapshot} snapshot
 * @property {Record<string, any> | null} game
 * @property {string | null} seat
 * @property {Part | undefined} part
 * @property {Api.LegalAct[]} acts
 * @property {() => void} redraw
 *
 * What the module of a game exports; null shows nothing.
 * @typedef {object} Part
 * @property {(view: any) => Piece | null} [act] what the person at this phone can do now
 * @property {(view: any) => Piece | null} [about] how the game stands
 * @property {(view: any) => Piece | null} [overlay] SVG drawn over the mat
 * @property {(action: any, view: { game: any }) => any} [label] a button's own words for an act
 * @property {(view: { game: Record<string, any> }) => boolean} [needsActs] whether `view.acts` is wanted
 * @property {boolean} [personal] whether people act on their own phones, each at a seat
 * @property {boolean} [together] whether the players win or lose together
 * @property {boolean} [ownChoices] whether `act` offers what the referee would otherwise offer as buttons
 */

import { drawCoin, parseCoin, radius } from "../coin.js";
import { h, s } from "../dom.js";
import { KINDS } from "../i18n.js";

/** @type {(kind: Api.Denomination, face?: Api.Face | "any") => SVGElement} */
export const coinIcon = (kind, face = "any") =>
  s("svg", { viewBox: "-13 -13 26 26", class: "icon coin-icon", "aria-hidden": "true" },
    drawCoin(kind, face, radius(kind)));

/** @type {(heap: Api.Heap | undefined) => SVGElement[]} */
export const heapIcons = (heap) =>
  KINDS.flatMap((kind) => Array.from({ length: heap?.[kind] ?? 0 }, () => coinIcon(kind)));

/** @type {(names: Api.Coin[]) => SVGElement[]} */
export const coinIcons = (names) => names.map((name) => {
  const { denomination, face } = parseCoin(name);
  return coinIcon(denomination, face);
});

export const card = (title, ...body) =>
  h("section", { class: "card part" }, title ? h("h2", null, title) : null, ...body);

export const hint = (text) => h("p", { class: "hint" }, text);

/** @type {(text: string, on: boolean, testid?: string) => any} */
export const chip = (text, on, testid) => h("li", { class: `chip ${on ? "on" : ""}`, "data-testid": testid }, text);
