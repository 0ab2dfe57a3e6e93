// What is to be done with coins, drawn at the coins: take this one away, put one here, turn this one over, and the
// way from where a coin lies to where it belongs. Each has a colour and a form of its own. Hints are drawn so too.

import { CENTS, drawCoin, radius, RADIUS_MM } from "./coin.js";
import { s } from "./dom.js";
import { KINDS } from "./i18n.js";
import { freeSpots, homeOf, STEP_MM } from "./mat.js";

/** @typedef {[number, number]} Place in millimetres on the mat
 * @typedef {{ what: "away" | "here" | "turn", kind: Api.Denomination, at: Place, coin?: Api.CoinSeen }} Mark
 * @typedef {{ kind: Api.Denomination, from: Place, to: Place }} Way
 * @typedef {{ marks: Mark[], ways: Way[] }} Marks */

const TRAY = "tray"; // coins that were tossed lie here until they are taken to where they belong

/**
 * The marks for the zones that differ from what must lie there. Which of several like coins is the one too many is
 * told by `newestFirst`: it puts the coins that came last first.
 * @type {(differing: Api.Difference[], seen: Api.CoinSeen[], zones: Api.Zone[],
 *   newestFirst: (coins: Api.CoinSeen[]) => Api.CoinSeen[]) => Marks}
 */
export function marksOf(differing, seen, zones, newestFirst) {
  const lying = seen.filter((coin) => coin.center_mm);
  /** @type {Mark[]} */
  const wrong = differing.flatMap(({ zone, extra, turned }) => KINDS.flatMap((kind) => {
    const away = extra?.[kind] ?? 0, over = turned?.[kind] ?? 0;
    const here = newestFirst(lying.filter((coin) => coin.zone === zone && coin.denomination === kind));
    return here.slice(0, away + over).map((coin, k) =>
      ({ what: /** @type {Mark["what"]} */ (k < away ? "away" : "turn"), kind, at: placeOf(coin), coin }));
  }));
  /** @type {Mark[]} */
  const lacking = differing.flatMap(({ zone, missing }) => KINDS.flatMap((kind) => {
    const home = zones.find((each) => each.name === zone);
    const spots = home ? freeSpots(homeOf(home, CENTS[kind]), lying, missing?.[kind] ?? 0) : [];
    return spots.map((at) => ({ what: /** @type {Mark["what"]} */ ("here"), kind, at }));
  }));
  return { marks: [...wrong, ...spread(lacking)], ways: waysOf(wrong, lacking, lying, differing) };
}

/** @type {(coin: Api.CoinSeen) => Place} */
const placeOf = (coin) => coin.center_mm ?? [0, 0];

// Coins of several kinds that belong in one zone were given the same places: each later one goes beside the others.
/** @param {Mark[]} marks */
function spread(marks) {
  marks.forEach((mark, k) => {
    const near = ({ at }) => Math.hypot(at[0] - mark.at[0], at[1] - mark.at[1]) < RADIUS_MM.quarter;
    const same = marks.slice(0, k).filter(near);
    if (same.length) mark.at = [mark.at[0] + STEP_MM * same.length, mark.at[1]];
  });
  return marks;
}

// From each coin that is too many, or was tossed and lies there still, to a place where such a coin is missing.
/** @type {(wrong: Mark[], lacking: Mark[], lying: Api.CoinSeen[], differing: Api.Difference[]) => Way[]} */
function waysOf(wrong, lacking, lying, differing) {
  const tossed = differing.some(({ zone }) => zone === TRAY) ? []
    : lying.filter((coin) => coin.zone === TRAY && coin.denomination);
  const from = [...wrong.filter(({ what }) => what === "away").map(({ kind, at }) => ({ kind, at })),
    ...tossed.map((coin) => ({ kind: coin.denomination, at: placeOf(coin) }))];
  return lacking.flatMap(({ kind, at }) => {
    const k = from.findIndex((each) => each.kind === kind);
    return k < 0 ? [] : [{ kind, from: from.splice(k, 1)[0].at, to: at }];
  });
}

/**
 * The marks as SVG. `name` begins each test id and tells a wrong table ("mark") from a hint ("advised").
 * @type {(marks: Marks, name: "mark" | "advised") => SVGElement[]}
 */
export const drawMarks = ({ marks, ways }, name) => [
  ...ways.map((way) => drawWay(way, name)), ...marks.map((mark) => drawMark(mark, name))];

/** @type {(mark: Mark, name: string) => SVGElement} */
function drawMark({ what, kind, at }, name) {
  const r = radius(kind), form = FORMS[what](r);
  return s("g", { class: `${name} ${what}`, transform: `translate(${at})`, "data-testid": `${name}-${what}`,
    "data-denomination": kind }, what === "here" ? s("g", { class: "pale" }, drawCoin(kind, "any", r)) : null,
  s("path", { class: "halo", d: form }), s("path", { class: "line", d: form }));
}

/** @type {(r: number) => string} */
const ring = (r) => `M${r} 0A${r} ${r} 0 1 1 ${-r} 0 ${r} ${r} 0 1 1 ${r} 0Z`;

/** A ring with a cross, a dashed ring round a pale coin, and two arrows that go round: their outlines. */
const FORMS = {
  away: (r) => `${ring(r + 2)}M${-0.62 * r} ${-0.62 * r}L${0.62 * r} ${0.62 * r}`
    + `M${0.62 * r} ${-0.62 * r}L${-0.62 * r} ${0.62 * r}`,
  here: (r) => ring(r + 1),
  turn: (r) => {
    const R = r + 2, tip = 4;
    return `M${-R} 0A${R} ${R} 0 0 1 ${R} 0M${R - tip} ${-tip}L${R} 0 ${R + tip} ${-tip}`
      + `M${R} 3A${R} ${R} 0 0 1 ${-R} 3M${tip - R} ${3 + tip}L${-R} 3 ${-R - tip} ${3 + tip}`;
  },
};

const BEND = 0.12; // how far an arrow bends aside, of its length: two opposite ones do not lie on each other
const HEAD_MM = 7;

/**
 * An arrow from coin to coin, from rim to rim.
 * @type {(way: Way, name: string) => SVGElement}
 */
export function drawWay({ kind, from, to }, name) {
  const dx = to[0] - from[0], dy = to[1] - from[1], length = Math.hypot(dx, dy) || 1;
  const bend = [(from[0] + to[0]) / 2 - BEND * dy, (from[1] + to[1]) / 2 + BEND * dx];
  const out = aside(from, bend, Math.min(radius(kind) + 3, length / 3));
  const end = aside(to, bend, Math.min(radius(kind) + 2, length / 3));
  const turn = Math.atan2(end[1] - bend[1], end[0] - bend[0]);
  const wing = (angle) => `${end[0] - HEAD_MM * Math.cos(turn + angle)} ${end[1] - HEAD_MM * Math.sin(turn + angle)}`;
  const path = `M${out}Q${bend} ${end}M${wing(0.5)}L${end} ${wing(-0.5)}`;
  return s("g", { class: `${name} way`, "data-testid": `${name}-way`, "data-denomination": kind },
    s("path", { class: "halo", d: path }), s("path", { class: "line", d: path }));
}

// The point that lies `by` from `at` on the way to `towards`.
function aside(at, towards, by) {
  const dx = towards[0] - at[0], dy = towards[1] - at[1], length = Math.hypot(dx, dy) || 1;
  return [at[0] + (by * dx) / length, at[1] + (by * dy) / length];
}
