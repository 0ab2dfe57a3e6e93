// The table: the mat's zones, the coins that were seen, and ghosts of those that should lie there and do not.

import { $, refill, s, say } from "./dom.js";
import { breadth, coinText, heapText, KINDS, language, named, spoken, t } from "./i18n.js";
import { badge, CENTS, drawCoin, metals, radius } from "./coin.js";

const REACH_PX = 26; // a tap finds the nearest coin this close
const LETTER_PX = 6.2; // the mean width of a letter in a zone's name
const SPACE = /^space\./;

export class Table {
  // `onCoin(coin)`: a seen coin was tapped (or Enter pressed on it); null: nothing can be done with a coin.
  constructor(onCoin) {
    this.svg = $("mat");
    this.zones = s("g", { class: "zones" });
    this.ghosts = s("g", { class: "ghosts" });
    this.coins = s("g", { class: "coins" });
    this.marks = s("g", { class: "marks" }); // what the game draws over the coins
    this.advice = s("g", { class: "advised" }); // what a hint advises
    this.hands = s("g", { class: "hands" }); // the virtual table's handles
    this.svg.append(metals(), this.zones, this.ghosts, this.coins, this.marks, this.advice, this.hands);
    this.onCoin = onCoin;
    this.mmPerPx = 1; // of the mat as it is drawn
    /** @type {any} */ // Api.Mat, once there is one
    this.mat = null;
    /** @type {Api.CoinSeen[]} */
    this.seen = [];
    /** @type {Api.Difference[]} */
    this.wanted = [];
    new ResizeObserver(() => this.measure()).observe(this.svg);
    this.svg.addEventListener("click", (event) => this.tap(event));
    this.svg.addEventListener("keydown", (event) => {
      const coin = event.target.closest?.(".coin");
      if (coin && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        this.onCoin?.(this.seen[Number(coin.dataset.at)]);
      }
    });
  }

  measure() {
    const width = this.svg.clientWidth;
    if (!this.mat || !width) return;
    this.mmPerPx = this.mat.width_mm / width;
    this.svg.style.setProperty("--mm", this.mmPerPx); // letters keep their size in pixels at every size of the mat
    const names = [...this.zones.querySelectorAll(".title")];
    const width_mm = (name) => breadth(name.textContent) * LETTER_PX * this.mmPerPx;
    const tight = names.some((name) => width_mm(name) > Number(name.dataset.room)); // then none of them is shown
    for (const name of names) name.classList.toggle("tight", tight);
  }

