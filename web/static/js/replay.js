// A game told again: the table at each ruling, a scrubber over the rulings, the graph, and what happened in words.
// The same module serves the page of a game and the file that opens with no network.

import { clockSaid } from "./clock_rule.js";
import { parseCoin, radius } from "./coin.js";
import { $, h, s, say } from "./dom.js";
import { language, seatName, spoken, t, translate } from "./i18n.js";
import { leadText } from "./lead.js";
import { movedBetween, TOSSED } from "./moves.js";
import { Graph } from "./replay_graph.js";
import { playerCards, tossCard } from "./replay_report.js";
import { rulingCard } from "./replay_rulings.js";
import { Table } from "./table.js";

const STEP_MS = 1200; // a ruling is shown so long while the game plays at its own speed
const SWIPE_PX = 40; // a finger that moves this far over the table goes one ruling on
const SPEEDS = [0.5, 1, 2, 4];
const TOLD = 2; // seats whose chances are told in words: of more, the likeliest

export class Replay {
  /**
   * @param {Api.Replay} game
   * @param {((step: Api.ReplayStep) => void) | null} onPictures opens the pictures of a ruling; null: there are none
   */
  constructor(game, onPictures) {
    this.game = game;
    this.onPictures = onPictures;
    /** @type {Api.Report | null} */
    this.report = null;
    this.at = game.steps.length - 1; // the step that is shown
    this.speed = 1;
    this.playing = 0; // the timer
    $("replay").replaceChildren(...this.frame());
    this.table = new Table(null);
    this.graph = new Graph(game, (at) => this.show(at));
    $("graph").append(this.graph.svg);
    addEventListener("keydown", (event) => this.key(event));
    this.swipes($("stage"));
    this.draw();
  }

  /** The chances and the report came. @param {Api.Report} report */
  know(report) {
    this.report = report;
    this.draw();
  }

  // Everything that depends on the language or on the report.
  draw() {
    const { game, report } = this;
    document.title = `${spoken({ texts: game.title })} – ${t("title")}`;
    translate($("replay"));
    say($("game-title"), spoken({ texts: game.title }));
    say($("game-end"), game.outcome ? spoken({ texts: game.outcome.said }) : t("replay.brokenOff"));
    say($("game-begun"), [...Object.keys(game.seats).map((seat) => this.player(seat)), when(game.begun),
      game.clock ? clockSaid(game.clock) : "", game.verified === false ? t("history.unverified") : ""]
      .filter(Boolean).join(" · "));
    this.graph.draw(report, (seat) => this.name(seat));
    const go = (line) => this.show(game.steps.findIndex((step) => step.line === line));
    const told = { game, report, go, name: (seat) => this.name(seat), onPictures: this.onPictures };
    $("report").replaceChildren(...(report ? playerCards(told) : []), tossCard(told));
    $("rulings").replaceChildren(rulingCard(told));
    this.show(this.at);
  }

  /** The step with this index, and the first or last where there is none. @param {number} wanted */
  show(wanted) {
    const { steps } = this.game;
    this.at = Math.max(0, Math.min(steps.length - 1, wanted));
    const step = steps[this.at];
    this.table.show(/** @type {any} */ (snapshotOf(this.game, this.at)), movedAt(this.game, this.at));
    this.graph.point(this.at);
    $("scrub").value = String(this.at);
    $("scrub").setAttribute("aria-valuetext", spoken({ texts: step.said }));
    say($("step-number"), t("replay.step", { n: this.at, of: steps.length - 1 }));
    say($("step-who"), [step.seat && step.seat !== "table" ? this.name(step.seat) : "", this.chanceText()]
      .filter(Boolean).join(" · "));
    say($("step-said"), spoken({ texts: step.said }));
    $("step").dataset.kind = step.kind;
    const clause = step.clause ? this.game.clauses[step.clause] : undefined;
    say($("step-clause"), clause ? `${clause.number} ${spoken({ texts: clause.texts })}` : step.clause ?? "");
    const rule = `/rules/${this.game.game}#${step.clause}`; // the file that opens with no network has no rulebook
    if (clause && this.onPictures) $("step-clause").href = rule;
    else $("step-clause").removeAttribute("href");
    $("step-pictures").hidden = !this.onPictures || !step.evidence;
    for (const row of $("rulings").querySelectorAll("[data-step]")) {
      const here = Number(row.dataset.step) === this.at;
      row.toggleAttribute("aria-current", here);
      if (here) scrollWithin(row);
    }
    document.body.dataset.step = String(this.at);
    if (this.at === steps.length - 1) this.pause();
  }

  chanceText() {
    const chances = Object.entries(this.graph.chancesAt(this.at));
    if (chances.length > TOLD) chances.sort(([, one], [, other]) => other - one);
    const told = chances.slice(0, TOLD).map(([seat, p]) =>
      t("replay.chanceOf", { seat: this.name(seat), percent: Math.round(100 * p) }));
    const lead = leadText(this.game.game, this.graph.leadAt(this.at), (seat) => this.name(seat));
    return [...told, lead].filter(Boolean).join(" · ");
  }

  /** @param {string} seat */
  name(seat) {
    return this.game.names[seat] ?? seatName(seat);
  }

  /** @param {string} seat */
  player(seat) {
    const who = this.game.seats[seat] === "computer" ? ` (${t("seat.computer")})` : "";
    const named = this.game.names[seat] ? `${seatName(seat)}: ${this.game.names[seat]}` : seatName(seat);
    return `${named}${who}`;
  }

  play() {
    if (this.at === this.game.steps.length - 1) this.show(0);
    clearInterval(this.playing);
    this.playing = setInterval(() => this.show(this.at + 1), STEP_MS / this.speed);
    this.showButton("replay.pause", "❚❚");
  }

