// The graph over the rulings: how likely each seat was to win. Without an analysis: what each seat had.

import { $, s, say } from "./dom.js";
import { breadth, money, t } from "./i18n.js";

const HEIGHT = 220, LEFT = 44, RIGHT = 12, TOP = 12, BOTTOM = 22; // px
const KEY_LINE = 26, KEY_ROW = 18; // px: beside each name below the graph, and from one row of names to the next
const LEAST_WIDTH = 240; // px, also while the page is not laid out yet

export class Graph {
  /**
   * @param {Api.Replay} game
   * @param {(at: number) => void} onStep a step was chosen on the graph
   */
  constructor(game, onStep) {
    this.game = game;
    this.svg = s("svg", { height: HEIGHT, role: "img", "data-testid": "graph-svg" });
    this.width = 0; // px, as it was drawn last
    this.redraw = () => {}; // the same again, at another width
    new ResizeObserver(() => { if (this.svg.clientWidth !== this.width) this.redraw(); }).observe(this.svg);
    this.cursor = s("line", { class: "cursor", y1: TOP, y2: HEIGHT - BOTTOM });
    this.at = 0; // the step that the cursor stands at
    /** @type {Record<string, number>[]} */
    this.chances = []; // after each step; empty without an analysis
    /** @type {(Record<string, number> | null)[]} */
    this.leads = []; // the same of the final lead; null where the game does not tell
    const choose = (event) => {
      const box = this.svg.getBoundingClientRect();
      const along = (event.clientX - box.left - LEFT) / (this.width - LEFT - RIGHT);
      onStep(Math.round(along * (game.steps.length - 1)));
    };
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      choose(event);
    });
    this.svg.addEventListener("pointermove", (event) => { if (event.buttons) choose(event); });
  }

  /** @param {number} at */
  x(at) {
    return LEFT + at / Math.max(1, this.game.steps.length - 1) * (this.width - LEFT - RIGHT);
  }

  /** @param {number} at */
  chancesAt(at) {
    return this.chances[at] ?? {};
  }

  /** How far ahead each seat is expected to end. @param {number} at */
  leadAt(at) {
    return this.leads[at] ?? {};
  }

  /** @param {number} at */
  point(at) {
    this.at = at;
    this.cursor.setAttribute("x1", this.x(at));
    this.cursor.setAttribute("x2", this.x(at));
  }

  /**
   * @param {Api.Report | null} report
   * @param {(seat: string) => string} name
   */
  draw(report, name) {
    const { steps, measure } = this.game;
    this.redraw = () => this.draw(report, name);
    this.width = Math.max(LEAST_WIDTH, this.svg.clientWidth);
    this.chances = report ? toldAfter(this.game, report, "chance", report.start) : [];
    this.leads = report ? toldAfter(this.game, report, "lead", report.start_lead ?? null) : [];
    const values = report ? this.chances : steps.map((step) => step.standing);
    const seats = Object.keys(values.at(-1) ?? {});
    const most = report ? 1 : Math.max(1, ...values.flatMap((each) => Object.values(each)));
    const y = (value) => HEIGHT - BOTTOM - value / most * (HEIGHT - TOP - BOTTOM);
    const lines = report ? [0, 0.5, 1] : axis(most);
    const tell = (value) => (report ? `${Math.round(100 * value)} %`
      : measure === "cents" ? money(value) : String(value));
    const room = this.width - LEFT - RIGHT, columns = sideBySide(seats.map(name), room);
    const height = HEIGHT + (Math.ceil(seats.length / columns) - 1) * KEY_ROW;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${height}`);
    this.svg.setAttribute("height", String(height));
    const title = t(report ? "replay.graph" : `replay.standing.${measure ?? "points"}`);
    say($("graph-title"), title);
    this.svg.setAttribute("aria-label", title);
    this.svg.replaceChildren(
      ...lines.flatMap((value) => [
        s("line", { class: "grid", x1: LEFT, x2: this.width - RIGHT, y1: y(value), y2: y(value) }),
        s("text", { class: "scale", x: LEFT - 6, y: y(value) + 4 }, tell(value))]),
      ...seats.map((seat, k) => s("polyline", { class: "curve", "data-seat": seat, "data-k": k,
        points: values.map((each, at) => `${this.x(at).toFixed(1)},${y(each[seat] ?? 0).toFixed(1)}`).join(" ") })),
      ...(report ? this.marks(report, y) : []),
      ...seats.map((seat, k) => s("g", { class: "key", "data-seat": seat, "data-k": k,
        transform: `translate(${LEFT + k % columns * room / columns} ${
          HEIGHT - 5 + Math.floor(k / columns) * KEY_ROW})` },
        s("line", { class: "curve", x2: 16, y1: -4, y2: -4, "data-seat": seat, "data-k": k }),
        s("text", { x: 20 }, shortened(name(seat), room / columns - KEY_LINE)))),
      this.cursor);
    this.point(this.at);
  }

  // The turning point, the tosses, and the dearest decisions.
  marks(report, y) {
    const first = Object.keys(report.start)[0];
    const place = (line) => {
      const at = this.game.steps.findIndex((step) => step.line === line);
      return at < 0 ? null : [this.x(at), y(this.chances[at][first] ?? 0)];
    };
    const tosses = report.events.filter((event) => event.kind === "toss").map((event) => place(event.n));
    const dear = Object.values(report.players).flatMap((share) => share.worst).map(place);
    const turning = place(report.turning_point);
    return [
      ...tosses.map((at) => at && s("circle", { class: "tossed", cx: at[0], cy: at[1], r: 3.5 })),
      ...dear.map((at) => at && s("path", { class: "dear", d: `M${at[0]} ${at[1] - 6}l6 6l-6 6l-6 -6z` })),
      turning && s("line", { class: "turning", x1: turning[0], x2: turning[0], y1: TOP, y2: HEIGHT - BOTTOM }),
      turning && s("text", { class: "turning", x: turning[0] + (turning[0] > this.width / 2 ? -6 : 6), y: TOP + 10,
        "text-anchor": turning[0] > this.width / 2 ? "end" : "start", "data-testid": "turning-mark" },
      t("replay.turning")),
    ].filter(Boolean);
  }
}

/**
 * Where lines stand across a graph of amounts up to `most`: at whole numbers, so that what is written beside each is
 * true. The picture to share has the same (tablecoin/replay/picture.py).
 * @param {number} most
 */
export function axis(most) {
  const whole = Math.floor(most);
  return [...new Set([0, Math.floor(whole / 2), whole])];
}

/**
 * What the report says of each seat after each step. A step that nobody valued (a refusal, what was taken back) changes
 * nothing.
 * @type {(game: Api.Replay, report: Api.Report, what: "chance" | "lead", start: any) => any[]}
 */
function toldAfter(game, report, what, start) {
  const known = new Map(report.events.map((event) => [event.n, event[what]]));
  let now = start;
  return game.steps.map((step) => (now = known.get(step.line) ?? now));
}

const KEY_LETTER_PX = 7.5; // the mean width of a letter below the graph

/**
 * How many names stand side by side below the graph: all of them, or as many as have room for the longest.
 * @type {(names: string[], room_px: number) => number}
 */
function sideBySide(names, room_px) {
  const widest = KEY_LINE + KEY_LETTER_PX * Math.max(...names.map(breadth));
  return Math.max(1, Math.min(names.length, Math.floor(room_px / widest)));
}

/** @type {(name: string, room_px: number) => string} */
function shortened(name, room_px) {
  const most = Math.max(2, Math.floor(room_px / KEY_LETTER_PX));
  return breadth(name) > most ? `${name.slice(0, Math.max(1, most - (breadth(name) - name.length) - 1))}…` : name;
}
