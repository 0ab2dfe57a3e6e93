// The mat without its coins: zones, printed columns, markers, and the regions of a map.

import { s } from "./dom.js";
import { breadth, language, named } from "./i18n.js";

const SPACE = /^space\./;
const LETTER_PX = 6.2; // the mean width of a letter in a space's name
const SHORE_MM = 7; // how far a region reaches beyond its spaces
const PATH_MM = 26; // the width of a region between two of its spaces
export const STEP_MM = 27; // between coins that are shown where they are to lie; a quarter is 24.3 mm wide
const EASY_MM = 31; // the same along a line where there is room
const ROOM_MM = 24; // the least distance of such a place from a coin that lies there

/** @typedef {{ x: number, y: number, w: number, h: number, round?: boolean }} Box */

/**
 * A zone's box in millimetres: a rectangle's own, or the square round a circle.
 * @type {(zone: Api.Zone) => Box}
 */
export function boxOf({ area }) {
  if (area.shape === "circle") {
    const r = area.radius_mm;
    return { x: area.x_mm - r, y: area.y_mm - r, w: 2 * r, h: 2 * r, round: true };
  }
  return { x: area.x_mm, y: area.y_mm, w: area.width_mm, h: area.height_mm };
}

/** @type {(zone: Api.Zone) => [number, number]} */
export function middleOf(zone) {
  const box = boxOf(zone);
  return [box.x + box.w / 2, box.y + box.h / 2];
}

const ownLabel = (zone) => zone?.label?.[language] ?? named("zone", zone?.name ?? "");

// What a zone is called in a sentence; a space by its id, as the referee calls it, and its name.
export const zoneLabel = (zone) =>
  [SPACE.test(zone?.name ?? "") && zone.name.replace(SPACE, ""), ownLabel(zone)].filter(Boolean).join(" ");

/** @param {Api.Mat} mat */
export const drawMat = (mat) => [...regionsOf(mat).flatMap(drawRegion), ...(mat.links ?? []).map((ends) =>
  drawLink(mat, ends)), ...(mat.markers ?? []).map(drawMarker), ...mat.zones.map(drawZone)];

/** @param {Api.Zone} zone */
function drawZone(zone) {
  const box = boxOf(zone), { name } = zone, space = SPACE.test(name);
  const outline = box.round ? s("circle", { class: "outline", cx: box.x + box.w / 2, cy: box.y + box.h / 2,
    r: box.w / 2 }) : s("rect", { class: "outline", x: box.x, y: box.y, width: box.w, height: box.h, rx: 4 });
  return s("g", { class: `zone ${box.round ? "round" : ""} ${space ? "space" : ""}`, "data-zone": name,
    "data-testid": `zone-${name}`, style: space && `--region: ${zone.ink}` },
  outline, columns(zone, box), space ? spaceLabels(zone, box) : zoneName(zone, box));
}

/** @type {(zone: Api.Zone, box: Box) => SVGElement} */
const zoneName = (zone, box) => (box.round
  ? s("text", { class: "zone-name", x: box.x + box.w / 2, y: box.y + box.h / 2 }, ownLabel(zone))
  : s("text", { class: `zone-name ${zone.columns?.length ? "far" : ""}`,
    x: zone.columns?.length ? box.x + box.w - 3 : box.x + 4, y: box.y + 3 }, ownLabel(zone)));

// The columns that are printed in a bank, each with its heading below.
/** @type {(zone: Api.Zone, box: Box) => SVGElement[]} */
function columns({ columns: headings = [] }, { x, y, w, h }) {
  const wide = w / Math.max(1, headings.length);
  return headings.flatMap((heading, k) => [
    ...(k ? [s("line", { class: "column", x1: x + k * wide, y1: y + 6, x2: x + k * wide, y2: y + h - 3 })] : []),
    s("text", { class: "heading", x: x + (k + 1) * wide - 2, y: y + h - 2 }, heading)]);
}

// A space of a map shows its id above the coins, as the prompts call it, and below them its name where there is room.
/** @type {(zone: Api.Zone, box: Box) => (SVGElement | null)[]} */
function spaceLabels(zone, box) {
  const x = box.x + box.w / 2, id = zone.name.replace(SPACE, ""), title = ownLabel(zone);
  const place = { class: "title", x, y: box.y + 0.8 * box.h, "data-room": 0.8 * box.w };
  return [s("text", { class: "id", x, y: box.y + 1.5 }, id), title === id ? null : s("text", place, title)];
}

// Shows the names of a map's spaces where there is room for all of them; else none.
/** @type {(zones: Element, mmPerPx: number) => void} */
export function fitTitles(zones, mmPerPx) {
  const names = /** @type {any[]} */ ([...zones.querySelectorAll(".title")]);
  const tight = names.some((name) => breadth(name.textContent) * LETTER_PX * mmPerPx > Number(name.dataset.room));
  for (const name of names) name.classList.toggle("tight", tight);
}

function drawMarker({ x_mm, y_mm, size_mm }) {
  return s("rect", { class: "marker", x: x_mm - size_mm / 2, y: y_mm - size_mm / 2, width: size_mm, height: size_mm });
}

function drawLink(mat, ends) {
  const [[x1, y1], [x2, y2]] = ends.map((name) => middleOf(mat.zones.find((zone) => zone.name === name)));
  return s("line", { class: "link", x1, y1, x2, y2 });
}

// -- regions ------------------------------------------------------------------------------------------------------

/** @typedef {{ label: string, ink: string, pattern: string, spaces: Api.Zone[], paths: [number, number][][],
 *   at: [number, number] }} Region one region of a map: its spaces, the ways between them, and where its name stands */