  // A pointer's place on the mat in millimetres.
  place(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.mat.width_mm / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  tap(event) {
    if (!this.mat || document.body.dataset.mode === "move") return;
    const [x, y] = this.place(event);
    const away = ({ center_mm: at }) => (at ? Math.hypot(at[0] - x, at[1] - y) : Infinity);
    const [near] = [...this.seen].sort((a, b) => away(a) - away(b));
    if (near && away(near) < Math.max(REACH_PX * this.mmPerPx, near.radius_mm ?? 12)) this.onCoin?.(near);
  }

  /** @param {Api.Snapshot} snapshot */
  show(snapshot) {
    const { table } = snapshot;
    const mat = snapshot.mat ?? this.mat ?? { name: "none", width_mm: 420, height_mm: 297, zones: [] };
    this.mat = mat;
    this.seen = table.coins;
    if (refill(this.zones, [mat, language], () => drawMat(mat))) {
      this.svg.setAttribute("viewBox", `0 0 ${mat.width_mm} ${mat.height_mm}`);
      $("stage").style.setProperty("--aspect", mat.width_mm / mat.height_mm);
    }
    this.measure();
    const wrong = differences(snapshot);
    this.wanted = wrong;
    this.mark(wrong, table.differences.length ? "wrong" : "due");
    refill(this.ghosts, [wrong, mat.name, language], () => this.drawGhosts(wrong));
    refill(this.coins, [this.seen.map(lookOf), language], () =>
      this.seen.map((coin, at) => drawSeen(coin, at, Boolean(this.onCoin))));
    this.tell(snapshot, wrong);
  }

  // `how` a zone differs: "wrong", or "due" where nothing is wrong and a toss is waited for.
  mark(differing, how) {
    const marked = new Set(differing.map((each) => each.zone));
    for (const zone of this.zones.children) {
      for (const each of ["wrong", "due"]) zone.classList.toggle(each, each === how && marked.has(zone.dataset.zone));
    }
  }

  drawGhosts(wrong) {
    return wrong.flatMap(({ zone, missing }) => {
      const home = this.mat.zones.find((each) => each.name === zone);
      const kinds = KINDS.flatMap((kind) => Array(missing?.[kind] ?? 0).fill(kind));
      if (!home || !kinds.length) return [];
      const spots = freeSpots(boxOf(home), this.seen, kinds.length);
      return kinds.map((kind, at) =>
        s("g", { class: "ghost", transform: `translate(${spots[at]})`, "data-testid": "ghost" },
          s("circle", { r: radius(kind) }),
          s("text", { y: radius(kind) * 0.3, "font-size": radius(kind) * 0.85 }, `${CENTS[kind]}¢`)));
    });
  }

  // What a hint advises: a ring around each coin to take or to turn, a ghost where one is to lie, an arrow between.
  /** @param {Api.Difference[]} moves */
  advise(moves) {
    refill(this.advice, [moves, this.seen.map(lookOf), this.mat?.name], () => {
      const from = moves.flatMap(({ zone, extra, turned }) => KINDS.flatMap((kind) => {
        const here = this.seen.filter((coin) => coin.zone === zone && coin.denomination === kind && coin.center_mm);
        const count = (extra?.[kind] ?? 0) + (turned?.[kind] ?? 0);
        return here.slice(0, count).map((coin) => ({ kind, at: coin.center_mm ?? [0, 0] }));
      }));
      const to = moves.flatMap(({ zone, missing }) => {
        const home = this.mat.zones.find((each) => each.name === zone);
        const kinds = KINDS.flatMap((kind) => Array(missing?.[kind] ?? 0).fill(kind));
        const spots = home && kinds.length ? freeSpots(boxOf(home), this.seen, kinds.length) : [];
        return spots.map((at, k) => ({ kind: kinds[k], at }));
      });
      const arrows = to.flatMap(({ kind, at }) => {
        const start = from.find((each) => each.kind === kind);
        return start ? [s("line", { x1: start.at[0], y1: start.at[1], x2: at[0], y2: at[1] })] : [];
      });
      const head = s("marker", { id: "advised-head", viewBox: "0 0 6 6", refX: 5, refY: 3, markerWidth: 4,
        markerHeight: 4, orient: "auto" }, s("path", { d: "M0 0L6 3L0 6z" }));
      return [...(arrows.length ? [head, ...arrows] : []),
        ...from.map(({ kind, at }) => s("g", { class: "from", "data-testid": "advised-from" },
          s("circle", { cx: at[0], cy: at[1], r: radius(kind) + 3 }))),
        ...to.map(({ kind, at }) => s("g", { class: "to", transform: `translate(${at})`, "data-testid": "advised-to" },
          s("circle", { r: radius(kind) }),
          s("text", { y: radius(kind) * 0.3, "font-size": radius(kind) * 0.85 }, `${CENTS[kind]}¢`)))];
    });
  }

  // The line below the table: the count and whether the coins lie still. When they lie still and yet nothing can be
  // read, the count would be wrong: the warnings say why instead.
  /** @type {(snapshot: Api.Snapshot, wrong: Api.Difference[]) => void} */
  tell({ table, health }, wrong) {
    const state = table.hand ? "table.hand" : table.settled ? "table.settled" : "table.moving";
    const blind = state === "table.moving" && !table.moving ? health.said.map(spoken) : [];
    const labelOf = (name) => zoneLabel(this.mat.zones.find((zone) => zone.name === name) ?? { name });
    $("stillness").dataset.state = state;
    say($("stillness"), blind.join(" ") || `${t("table.summary", { n: this.seen.length })} · ${t(state)}`);
    refill($("differences"), [wrong, t("missing")], () =>
      wrong.flatMap(({ zone, missing, extra, turned }) =>
        Object.entries({ missing, extra, turned })
          .filter(([, heap]) => KINDS.some((kind) => heap[kind]))
          .map(([key, heap]) => {
            const line = document.createElement("li");
            line.dataset.testid = `difference-${key}`;
            line.className = key;
            line.textContent = t("difference", { zone: labelOf(zone), what: t(key, { heap: heapText(heap) }) });
            return line;
          })));
  }
}

/**
 * The zones that do not hold what they should; while a toss is due, the zones whose coins have not been tossed yet.
 * @type {(snapshot: Api.Snapshot) => Api.Difference[]}
 */
function differences({ table, prompt }) {
  const told = table.differences;
  if (told.length || prompt.kind !== "flip") return told;
  return Object.entries(table.flips).flatMap(([zone, heap]) => {
    const here = table.coins.filter((coin) => coin.zone === zone);
    const count = (kind) => here.filter((coin) => coin.denomination === kind).length;
    const missing = Object.fromEntries(KINDS.map((kind) => [kind, Math.max(0, (heap[kind] ?? 0) - count(kind))]));
    return KINDS.some((kind) => missing[kind]) ? [{ zone, missing, extra: {}, turned: {} }] : [];
  });
}

/**
 * What decides how a coin is drawn: changes of place below 0.1 mm do not, so that noise of the camera redraws nothing.
 * @type {(coin: Api.CoinSeen) => unknown[]}
 */
const lookOf = ({ i, center_mm: at, denomination, face, sure }) =>
  [i, at?.map((each) => each.toFixed(1)), denomination, face, sure];

/** @type {(coin: Api.CoinSeen, at: number, taps: boolean) => SVGElement} */
function drawSeen(coin, at, taps) {
  if (!coin.center_mm) return s("g");
  const r = coin.denomination ? radius(coin.denomination) : coin.radius_mm ?? 10;
  const [x, y] = coin.center_mm;
  return s("g", {
    class: `coin ${coin.sure ? "sure" : "unsure"}`,
    transform: `translate(${x} ${y})`,
    tabindex: taps && 0,
    role: taps ? "button" : "img",
    "aria-label": coinText(coin),
    "data-at": at,
    "data-testid": `coin-${coin.i ?? at}`,
    "data-denomination": coin.denomination ?? "",
    "data-face": coin.face ?? "",
    "data-zone": coin.zone ?? "",
  },
  s("title", null, coinText(coin)), drawCoin(coin.denomination, coin.face, r),
  s("circle", { class: "ring", r: r + 1.6 }), badge(coin.denomination, coin.face, r));
}

// -- zones: a rectangle (its top left corner given) or a circle (its middle), in millimetres ----------------------

/** @type {(zone: Api.Zone) => { x: number, y: number, w: number, h: number, round?: boolean }} */
export function boxOf({ area }) {
  if (area.shape === "circle") {
    const r = area.radius_mm;
    return { x: area.x_mm - r, y: area.y_mm - r, w: 2 * r, h: 2 * r, round: true };
  }
  return { x: area.x_mm, y: area.y_mm, w: area.width_mm, h: area.height_mm };
}

/** The mat without its coins. @param {Api.Mat} mat */
export const drawMat = (mat) =>
  [...(mat.links ?? []).map((ends) => drawLink(mat, ends)), ...(mat.markers ?? []).map(drawMarker),
    ...mat.zones.map(drawZone)];

export const zoneLabel = (zone) => zone?.label?.[language] ?? named("zone", zone?.name ?? "");

function drawZone(zone) {
  const box = boxOf(zone);
  const outline = box.round ? s("circle", { cx: box.x + box.w / 2, cy: box.y + box.h / 2, r: box.w / 2 })
    : s("rect", { x: box.x, y: box.y, width: box.w, height: box.h, rx: 4 });
  const { name } = zone;
  return s("g", { class: `zone ${box.round ? "round" : ""}`, "data-zone": name, "data-testid": `zone-${name}` },
    outline, labels(zone, box));
}

// A space of a map shows its id above the coins, as the prompts call it, and below them its name where there is room.
function labels(zone, box) {
  const x = box.x + box.w / 2, middle = box.y + box.h / 2;
  if (!SPACE.test(zone.name)) return [s("text", { x, y: box.round ? middle : box.y + box.h - 3 }, zoneLabel(zone))];
  const id = zone.name.replace(SPACE, ""), title = zoneLabel(zone);
  const name = () => s("text", { class: "title", x, y: middle + 0.6 * box.h / 2, "data-room": 0.8 * box.w }, title);
  return [s("text", { class: "id", x, y: box.y + 1.5 }, id), title === id ? "" : name()];
}

function drawMarker({ x_mm, y_mm, size_mm }) {
  return s("rect", { class: "marker", x: x_mm - size_mm / 2, y: y_mm - size_mm / 2, width: size_mm, height: size_mm });
}

function drawLink(mat, ends) {
  const [a, b] = ends.map((name) => boxOf(mat.zones.find((zone) => zone.name === name)));
  return s("line", { class: "link", x1: a.x + a.w / 2, y1: a.y + a.h / 2, x2: b.x + b.w / 2, y2: b.y + b.h / 2 });
}

// Places in a zone for `count` coins: a grid, those farthest from the coins that lie there already first.
export function freeSpots(box, seen, count) {
  const step = 27;
  const across = Math.max(1, Math.floor(box.w / step)), down = Math.max(1, Math.floor(box.h / step));
  const taken = seen.filter((coin) => coin.center_mm).map((coin) => coin.center_mm);
  const spots = [];
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const x = box.x + box.w / 2 + (column - (across - 1) / 2) * step;
      const y = box.y + box.h / 2 + (row - (down - 1) / 2) * step;
      const room = Math.min(Infinity, ...taken.map((p) => Math.hypot(p[0] - x, p[1] - y)));
      spots.push({ x, y, free: room > 24 });
    }
  }
  spots.sort((a, b) => Number(b.free) - Number(a.free));
  return Array.from({ length: count }, (_, at) => {
    const spot = spots[at % spots.length], lap = Math.floor(at / spots.length);
    return [spot.x + lap * 3, spot.y + lap * 3];
  });
}
