// A game that is over: once more with the seats as they are or swapped, any other game by the same people and rules,
// how what each seat has grew, the longest row of heads, and the way to why it was won.

import { get, once } from "./api.js";
import { $, h, refill } from "./dom.js";
import { language, seatName, spoken, t } from "./i18n.js";
import { titleOf } from "./offered.js";
import { Graph } from "./replay_graph.js";
import { watching, whoIs } from "./seat.js";
import { prepare } from "./start.js";
import { go } from "./views.js";

const GAMES = ["steal", "exact", "goes-around", "coin-wars", "coin-age"];
const AGAIN_MS = 1500; // between two looks while the game is not in the list of games yet

/** @type {{ of: string, game: Api.PlayedGame, replay: Api.Replay } | null} */
let told = null; // what the history knows of the game that is over
let wanted = ""; // the end that is asked about

/**
 * @param {Api.Snapshot} snapshot
 * @param {boolean} mayStart
 */
export function showOver(snapshot, mayStart) {
  const { game, prompt, names, ruling } = snapshot, box = $("over");
  box.hidden = prompt.kind !== "over";
  if (!game || box.hidden) {
    wanted = "";
    return;
  }
  const end = JSON.stringify([game.game, game.outcome, ruling?.seq]);
  if (end !== wanted) {
    wanted = end;
    look(snapshot, mayStart, end);
  }
  const known = told?.of === end ? told : null, may = mayStart && !watching();
  const again = prompt.choices.map((choice, k) => ({ choice, k })).filter(({ choice }) => choice.game === game.game);
  const drawn = refill(box, [end, again, may, names, language, known?.game.number], () => [
    may ? h("div", { class: "choices" }, again.map(({ choice, k }) => h("button", { type: "button",
      class: `choice ${k ? "" : "go"} ${choice.highlighted ? "highlighted" : ""}`, "data-testid": `choice-${k}`,
      onclick: () => once("/api/answer", { choice: k, text: choice.text }) }, spoken(choice)))) : null,
    may ? h("section", { class: "next" }, h("h2", null, t("over.next")),
      h("div", { class: "choices" }, GAMES.map((name) => h("button", { type: "button", class: "choice",
        "data-testid": `next-${name}`, onclick: () => open(name) }, titleOf(name))))) : null,
    known ? fell(known.replay) : null,
    known?.replay.measure ? h("div", { class: "grew", "data-testid": "grew" },
      h("h2", { id: "graph-title" }), h("div", { id: "graph", class: "graph" })) : null,
    known ? h("p", null, h("a", { class: "to-history", href: `/history/${known.game.number}`,
      "data-testid": "over-why" }, t("over.why"))) : null,
    h("p", null, h("a", { class: "to-history", href: "/history", "data-testid": "over-history" },
      t("menu.history")))].filter(Boolean));
  if (drawn && $("graph") && known) {
    const graph = new Graph(known.replay, () => {});
    $("graph").append(graph.svg);
    graph.draw(null, (seat) => whoIs(seat) ?? seatName(seat));
    graph.cursor.remove(); // no step is chosen here
  }
}

// The form for a game, filled in as the game that is over was begun.
async function open(name) {
  const last = told?.of === wanted ? told.game : (await get("/api/history?limit=1"))?.games[0];
  await prepare(name, last);
  go("start");
}

// Ask the history until it has counted the game.
async function look(snapshot, mayStart, end) {
  while (wanted === end) {
    /** @type {Api.PlayedGame | undefined} */
    const game = (await get("/api/history?limit=1"))?.games[0];
    const replay = game?.outcome && game.game === snapshot.game?.game ? await get(`/api/history/${game.number}`) : null;
    if (wanted !== end) return;
    if (game && replay) {
      told = { of: end, game, replay };
      return showOver(snapshot, mayStart);
    }
    await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
}

// How the coins fell: how many, how many heads, and the longest row of heads in the order they were read.
/** @type {(replay: Api.Replay) => any} */
function fell({ steps }) {
  const coins = steps.filter(({ kind, undone }) => kind === "toss" && !undone).flatMap(({ tossed }) => tossed ?? []);
  if (!coins.length) return null;
  const up = coins.map((coin) => (coin.endsWith(":heads") ? "h" : "t")).join("");
  const row = Math.max(0, ...up.split("t").map((each) => each.length));
  return h("p", { class: "hint", "data-testid": "fell" },
    t("over.fell", { n: coins.length, heads: up.replaceAll("t", "").length, row }));
}
