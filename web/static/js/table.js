// The table: the mat, the coins that were seen, what is to be done with them, and the last move.

import { badge, drawCoin, radius } from "./coin.js";
import { $, refill, s, say } from "./dom.js";
import { asTransform, inverse, through, toQuad } from "./homography.js";
import { coinText, counted, heapText, KINDS, language, spoken, t } from "./i18n.js";
import { drawLast, drawMarks, marksOf, toDo } from "./marks.js";
import { boxOf, drawMat, fitTitles, middleOf, zoneLabel } from "./mat.js";
import { LastMove, pairs } from "./moves.js";

const REACH_PX = 26; // a tap finds the nearest coin this close
const CROWD = 24; // coins from which their labels would bury them: then a zone tells how many lie there
const GLIDE_MS = 600; // a coin that moved glides to its new place in this time
const NEAR_MM = 1; // what moved less is set there at once

export class Table {
  // `onCoin(coin)`: a seen coin was tapped (or Enter pressed on it); null: nothing can be done with a coin.
  constructor(onCoin) {
    this.svg = $("mat");
    this.zones = s("g", { class: "zones" });
    this.coins = s("g", { class: "coins" });
    this.counts = s("g", { class: "counts" }); // how many coins lie in a zone, where there are many
    this.last = s("g", { class: "last" }); // the last move
    this.todo = s("g", { class: "todo" }); // what is wrong, or what is to be tossed
    this.marks = s("g", { class: "marks" }); // what the game draws over the coins
    this.advice = s("g", { class: "advice" }); // what a hint advises
    this.hands = s("g", { class: "hands" }); // the virtual table's handles
    this.svg.append(this.zones, this.last, this.coins, this.counts, this.marks, this.todo, this.advice, this.hands);
    this.onCoin = onCoin;
    this.mmPerPx = 1; // of the mat as it is drawn
    /** @type {any} */ // Api.Mat, once there is one
    this.mat = null;
    /** @type {Api.CoinSeen[]} */
    this.seen = [];
    /** @type {Api.Difference[]} */
    this.wanted = [];
    /** @type {{ coin: Api.CoinSeen, look: string, element: SVGElement }[]} */
    this.drawn = [];
    this.move = new LastMove();
    /** @type {{ corners: [number, number][], shape: number } | null} */
    this.seenAt = null; // where the picture of the camera shows the mat; null: it fills the stage
    /** @type {import("./homography.js").Homography | null} */
    this.back = null; // from the stage to the mat as it fills the stage
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
    this.warp();
    this.svg.style.setProperty("--mm", this.mmPerPx); // letters keep their size in pixels at every size of the mat
    fitTitles(this.zones, this.mmPerPx);
  }

  // Lays the mat where a picture of the camera shows it: its corners as shares of the picture, and the picture's width
  // over its height. Null: it fills the stage.
  /** @type {(corners: [number, number][] | null, shape: number) => void} */
  lieAt(corners, shape) {
    this.seenAt = corners && { corners, shape };
    this.warp();
  }

  warp() {
    const { svg, seenAt } = this, width = svg.clientWidth, height = svg.clientHeight;
    if (!seenAt || !width || !height) {
      this.back = null;
      svg.style.transform = "";
      return;
    }
    const wide = Math.min(width, height * seenAt.shape), high = wide / seenAt.shape; // of the picture in the stage
    const lies = toQuad(width, height, seenAt.corners.map(([x, y]) =>
      [(width - wide) / 2 + x * wide, (height - high) / 2 + y * high]));
    this.back = inverse(lies);
    svg.style.transform = asTransform(lies);
  }

  // A pointer's place on the mat in millimetres.
  place(event) {
    const box = this.svg.parentElement.getBoundingClientRect(), scale = this.mat.width_mm / box.width;
    /** @type {[number, number]} */
    const at = [event.clientX - box.left, event.clientY - box.top];
    const [x, y] = this.back ? through(this.back, at) : at;
    return [x * scale, y * scale];
  }

  tap(event) {
    if (!this.mat || document.body.dataset.mode === "move") return;
    const [x, y] = this.place(event);
    const away = ({ center_mm: at }) => (at ? Math.hypot(at[0] - x, at[1] - y) : Infinity);
    const [near] = [...this.seen].sort((a, b) => away(a) - away(b));
    if (near && away(near) < Math.max(REACH_PX * this.mmPerPx, near.radius_mm ?? 12)) this.onCoin?.(near);
  }

  /** @type {(snapshot: Api.Snapshot, moved?: import("./moves.js").Moved) => void} */
  show(snapshot, moved = this.move.see(snapshot)) {
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
    this.light("wrong", table.differences);
    this.light("due", table.differences.length ? [] : wrong);
    this.light("lawful", (table.lawful ?? []).map((zone) => ({ zone })));
    const due = table.differences.length ? [] : toDo(wrong, this.seen);
    const todo = marksOf([...table.marks, ...due], this.seen, mat.zones);
    const away = new Set(todo.marks.flatMap(({ coin }) => (coin ? [coin] : [])));
    this.lay(away);
    refill(this.todo, [todo, language], () => drawMarks(todo, "mark"));
    refill(this.last, moved, () => drawLast(moved));
    const crowded = this.seen.length > CROWD;
    this.svg.classList.toggle("crowded", crowded);
    refill(this.counts, [crowded && [mat.name, this.seen.map(({ zone }) => zone)]], () =>
      (crowded ? drawCounts(mat, this.seen) : []));
    this.tell(snapshot, wrong);
  }

