// What phone and kiosk alike show of a snapshot: prompt, table, standings, the last ruling, and the game's own part.

import { sitAt } from "./access.js";
import { get } from "./api.js";
import { showClock } from "./clock.js";
import { $, h, refill } from "./dom.js";
import { GAMES } from "./games/index.js";
import { showHint } from "./hint.js";
import { language, spoken, t } from "./i18n.js";
import { showOdds } from "./odds.js";
import { lightPanel } from "./panel.js";
import { showPrompt, showRuling, showSeats } from "./play.js";
import { knowSeats, seatless, seatsOf, seatTaken, standingNow, watching, whoIs } from "./seat.js";

export class Board {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    /** @type {Api.Snapshot | null} */
    this.snapshot = null;
    /** @type {Api.LegalAct[]} */
    this.acts = [];
    /** @type {string | null} */
    this.actsFor = null; // the game and seat that `acts` belongs to
  }

  /** @param {Api.Snapshot} snapshot */
  show(snapshot) {
    this.snapshot = snapshot;
    knowSeats(snapshot);
    const { game } = snapshot;
    const part = GAMES[game?.game ?? ""];
    /** @type {import("./games/part.js").View} */
    const view = { snapshot, game, seat: seatTaken(), part, acts: this.acts,
      redraw: () => this.show(this.snapshot ?? snapshot) };
    showPrompt(view);
    showRuling(view);
    showSeats(snapshot);
    showOdds(snapshot);
    showClock(snapshot);
    lightPanel(snapshot);
    this.table.show(snapshot);
    showHint(snapshot, this.table, view.redraw);
    this.showPart(view);
    this.showHealth(snapshot.health);
    document.body.dataset.seq = String(snapshot.seq); // which snapshot the page shows, for tests
    this.askActs(view);
  }

  /** @param {import("./games/part.js").View} view */
  showPart(view) {
    const { game, part, seat } = view;
    /** @type {(name: "act" | "about" | "overlay") => import("./games/part.js").Piece | null} */
    const piece = (name) => (game && part?.[name]?.(view)) || null;
    const fill = (element, shown) => {
      element.hidden = !shown;
      const key = [game?.game, language, view.snapshot.names, shown?.key];
      refill(element, key, () => (shown ? shown.make().filter(Boolean) : []));
    };
    if ($("act")) {
      const own = watching() || view.snapshot.prompt?.kind === "question" ? null : piece("act");
      const asksSeat = game && !game.outcome && (seatless() || (part?.personal && !seat && !watching()));
      fill($("act"), own ?? (asksSeat ? whoAreYou(view) : null));
    }
    fill($("about"), piece("about"));
    const over = piece("overlay");
    refill(this.table.marks, [game?.game, language, over?.key], () => (over ? over.make() : []));
  }

  // Asks what this seat may do, once for each state of the game and each seat.
  /** @param {import("./games/part.js").View} view */
  async askActs({ snapshot, game, part, seat }) {
    const wanted = JSON.stringify([game, seat]);
    if (!game || !part?.needsActs?.({ game }) || watching()) {
      this.acts = [];
      this.actsFor = null;
    } else if (this.actsFor !== wanted) {
      this.actsFor = wanted;
      const acts = (await get("/api/acts"))?.acts;
      if (this.actsFor !== wanted) return;
      this.acts = acts ?? [];
      this.show(this.snapshot ?? snapshot);
    }
  }

  /** @param {Api.Health} health */
  showHealth({ camera, said }) {
    const lines = [...(camera ? [] : [t("health.camera")]), ...said.map(spoken)];
    $("health").hidden = !lines.length;
    refill($("health"), [lines], () => lines.map((line) => h("p", null, line)));
  }
}

// A game played on people's own phones first asks which seat is this phone's.
/** @param {import("./games/part.js").View} view */
function whoAreYou({ snapshot, game }) {
  const plays = (seat) => snapshot.seats[seat] !== "computer" && (game?.alive?.includes(seat) ?? true);
  const seats = seatsOf(snapshot).filter(plays);
  const named = seatless() && game?.characters && !game.options.players?.length; // an open table: people bring names
  const pick = (seat) => h("button", { type: "button", class: "pick", "data-testid": `sit-${seat}`,
    onclick: () => sitAt(seat) }, h("b", null, whoIs(seat)));
  const asked = standingNow()?.asked;
  if (asked) {
    return { key: ["asked", asked], make: () => [h("section", { class: "card part", "data-testid": "seat-asked" },
      h("h2", null, t("seat.press", { seat: whoIs(asked) })),
      h("button", { type: "button", class: "quiet", onclick: () => sitAt("") }, t("cancel")))] };
  }
  return { key: ["who", seats, named, snapshot.names], make: () => [
    h("section", { class: "card part", "data-testid": "who-are-you" },
    h("h2", null, t("seat.who")), h("div", { class: "picks names" }, seats.map(pick)), named ? ownName() : null)] };
}

function ownName() {
  const name = h("input", { type: "text", required: true, maxlength: 40, "data-testid": "own-name",
    "data-kept": "seat" });
  return h("form", { class: "row", onsubmit: (event) => { event.preventDefault(); sitAt(name.value); } },
    h("label", null, t("seat.name"), name), h("button", { class: "go", type: "submit" }, t("seat.sit")));
}