  pause() {
    clearInterval(this.playing);
    this.playing = 0;
    this.showButton("replay.play", "▶");
  }

  showButton(key, sign) {
    say($("play"), sign);
    $("play").setAttribute("aria-label", t(key));
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const on = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || on.closest("select, dialog[open]")) return;
    if (event.key === " " && on.closest("button, a, summary")) return;
    const goes = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.game.steps.length - 1 };
    if (event.key === " ") this.toggle();
    else if (event.key in goes) this.show(goes[event.key]);
    else return;
    event.preventDefault();
  }

  /** @param {HTMLElement} stage */
  swipes(stage) {
    let from = 0;
    stage.addEventListener("pointerdown", (event) => { from = event.clientX; });
    stage.addEventListener("pointerup", (event) => {
      const moved = event.clientX - from;
      if (Math.abs(moved) > SWIPE_PX) this.show(this.at + (moved < 0 ? 1 : -1));
    });
  }

  frame() {
    const button = (id, sign, label, onclick) => h("button", { id, type: "button", "data-i18n-label": label,
      "data-testid": id, onclick }, sign);
    const speeds = SPEEDS.map((speed) => h("option", { value: speed, selected: speed === 1 }, `${speed}×`));
    return [
      h("section", { class: "prompt" }, h("p", { id: "game-title", class: "whose", "data-testid": "game-title" }),
        h("h1", { id: "game-end", class: "what", "data-testid": "game-end" }),
        h("p", { id: "game-begun", class: "hint", "data-testid": "game-begun" })),
      h("div", { class: "play" },
        h("div", { id: "stage", class: "stage", "data-testid": "stage" }, 
          s("svg", { id: "mat", viewBox: "0 0 420 297", role: "group", "data-i18n-label": "table",
            "data-testid": "mat" })),
        h("p", { id: "stillness", hidden: true }), h("ul", { id: "differences", hidden: true }),
        h("div", { class: "scrubber" },
          h("input", { id: "scrub", type: "range", min: 0, max: this.game.steps.length - 1, step: 1,
            "data-i18n-label": "replay.scrub", "data-testid": "scrub",
            oninput: (event) => this.show(Number(event.target.value)) }),
          h("div", { class: "row" },
            button("first", "«", "replay.first", () => this.show(0)),
            button("back", "‹", "replay.back", () => this.show(this.at - 1)),
            button("play", "▶", "replay.play", () => this.toggle()),
            button("next", "›", "replay.next", () => this.show(this.at + 1)),
            button("last", "»", "replay.last", () => this.show(this.game.steps.length - 1)),
            h("label", { class: "speed" }, h("span", { "data-i18n": "replay.speed" }),
              h("select", { id: "speed", "data-testid": "speed", onchange: (event) => this.hurry(event.target.value) },
                speeds)))),
        h("section", { id: "step", class: "card step", "data-testid": "step" },
          h("p", { class: "hint" }, h("span", { id: "step-number", "data-testid": "step-number" }), " ",
            h("span", { id: "step-who", "data-testid": "step-who" })),
          h("p", { id: "step-said", class: "big", "data-testid": "step-said" }),
          h("p", { class: "hint" }, h("a", { id: "step-clause", "data-testid": "step-clause" })),
          h("button", { id: "step-pictures", type: "button", "data-i18n": "evidence.title",
            "data-testid": "step-pictures", onclick: () => this.onPictures?.(this.game.steps[this.at]) })),
        h("section", { class: "card part" }, h("h2", { "data-i18n": "replay.graph", id: "graph-title" }),
          h("div", { id: "graph", class: "graph", "data-testid": "graph" }),
          h("p", { id: "analysis", class: "hint", role: "status", "data-testid": "analysis" }))),
      h("div", { class: "side" }, h("div", { id: "report", class: "game-part", "data-testid": "report" }),
        h("div", { id: "rulings", "data-testid": "rulings" })),
    ];
  }

  hurry(speed) {
    this.speed = Number(speed);
    if (this.playing) this.play();
  }
}

// The step as the table draws a snapshot: the coins lie at their places and are sure.
/** @type {(game: Api.Replay, at: number) => Record<string, any>} */
function snapshotOf(game, at) {
  return { mat: game.mat, prompt: { kind: "over" }, health: { said: [] },
    table: { coins: coinsOf(game, at), hand: false, moving: false, settled: true, flips: {}, differences: [],
      marks: [] } };
}

/** @type {(game: Api.Replay, at: number) => any[]} */
function coinsOf(game, at) {
  const coins = Object.entries(game.tables[game.steps[at].table]).flatMap(([zone, names]) => names.map((name, k) => {
    const { denomination, face } = parseCoin(name);
    return { center_mm: game.places[zone][k], radius_mm: radius(denomination), zone, denomination, face, sure: true };
  }));
  return coins.map((coin, i) => ({ i, ...coin }));
}

// What the step moved, since the step before it.
/** @type {(game: Api.Replay, at: number) => import("./moves.js").Moved} */
const movedAt = (game, at) => (at === 0 ? { ways: [], new: [] }
  : movedBetween(coinsOf(game, at - 1), coinsOf(game, at), new Set(TOSSED)));

/** A moment in the reader's own time. @param {string | null} at */
const when = (at) => (at && !Number.isNaN(Date.parse(at))
  ? new Date(at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }) : "");

// Scrolls the list alone: the page itself stays where the reader has it.
/** @param {HTMLElement} row */
function scrollWithin(row) {
  const list = /** @type {HTMLElement} */ (row.closest(".rulings"));
  const top = row.offsetTop; // within the list, which is positioned
  if (top < list.scrollTop || top + row.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}
