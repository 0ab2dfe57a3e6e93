// Everything a screen shows of a snapshot, whether it lies in a hand or stands at the table: prompt, table, standings, the
// last ruling, and what the game itself has to say.

import { get } from "./api.js";
import { $, h, refill } from "./dom.js";
import { GAMES } from "./games/index.js";
import { language, seatName, spoken, t } from "./i18n.js";
import { lightPanel, showPrompt, showRuling, showSeats } from "./play.js";
import { knowSeats, seatsOf, seatTaken, sitAt, watching } from "./seat.js";

export class Board {
  constructor(table) {
    this.table = table;
    this.snapshot = null;
    this.acts = [];
    this.actsFor = null; // the game and seat `acts` belongs to
  }

  show(snapshot) {
    this.snapshot = snapshot;
    knowSeats(snapshot);
    const { game } = snapshot;
    const part = GAMES[game?.game];
    const view = { snapshot, game, seat: seatTaken(), part, acts: this.acts, redraw: () => this.show(this.snapshot) };
    showPrompt(view);
    showRuling(view);
    showSeats(snapshot);
    lightPanel(snapshot);
    this.table.show(snapshot);
    this.showPart(view);
    this.showHealth(snapshot.health ?? {});
    document.body.dataset.seq = snapshot.seq; // what stands on the page now, for who looks from outside
    this.askActs(view);
  }

  showPart(view) {
    const { game, part, seat } = view;
    const piece = (name) => (game && part?.[name] ? part[name](view) : null);
    const fill = (element, shown) => {
      element.hidden = !shown;
      refill(element, [game?.game, language, shown?.key], () => (shown ? shown.make().filter(Boolean) : []));
    };
    if ($("act")) {
      const own = watching() || view.snapshot.prompt?.kind === "question" ? null : piece("act");
      fill($("act"), own ?? (game && part?.personal && !seat && !watching() && !game.outcome ? whoAreYou(view) : null));
    }
    fill($("about"), piece("about"));
    const over = piece("overlay");
    refill(this.table.marks, [game?.game, language, over?.key], () => (over ? over.make() : []));
  }

  // What this seat may do is asked for when the game or the seat has changed.
  async askActs({ game, part, seat }) {
    const wanted = JSON.stringify([game, seat]);
    if (!game || !part?.needsActs?.({ game }) || watching()) {
      this.acts = [];
      this.actsFor = null;
    } else if (this.actsFor !== wanted) {
      this.actsFor = wanted;
      const acts = (await get("/api/acts"))?.acts;
      if (this.actsFor !== wanted) return;
      this.acts = acts ?? [];
      this.show(this.snapshot);
    }
  }

  showHealth({ camera, warnings = [] }) {
    const lines = [...(camera ? [] : [t("health.camera")]), ...warnings.map((each) => spoken(each) || String(each))];
    $("health").hidden = !lines.length;
    refill($("health"), [lines], () => lines.map((line) => h("p", null, line)));
  }
}

// A game played on phones of one's own begins with: which seat is yours?
function whoAreYou({ snapshot, game }) {
  const seats = seatsOf(snapshot).filter((seat) => snapshot.seats?.[seat] !== "computer" && !(game.alive && !game.alive.includes(seat)));
  return { key: ["who", seats], make: () => [h("section", { class: "card part", "data-testid": "who-are-you" }, h("h2", null, t("seat.who")),
    h("div", { class: "picks names" }, seats.map((seat) => h("button", { type: "button", class: "pick", "data-testid": `sit-${seat}`, onclick: () => sitAt(seat) },
      h("b", null, seatName(seat))))))] };
}
