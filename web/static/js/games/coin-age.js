// Coin Age: the toss and what it still allows, the regions, and the stacks: only the referee remembers the lower coins.

import { drawCoin, parseCoin as parse, radius, shortName } from "../coin.js";
import { h, s } from "../dom.js";
import { coinText, language, t } from "../i18n.js";
import { whoIs } from "../seat.js";
import { boxOf, middleOf, regionsOf } from "../mat.js";
import { card, chip, coinIcon, hint } from "./part.js";

const ORDER = ["place", "pay", "move", "capture"];
const EDGE_MM = 9; // how high a coin is in a stack that is seen from the side: high enough for letters
const PEEK = 0.42; // how much of a covered coin its layer shows, in diameters

export function about({ game, seat }) {
  const { flip, turn, mover, allowed, regions, legend, spaces, phase } = game;
  return { key: [flip, turn, mover, allowed, regions, spaces, phase, seat], make: () => [
    phase === "over" ? null : card(t("coin-age.turn"),
      flip && phase === "turn" ? tossed(flip, mover) : hint(t("coin-age.toToss")),
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

// On the mat: who holds each region and space, and at each space with a stack a small disc for each covered coin, the
// upper ones first. Touched, a stack is seen from the side.
export function overlay({ game, snapshot }) {
  const { mat } = snapshot, { spaces, regions, legend } = game;
  if (!mat) return null;
  const zoneOf = (id) => mat.zones.find((zone) => zone.name === `space.${id}`);
  const found = stacked(spaces).map(([id, coins]) => [id, zoneOf(id), coins]).filter(([, zone]) => zone);
  return { key: [mat.name, spaces, regions], make: () => [
    ...Object.entries(spaces).flatMap(([id, coins]) => (coins.length && zoneOf(id) ? [held(zoneOf(id), coins)] : [])),
    ...regionsOf(mat).map((region) => leads(region, Object.entries(legend).find(([, { spaces: ids }]) =>
      ids.includes(region.spaces[0]?.name.replace("space.", "")))?.[0], regions)).filter(Boolean),
    ...found.map(([id, zone, coins]) => stackMark(id, zone, coins))] };
}

// A ring round a space in the colour of the side that holds it, whole for Heads and broken for Tails.
function held(zone, coins) {
  const [cx, cy] = middleOf(zone);
  return s("circle", { class: `held ${parse(coins[coins.length - 1]).face}`, cx, cy, r: boxOf(zone).w / 2 - 1 });
}

// A region's name, and how many of its spaces each side holds; the side whose points are doubled there has a star.
function leads({ label: name, at: [x, y] }, id, regions) {
  const tally = id === undefined ? null : regions[id];
  if (!tally || (!tally.heads && !tally.tails)) return null;
  const count = (seat) => s("tspan", { class: seat },
    `${tally.bonus === seat ? "★" : ""}${tally[seat]}`);
  return s("text", { class: "region-name tally", x, y }, `${name} `, count("heads"), ":", count("tails"));
}

function stackMark(id, zone, coins) {
  const box = boxOf(zone), r = 6, covered = coins.slice(0, -1).reverse().map((name) => parse(name).face);
  const words = coins.map((name) => coinText(parse(name))).reverse().join(" · ");
  return s("g", { class: "stack-mark", transform: `translate(${box.x + box.w - 3} ${box.y + 5})`, tabindex: 0,
    role: "img", "aria-label": `${id}: ${words}`, "data-testid": `stack-mark-${id}` },
  s("title", null, `${id}: ${words}`),
  covered.map((face, at) => s("g", { transform: `translate(${at * 9} 0)` },
    s("circle", { r, class: `under ${face}` }), s("text", { y: 2.6 }, t(`${face}.letter`)))),
  sideView(coins));
}

// A stack seen from the side, the bottom coin lowest: each as wide as it is, its side and value on its edge.
function sideView(coins) {
  const width = 2 * radius("quarter") + 8, height = coins.length * EDGE_MM + 6;
  return s("g", { class: "side-view", transform: `translate(${-width - 8} ${-height / 2 + 12})` },
    s("rect", { class: "backing", width, height, rx: 3 }), coins.flatMap((name, k) => {
      const { denomination, face } = parse(name), wide = 2 * radius(denomination);
      const y = height - 3 - (k + 1) * EDGE_MM;
      return [s("rect", { class: `edge ${denomination === "penny" ? "copper" : "silver"}`, x: (width - wide) / 2, y,
        width: wide, height: EDGE_MM - 0.8, rx: 1.4 }),
      s("text", { x: width / 2, y: y + EDGE_MM * 0.68 }, shortName(denomination, face))];
    }));
}

export const label = ({ do: kind, ...act }) => ({
  place: () => [h("span", null, t("act.placeOn", { space: act.space })), coinIcon(act.coin)],
  pay: () => [h("span", null, t("act.pay")), coinIcon(act.coin)],
  move: () => t("act.move", { from: act.from, to: act.to }),
  capture: () => t("act.capture", { space: act.space }),
  done: () => t("act.done"),
})[kind]?.() ?? null;
