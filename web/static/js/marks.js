// What is to be done with coins, drawn at the coins: take this one away, put one here, turn this one over, and the
// way from where a coin lies to where it belongs. Each has a colour and a form of its own. Hints are drawn so too.

import { CENTS, drawCoin, radius } from "./coin.js";
import { s } from "./dom.js";
import { KINDS } from "./i18n.js";
import { boxOf, freeSpots, homeOf } from "./mat.js";

/** @typedef {[number, number]} Place in millimetres on the mat
 * @typedef {"away" | "turn" | "leave" | "here"} What "leave": the coin lies wrong here and belongs elsewhere on the mat
 * @typedef {{ what: What, kind: Api.Denomination | null, face: Api.Face | null, at: Place, coin?: Api.CoinSeen }} Mark
 * @typedef {{ kind: Api.Denomination | null, from: Place, to: Place }} Way
 * @typedef {{ marks: Mark[], ways: Way[] }} Marks */

/**
 * What is drawn for what hands have to do. Where no place is told, a coin is shown in a free one of its zone.
 * @type {(wanted: Api.Mark[], seen: Api.CoinSeen[], zones: Api.Zone[]) => Marks}
 */
export function marksOf(wanted, seen, zones) {
  const lying = seen.filter((coin) => coin.center_mm);
  /** @type {Mark[]} */
  const marks = [];
  /** @type {Way[]} */
  const ways = [];
  for (const { do: what, coin: number, denomination: kind, face, zone, to_mm: told } of wanted) {
    const coin = number === null ? undefined : seen[number], from = coin?.center_mm;
    const lies = (/** @type {What} */ how) => {
      if (coin && from) marks.push({ what: how, kind: coin.denomination, face, at: from, coin });
    };
    if (what === "take") lies("away");
    else if (what === "turn") lies("turn");
    else {
      const at = told ?? roomFor(kind, zones.find((each) => each.name === zone), [...lying, ...taken(marks)]);
      if (!at) continue;
      if (what === "move") lies("leave");
      marks.push({ what: "here", kind, face, at });
      if (from) ways.push({ kind, from, to: at });
    }
  }
  return { marks, ways };
}

/** @type {(marks: Mark[]) => { center_mm: Place }[]} */
const taken = (marks) => marks.flatMap(({ what, at }) => (what === "here" ? [{ center_mm: at }] : []));

/** @type {(kind: Api.Denomination | null, zone: Api.Zone | undefined, lying: { center_mm?: Place | null }[]) =>
 *   Place | null} */
const roomFor = (kind, zone, lying) =>
  (zone ? freeSpots(kind ? homeOf(zone, CENTS[kind]) : boxOf(zone), lying, 1)[0] : null);

/**
 * How a table that differs zone by zone becomes right, coin by coin: one too many here and missing there is moved.
 * @type {(differing: Api.Difference[], seen: Api.CoinSeen[]) => Api.Mark[]}
 */
export function toDo(differing, seen) {
  /** @type {(what: Api.Mark["do"], which: "extra" | "turned") => Api.Mark[]} */
  const lying = (what, which) => differing.flatMap((each) => KINDS.flatMap((kind) => {
    const numbers = [...seen.keys()].filter((k) => seen[k].zone === each.zone && seen[k].denomination === kind);
    return numbers.slice(0, each[which]?.[kind] ?? 0)
      .map((coin) => ({ do: what, coin, denomination: kind, face: null, zone: each.zone }));
  }));
  const extra = lying("take", "extra");
  const put = differing.flatMap(({ zone, missing }) => KINDS.flatMap((kind) =>
    Array.from({ length: missing?.[kind] ?? 0 }, () => {
      const k = extra.findIndex((each) => each.denomination === kind);
      const coin = k < 0 ? null : extra.splice(k, 1)[0].coin;
      return { do: /** @type {Api.Mark["do"]} */ (coin === null ? "put" : "move"), coin, denomination: kind, face: null,
        zone };
    })));
  return [...extra, ...put, ...lying("turn", "turned")];
}

/**
 * The marks as SVG. `name` begins each test id and tells a wrong table ("mark") from a hint ("advised").
 * @type {(marks: Marks, name: "mark" | "advised") => SVGElement[]}
 */
export const drawMarks = ({ marks, ways }, name) => [
  ...ways.map((way) => drawWay(way, name)), ...marks.map((mark) => drawMark(mark, name))];

/** @type {(mark: Mark, name: string) => SVGElement} */
function drawMark({ what, kind, face, at }, name) {
  const r = radius(kind), form = FORMS[what](r);
  return s("g", { class: `${name} ${what}`, transform: `translate(${at})`, "data-testid": `${name}-${what}`,
    "data-denomination": kind }, what === "here" ? s("g", { class: "pale" }, drawCoin(kind, face ?? "any", r)) : null,
  s("path", { class: "halo", d: form }), s("path", { class: "line", d: form }));
}

/** @type {(r: number) => string} */
const ring = (r) => `M${r} 0A${r} ${r} 0 1 1 ${-r} 0 ${r} ${r} 0 1 1 ${r} 0Z`;

// The outlines: a ring with a cross; a ring, from which an arrow leads; a dashed ring round a pale coin; two arrows
// that go round.
const FORMS = {
  away: (r) => `${ring(r + 2)}M${-0.62 * r} ${-0.62 * r}L${0.62 * r} ${0.62 * r}`
    + `M${0.62 * r} ${-0.62 * r}L${-0.62 * r} ${0.62 * r}`,
  leave: (r) => ring(r + 2),
  here: (r) => ring(r + 1),
  turn: (r) => {
    const R = r + 2, tip = 4;
    return `M${-R} 0A${R} ${R} 0 0 1 ${R} 0M${R - tip} ${-tip}L${R} 0 ${R + tip} ${-tip}`
      + `M${R} 3A${R} ${R} 0 0 1 ${-R} 3M${tip - R} ${3 + tip}L${-R} 3 ${-R - tip} ${3 + tip}`;
  },
};

const BEND = 0.12; // how far an arrow bends aside, of its length: two opposite ones do not lie on each other
const HEAD_MM = 7;
const LAST_MM = 3.5; // between a coin that came and its ring

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

/**
 * The last move: an arrow for each coin that went elsewhere, a ring round each that came from the box.
 * @type {(moved: { ways: Way[], new: Pick<Api.CoinSeen, "denomination" | "center_mm">[] }) => SVGElement[]}
 */
export const drawLast = ({ ways, new: came }) => [
  ...ways.map((way) => drawWay(way, "last")),
  ...came.map(({ denomination, center_mm: at }) =>
    s("circle", { class: "last came", cx: at?.[0], cy: at?.[1], r: radius(denomination) + LAST_MM,
      "data-testid": "last-came" }))];

// The point that lies `by` from `at` on the way to `towards`.
function aside(at, towards, by) {
  const dx = towards[0] - at[0], dy = towards[1] - at[1], length = Math.hypot(dx, dy) || 1;
  return [at[0] + (by * dx) / length, at[1] + (by * dy) / length];
}
