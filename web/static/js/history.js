// The page of all games played at this table, newest first: search by player and game, and each person's record.

import { get } from "./api.js";
import { clockSaid } from "./clock_rule.js";
import { $, h, refill, say } from "./dom.js";
import { beginLanguage, language, named, onLanguage, playerName, seatName, t } from "./i18n.js";
import { noticeOffline } from "./notice.js";
import { everybody, onePerson } from "./people.js";

const TYPED_MS = 300; // after the last letter of a name, before the table is asked
const AGAIN_MS = 5000; // between two looks while games are still being counted, or the table does not answer

/** @type {Api.PlayedGame[]} */
let games = []; // those shown
/** @type {Api.GamesPlayed | null} */
let told = null; // the newest answer
/** @type {Api.PlayerRecord[]} */
let players = [];
/** @type {Api.GameOffered[]} */
let offered = [];
let asking = 0; // counts the searches: only the newest one's answer is shown
let typing = 0;

const wanted = () => ({ player: $("player").value.trim(), game: $("game").value });

// Ask for the games that are wanted, or for older ones of the same.
async function look({ older = false } = {}) {
  const mine = ++asking;
  const query = new URLSearchParams(Object.entries(wanted()).filter(([, value]) => value));
  history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
  if (older && told?.before) query.set("before", String(told.before));
  const answer = await get(`/api/history?${query}`);
  if (mine !== asking) return;
  if (!answer) {
    setTimeout(() => mine === asking && look({ older }), AGAIN_MS);
    return noticeOffline();
  }
  told = answer;
  games = older ? [...games, ...answer.games] : answer.games;
  if (answer.uncounted) setTimeout(() => mine === asking && look(), AGAIN_MS);
  draw();
}

function draw() {
  const { player, game } = wanted();
  const person = players.find(({ name }) => name.toLowerCase() === player.toLowerCase());
  $("later").hidden = !told?.uncounted;
  $("none").hidden = !told || games.length > 0;
  say($("none"), t(player || game ? "history.nothing" : "history.none"));
  $("more").hidden = !told?.before;
  refill($("games"), [games, told?.playing, offered, language], () => games.map(card));
  refill($("names"), players.map(({ name }) => name), () => players.map(({ name }) => h("option", { value: name })));
  $("person").hidden = !person;
  refill($("person"), [person, language], () => (person ? onePerson(person).filter(Boolean) : []));
  $("everybody").hidden = !players.length || Boolean(person);
  refill($("everybody"), [players, language], () => [h("h2", null, t("people.title")), everybody(players, choose)]);
  refill($("game"), [offered, language], () => [h("option", { value: "" }, t("history.every")),
    ...offered.map((each) => h("option", { value: each.game, selected: each.game === game }, titleOf(each.game)))]);
}

function choose(name) {
  $("player").value = name;
  look();
  scrollTo({ top: 0 });
}

function titleOf(name) {
  const title = offered.find(({ game }) => game === name)?.title;
  return title?.[language] ?? title?.en ?? name;
}

/** @param {Api.PlayedGame} game */
function card(game) {
  const { number, began, lasted_s: lasted, seats, outcome } = game;
  const minutes = lasted === null || lasted === undefined ? 0 : Math.max(1, Math.round(lasted / 60));
  const playing = number === told?.playing;
  return h("li", { class: "card", "data-testid": `game-${number}` },
    h("h2", null, h("a", { href: playing ? "/" : `/history/${number}`, "data-testid": `open-${number}` },
      titleOf(game.game)), h("time", { datetime: began }, when(began))),
    h("ul", { class: "who" }, Object.keys(seats).map((seat) =>
      h("li", { class: outcome?.winners.includes(seat) ? "winner" : "" }, whoSat(game, seat)))),
    outcome ? h("p", null, outcome.texts[language] ?? outcome.texts.en)
      : h("p", { class: "left" }, t(playing ? "history.playing" : "history.left")),
    h("p", { class: "hint" }, facts(game, minutes).join(" · ")));
}

/** @type {(game: Api.PlayedGame, seat: string) => string} */
function whoSat({ seats, names, level }, seat) {
  if (seats[seat] !== "computer") return playerName(seat, names);
  return `${seatName(seat)} · ${t("seat.computer")} (${named("choice", `level.${level}`)})`;
}

/** @type {(game: Api.PlayedGame, minutes: number) => string[]} */
function facts({ best_of: bestOf, clock, rulings, refusals, corrections, undone, whole, verified },
  minutes) {
  const counted = [["minutes", minutes], ["rulings", rulings], ["refusals", refusals],
    ["corrections", corrections], ["undone", undone]];
  return [...(bestOf > 1 ? [t("series.of", { n: bestOf })] : []), ...(clock ? [clockSaid(clock)] : []),
    ...counted.filter(([, n]) => n).map(([what, n]) => t(`history.${what}`, { n })),
    ...(whole ? [] : [t("history.part")]), ...(verified === false ? [t("history.unverified")] : [])];
}

const when = (moment) =>
  new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" })
    .format(new Date(moment));

$("more").onclick = () => look({ older: true });
$("search").onsubmit = (event) => { event.preventDefault(); look(); };
$("game").onchange = () => look();
$("player").oninput = () => { clearTimeout(typing); typing = setTimeout(look, TYPED_MS); };
onLanguage(draw);
await beginLanguage();
const asked = new URLSearchParams(location.search);
offered = (await get("/api/games"))?.games ?? [];
draw();
$("player").value = asked.get("player") ?? "";
$("game").value = asked.get("game") ?? "";
await look();
players = (await get("/api/history/players"))?.players ?? [];
draw();