/**
 * The regions of a map: the spaces that share a colour and a pattern of the legend.
 * @type {(mat: Api.Mat) => Region[]}
 */
export function regionsOf(mat) {
  const every = mat.zones.filter(({ name }) => SPACE.test(name)).map(middleOf);
  return (mat.legend ?? []).map(({ label, ink, pattern }) => {
    const spaces = mat.zones.filter((zone) => SPACE.test(zone.name) && zone.ink === ink && zone.pattern === pattern);
    const known = new Map(spaces.map((zone) => [zone.name, middleOf(zone)]));
    const paths = (mat.links ?? []).filter((ends) => ends.every((name) => known.has(name)))
      .map((ends) => ends.map((name) => /** @type {[number, number]} */ (known.get(name))));
    return { label: label[language] ?? label.en, ink, pattern, spaces, paths, at: clearest(paths, spaces, every) };
  });
}

// Where a region's name is least in the way: halfway between two of its spaces, far from every space; of a region
// without such a way, on the lower edge of its space.
/** @type {(paths: [number, number][][], spaces: Api.Zone[], every: [number, number][]) => [number, number]} */
function clearest(paths, spaces, every) {
  const room = ([x, y]) => Math.min(...every.map(([a, b]) => Math.hypot(a - x, (b - y) * 1.4)));
  const halfway = paths.map(([[a, b], [c, d]]) => /** @type {[number, number]} */ ([(a + c) / 2, (b + d) / 2]));
  if (halfway.length) return halfway.reduce((best, each) => (room(each) > room(best) ? each : best));
  const first = spaces[0] && boxOf(spaces[0]);
  return first ? [first.x + first.w / 2, first.y + 0.97 * first.h] : [0, 0];
}

let drawn = 0; // patterns are told apart over every mat on the page

/** @param {Region} region */
function drawRegion({ label, ink, pattern, spaces, paths, at }) {
  const weave = `weave-${drawn++}`;
  const shape = (/** @type {string} */ name, /** @type {string | null} */ paint) => s("g", { class: name },
    paths.map(([[x1, y1], [x2, y2]]) => s("line", { x1, y1, x2, y2, stroke: paint, "stroke-width": PATH_MM })),
    spaces.map((zone) => {
      const [cx, cy] = middleOf(zone);
      return s("circle", { cx, cy, r: boxOf(zone).w / 2 + SHORE_MM, fill: paint });
    }));
  return [s("g", { class: "region", style: `--region: ${ink}` }, s("defs", null, drawPattern(weave, pattern)),
    shape("ground", null), shape("weave", `url(#${weave})`)),
  s("text", { class: "region-name", x: at[0], y: at[1] }, label)];
}

const WEAVES = {
  stripes: "M0 8L8 0M-2 2L2-2M6 10L10 6",
  waves: "M0 3Q2 1 4 3T8 3M0 7Q2 5 4 7T8 7",
  zigzag: "M0 6L2 3 4 6 6 3 8 6",
  crosses: "M2.6 2.6L5.4 5.4M5.4 2.6L2.6 5.4",
  checks: "M1 1H4V4H1ZM4 4H7V7H4Z",
  dots: "M4 3.2A.8.8 0 1 0 4 4.8 .8.8 0 1 0 4 3.2Z",
  rings: "M4 2A2 2 0 1 0 4 6 2 2 0 1 0 4 2Z",
};
const FILLED = ["checks", "dots"];

/** @type {(id: string, pattern: string) => SVGElement} */
const drawPattern = (id, pattern) =>
  s("pattern", { id, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
    s("path", { class: FILLED.includes(pattern) ? "filled" : "lined", d: WEAVES[pattern] ?? "" }));

// -- room for coins -----------------------------------------------------------------------------------------------

// Places in a zone for `count` coins: lines round its middle, those free of coins that lie there already first.
/** @type {(box: Box, seen: { center_mm?: [number, number] | null }[], count: number) => [number, number][]} */
export function freeSpots(box, seen, count) {
  const down = Math.max(1, Math.floor(box.h / STEP_MM));
  const step = Math.floor(box.w / EASY_MM) * down < count ? STEP_MM : EASY_MM;
  const across = Math.max(1, Math.floor(box.w / step));
  const taken = seen.flatMap((coin) => (coin.center_mm ? [coin.center_mm] : []));
  const spots = [];
  const middle = (down - 1) / 2;
  const rows = [...Array(down).keys()].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  for (const row of rows) {
    for (let column = 0; column < across; column++) {
      const x = box.x + box.w / 2 + (column - (across - 1) / 2) * step;
      const y = box.y + box.h / 2 + (row - middle) * STEP_MM;
      const room = Math.min(Infinity, ...taken.map((p) => Math.hypot(p[0] - x, p[1] - y)));
      spots.push({ x, y, free: room > ROOM_MM });
    }
  }
  spots.sort((a, b) => Number(b.free) - Number(a.free));
  return Array.from({ length: count }, (_, at) => {
    const spot = spots[at % spots.length], lap = Math.floor(at / spots.length);
    return [spot.x + lap * 3, spot.y + lap * 3];
  });
}

/**
 * The part of a zone in which coins of a kind belong: its printed column where the zone has one for them.
 * @type {(zone: Api.Zone, cents: string) => Box}
 */
export function homeOf(zone, cents) {
  const box = boxOf(zone), headings = zone.columns ?? [], at = headings.indexOf(`${cents}¢`);
  if (at < 0) return box;
  const w = box.w / headings.length;
  return { ...box, x: box.x + at * w, w };
}
