// What a streaming program lays over its picture: a transparent page without controls and secrets.
// ?show=score,turn,clock,toss,ruling,chances  &scale=1.5  &lang=zh  &side=right

import { clockBoxes, hearClock, tick } from "./clock.js";
import { drawCoin, parseCoin, RADIUS_MM } from "./coin.js";
import { $, h, refill, s } from "./dom.js";
import { GAMES } from "./games/index.js";
import { coinText, firstLanguage, knownLanguage, language, loadLanguage, seatName, spoken, t } from "./i18n.js";
import { Live } from "./live.js";
import { shares } from "./odds.js";
import { headline, seriesWords, standings } from "./play.js";
import { knowSeats } from "./seat.js";

const MOST_SCALE = 8;
const ROOM_MM = RADIUS_MM.quarter + 1; // from the middle of a coin to the edge of its drawing
const MANY = 3; // seats from which their scores are set smaller

/** @typedef {{ key: unknown, make: () => any }} Card `make()` is called again only when `key` has changed */

/** @type {(name: string, key: unknown, attributes: Record<string, any>, make: () => any[]) => Card} */
const card = (name, key, attributes, make) => ({ key: [name, key, attributes],
  make: () => h("section", { class: name, "data-testid": name, ...attributes }, make()) });

/**
 * The cards by the names that `show` takes, in the order of the page. Null: there is nothing to show.
 * @type {Record<string, (snapshot: Api.Snapshot) => Card | null>}
 */
const CARDS = {
  turn: ({ game, prompt, names }) => {
    const seat = prompt.seat && prompt.seat !== "table" ? prompt.seat : null;
    const text = headline(prompt.kind, seat && nameOf(seat, names));
    return game && card("turn", text, { "data-seat": seat }, () => [text]);
  },
  score: ({ game, names, series }) => {
    if (!game) return null;
    const rows = standings(game), { to_act: acting, outcome } = game;
    const state = ({ seat, out }) =>
      `${acting.includes(seat) ? "acting" : ""} ${outcome?.winners.includes(seat) ? "winner" : ""} ${out ? "out" : ""}`;
    const row = (one) => h("div", { class: state(one), "data-testid": `score-${one.seat}` },
      h("span", { "data-seat": one.seat }, nameOf(one.seat, names)), h("b", null, one.text));
    const many = rows.length >= MANY ? "yes" : "no";
    return card("score", [rows, names, series, acting, outcome], { "data-many": many }, () =>
      [...rows.map(row), series ? h("p", null, seriesWords(series, rows)) : ""]);
  },
  clock: ({ clock, names }) => clock && card("clock", [Object.keys(clock.left_s), names], {}, () =>
    clockBoxes(clock, (seat) => nameOf(seat, names))),
  toss: () => (tossed.length ? card("toss", tossed, {}, () => tossed.map(coin)) : null),
  ruling: ({ ruling }) => ruling && card("ruling", ruling, { "data-accepted": String(ruling.accepted) }, () =>
    [ruling.accepted ? "" : h("b", null, t("ruling.refused"), " "), spoken(ruling)]),
  chances: ({ game, odds, names }) => {
    if (!game || !odds) return null; // the house rule hides them
    const parts = shares(odds.chance, Boolean(GAMES[game.game]?.together));
    const row = ({ seat, name, p }) => h("div", { "data-seat": seat }, h("span", null, names[seat] ?? name),
      h("b", null, `${Math.round(100 * p)} %`), h("progress", { max: 1, value: p }));
    return card("chances", [parts, names], {}, () => [h("h2", null, t("odds")), ...parts.map(row)]);
  },
};

/** @type {Api.Coin[]} */
let tossed = []; // the coins of the last toss that this page heard of

const asked = new URLSearchParams(location.search);
const wanted = asked.get("show")?.split(",").filter((name) => Object.hasOwn(CARDS, name)) ?? [];
const cards = wanted.length ? wanted : Object.keys(CARDS);

/** @type {(seat: string, names: Record<string, string>) => string} */
const nameOf = (seat, names) => names[seat] ?? seatName(seat);

/** @param {Api.Coin} name */
function coin(name) {
  const { denomination, face } = parseCoin(name);
  return s("svg", { class: "coin", viewBox: `${-ROOM_MM} ${-ROOM_MM} ${2 * ROOM_MM} ${2 * ROOM_MM}`,
    "data-testid": "tossed", role: "img", "aria-label": coinText({ denomination, face }) },
  drawCoin(denomination, face));
}

/** @param {Api.Snapshot} snapshot */
function show(snapshot) {
  knowSeats(snapshot);
  hearClock(snapshot);
  const { game, ruling } = snapshot, action = ruling?.accepted ? ruling.action : null;
  if (!game || (ruling?.accepted && !action)) tossed = []; // a game began, or something was taken back
  if (action?.do === "flip") tossed = action.coins ?? [...(action.character ?? []), ...(action.scene ?? [])];
  const made = cards.flatMap((name) => CARDS[name](snapshot) ?? []);
  refill($("overlay"), [language, made.map(({ key }) => key)], () => made.map(({ make }) => make()));
  tick();
  document.body.dataset.seq = String(snapshot.seq); // which snapshot the page shows, for tests
}

const scale = Number(asked.get("scale") ?? 1);
document.documentElement.style.fontSize = `${16 * (scale > 0 ? Math.min(scale, MOST_SCALE) : 1)}px`;
$("overlay").dataset.side = asked.get("side") === "right" ? "right" : "left";
await loadLanguage(knownLanguage(asked.get("lang")) ?? firstLanguage());
const live = new Live(show, () => {});
setInterval(() => { $("overlay").dataset.condition = live.condition(); }, 500);