  /** Lights these zones up as "wrong", "due" for a toss, or "lawful" to act in. @param {{ zone: string }[]} lit */
  light(how, lit) {
    const names = new Set(lit.map(({ zone }) => zone));
    for (const zone of this.zones.querySelectorAll(".zone")) zone.classList.toggle(how, names.has(zone.dataset.zone));
  }

  // Draws the coins. A coin keeps its element while it is the same, and glides to where it lies now.
  /** @param {Set<Api.CoinSeen>} marked */
  lay(marked) {
    const before = this.drawn, of = pairs(before.map(({ coin }) => coin), this.seen);
    this.drawn = this.seen.map((coin, at) => {
      const was = before[of[at]], { i, denomination, face, sure, zone } = coin;
      const look = JSON.stringify([at, i, denomination, face, sure, zone, language]);
      const element = was?.look === look ? was.element : drawSeen(coin, at, Boolean(this.onCoin));
      element.classList.toggle("marked", marked.has(coin));
      const [x, y] = coin.center_mm ?? [0, 0];
      const place = was?.look === look && was.coin.center_mm && Math.hypot(x - was.coin.center_mm[0],
        y - was.coin.center_mm[1]) < 0.1 ? was.coin : coin; // noise of the camera moves nothing
      element.setAttribute("transform", `translate(${place.center_mm ?? [0, 0]})`);
      if (was?.coin.center_mm && place === coin) glide(element, was.coin.center_mm, [x, y]);
      return { coin: place, look, element };
    });
    const elements = this.drawn.map(({ element }) => element), shown = [...this.coins.children];
    if (elements.length !== shown.length || elements.some((each, k) => each !== shown[k])) {
      const focused = document.activeElement;
      const held = this.coins.contains(focused) ? focused?.getAttribute("data-testid") : null;
      this.coins.replaceChildren(...elements);
      if (held) this.coins.querySelector(`[data-testid="${CSS.escape(held)}"]`)?.focus();
    }
  }

  // What a hint advises, drawn as what is wrong is, in the colour of a hint.
  /** @param {Api.Difference[]} moves */
  advise(moves) {
    const advised = marksOf(toDo(moves, this.seen), this.seen, this.mat?.zones ?? []);
    refill(this.advice, [advised, this.mat?.name], () => drawMarks(advised, "advised"));
  }

  // The line below the table: the count and whether the coins lie still. When they lie still and yet nothing can be
  // read, the count would be wrong: the warnings say why instead.
  /** @type {(snapshot: Api.Snapshot, wrong: Api.Difference[]) => void} */
  tell({ table, health }, wrong) {
    const state = table.hand ? "table.hand" : table.settled ? "table.settled" : "table.moving";
    const blind = state === "table.moving" && !table.moving ? health.said.map(spoken) : [];
    const labelOf = (name) => zoneLabel(this.mat.zones.find((zone) => zone.name === name) ?? { name });
    $("stillness").dataset.state = state;
    say($("stillness"), blind.join(" ") || `${counted("table.summary", this.seen.length)} · ${t(state)}`);
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

/** @type {(coin: Api.CoinSeen, at: number, taps: boolean) => SVGElement} */
function drawSeen(coin, at, taps) {
  if (!coin.center_mm) return s("g");
  const r = coin.denomination ? radius(coin.denomination) : coin.radius_mm ?? 10;
  const name = coinText(coin);
  // What is pressed is the ring, which holds no letters: "H25¢" would not be the name that people hear.
  const grip = taps ? { tabindex: 0, role: "button", "aria-label": name, "data-testid": `grip-${coin.i ?? at}` } : {};
  return s("g", {
    class: `coin ${coin.sure ? "sure" : "unsure"}`,
    role: taps ? null : "img",
    "aria-label": taps ? null : name,
    "data-at": at,
    "data-testid": `coin-${coin.i ?? at}`,
    "data-denomination": coin.denomination ?? "",
    "data-face": coin.face ?? "",
    "data-zone": coin.zone ?? "",
  },
  s("title", null, name), drawCoin(coin.denomination, coin.face, r),
  s("circle", { class: "ring", r: r + 1.6, ...grip }), badge(coin.denomination, coin.face, r));
}

// How many coins lie in each zone, at its lower edge.
/** @type {(mat: Api.Mat, seen: Api.CoinSeen[]) => SVGElement[]} */
const drawCounts = (mat, seen) => mat.zones.flatMap((zone) => {
  const count = seen.filter((coin) => coin.zone === zone.name).length, box = boxOf(zone);
  return count > 1 ? [s("text", { x: middleOf(zone)[0], y: box.y + box.h - 4, "data-testid": `count-${zone.name}` },
    `× ${count}`)] : [];
});

// Lets a coin glide from where it was drawn, in the drawing alone: a picture shows where coins really are.
/** @type {(element: SVGElement, from: [number, number], to: [number, number]) => void} */
function glide(element, from, to) {
  const { view, picture } = document.body.dataset;
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const still = calm || (view !== "drawn" && picture === "yes");
  if (still || Math.hypot(to[0] - from[0], to[1] - from[1]) < NEAR_MM) return;
  const at = ([x, y]) => ({ transform: `translate(${x}px, ${y}px)` });
  element.animate([at(from), at(to)], { duration: GLIDE_MS, easing: "ease-in-out" });
}
