// Coin Age: the toss and what it still allows, the regions, and the stacks: only the referee remembers the lower coins.

import { drawCoin, parseCoin as parse, radius } from "../coin.js";
import { h, s } from "../dom.js";
import { coinText, language, t } from "../i18n.js";
import { whoIs } from "../seat.js";
import { boxOf } from "../mat.js";
import { card, chip, coinIcon, hint } from "./part.js";

const ORDER = ["place", "pay", "move", "capture"];
const PEEK = 0.42; // how much of a covered coin its layer shows, in diameters

export function about({ game, seat }) {
  const { flip, turn, mover, allowed, regions, legend, spaces, phase } = game;
  return { key: [flip, turn, mover, allowed, regions, spaces, phase, seat], make: () => [
    card(t("coin-age.turn"), flip && phase === "turn" ? tossed(flip, mover) : hint(t("coin-age.toToss")),
      h("ul", { class: "chips", "data-testid": "allowed" }, ORDER.map((what) =>
        chip(t(`coin-age.may.${what}`, { n: allowed[what] }), allowed[what] > 0, `may-${what}`)))),
    card(t("coin-age.regions"), regionTable(regions, legend)),
    stackCard(stacked(spaces))] };
}

const stacked = (spaces) => Object.entries(spaces).filter(([, coins]) => coins.length > 1);

// The coins tossed; those that show the mover's side match.
function tossed(flip, mover) {
  return h("p", { class: "flipped", "data-testid": "flip" }, flip.map((name) => {
    const { denomination, face } = parse(name);
    return h("span", { class: face === mover ? "match" : "miss" }, coinIcon(denomination, face),
      h("small", null, t(face === mover ? "coin-age.match" : "coin-age.miss")));
  }));
}

function regionTable(regions, legend) {
  return h("table", { class: "regions", "data-testid": "regions" },
    h("thead", null, h("tr", null, h("td"), h("th", { scope: "col" }, whoIs("heads")),
      h("th", { scope: "col" }, whoIs("tails")), h("td"))),
    h("tbody", null, Object.entries(regions).map(([id, tally]) => regionRow(legend[id], tally))));
}

function regionRow({ name, spaces, color }, { heads, tails, bonus }) {
  const dot = s("svg", { viewBox: "0 0 10 10", class: "dot", "aria-hidden": "true" },
    s("circle", { cx: 5, cy: 5, r: 5, fill: color }));
  const count = (seat, n) => h("td", { class: bonus === seat ? "ahead" : "" }, String(n));
  return h("tr", null,
    h("th", { scope: "row" }, dot, name[language] ?? name.en, " ", h("small", null, spaces.join(" "))),
    count("heads", heads), count("tails", tails),
    h("td", null, bonus ? t("coin-age.doubled", { seat: whoIs(bonus) }) : ""));
}

function stackCard(stacks) {
  if (!stacks.length) return null;
  return card(t("coin-age.stacks"), h("ul", { class: "stacks" }, stacks.map(([id, coins]) =>
    h("li", { "data-testid": `stack-${id}` }, layers(coins), h("span", null, h("b", null, id), " ",
      coins.map((name) => coinText(parse(name))).reverse().join(" · "))))));
}

// A stack drawn as if seen at a slant: the bottom coin first, each higher one lower on the page and over it.
function layers(coins) {
  const r = radius("quarter"), height = 2 * r + (coins.length - 1) * PEEK * 2 * r + 2;
  return s("svg", { viewBox: `${-r - 1} ${-r - 1} ${2 * r + 2} ${height}`, class: "layers", "aria-hidden": "true" },
    coins.map((name, at) => {
      const { denomination, face } = parse(name);
      return s("g", { transform: `translate(0 ${at * PEEK * 2 * r})` }, drawCoin(denomination, face));
    }));
}

// On the mat, at each space with a stack: one small disc for each covered coin, the upper ones first.
export function overlay({ game, snapshot }) {
  const zoneOf = (id) => snapshot.mat?.zones.find((zone) => zone.name === `space.${id}`);
  const found = stacked(game.spaces).map(([id, coins]) => [zoneOf(id), coins]).filter(([zone]) => zone);
  return { key: found.map(([zone, coins]) => [zone.name, coins]), make: () => found.map(([zone, coins]) => {
    const box = boxOf(zone), r = 6, covered = coins.slice(0, -1).reverse().map((name) => parse(name).face);
    return s("g", { class: "stack-mark", transform: `translate(${box.x + box.w - 3} ${box.y + 5})` },
      covered.map((face, at) => s("g", { transform: `translate(${at * 9} 0)` },
        s("circle", { r, class: `under ${face}` }),
        s("text", { y: 2.6 }, t(`${face}.letter`)))));
  }) };
}

export const label = ({ do: kind, ...act }) => ({
  place: () => [h("span", null, t("act.placeOn", { space: act.space })), coinIcon(act.coin)],
  pay: () => [h("span", null, t("act.pay")), coinIcon(act.coin)],
  move: () => t("act.move", { from: act.from, to: act.to }),
  capture: () => t("act.capture", { space: act.space }),
  done: () => t("act.done"),
})[kind]?.() ?? null;
