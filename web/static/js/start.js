// The form that begins a game: which one, who plays, on which map, and by which house rules.

import { get, post } from "./api.js";
import { $, h, refill, say } from "./dom.js";
import { changed, choiceWords, COMMON, fieldsOf, optionRow, sentence } from "./house_rules.js";
import { language, named, seatName, t } from "./i18n.js";
import { loadGames, titleOf } from "./offered.js";
import { stepper } from "./stepper.js";

const RETRY_MS = 1500;
const LONGEST_NAME = 40;

/** @type {Api.GameOffered[]} */
let games = [];
/** @type {string | null} */
let chosen = null;
let players = {}; // game -> how many play (a number), or their names, where the game asks for that
const set = {}; // game -> {field: value set}: kept when the form is built again, for other players or a language
let open = false; // the house rules
let drawn = 0; // counts the forms that were filled in by `prepare`, so that they are built anew
/** @type {string[]} */
let known = []; // names that were given at this table, who played last first

$("start-form").addEventListener("input", ({ target }) => {
  if (target.name && target.name !== "game") keep(target);
  tellRules();
});
$("start-form").addEventListener("invalid", ({ target }) => openAround(target), true); // captured: it does not bubble

export async function makeStart() {
  games = await loadGames();
  if (!games.length) return setTimeout(makeStart, RETRY_MS);
  chosen ??= games[0]?.game;
  draw();
  known = ((await get("/api/history/players"))?.players ?? []).map(({ name }) => name);
  draw();
}

/**
 * Fill the form in for `name`: the people, computers and house rules of the game that was played last, as far as this
 * game has such seats and rules.
 * @param {string} name
 * @param {Api.PlayedGame | undefined} last
 */
export async function prepare(name, last) {
  games = await loadGames();
  const game = games.find((each) => each.game === name);
  if (!game) return;
  chosen = name;
  if (last) {
    if (name === last.game && "players" in last.options) players = { ...players, [name]: last.options.players };
    const theirs = Object.keys(last.seats);
    const people = seatsOf(game).flatMap((seat, at) => {
      const before = seat in last.seats ? seat : theirs[at];
      return before === undefined ? [] : [[`seat.${seat}`, last.seats[before]], [`name.${seat}`, last.names[before]]];
    }).filter(([, value]) => value);
    const { level, best_of: bestOf, bad_coin: badCoin, odds, hints, undo, clock } = last;
    set[name] = { ...set[name], ...Object.fromEntries(people), ...fieldsOf(rulesOf(game), last.options),
      ...fieldsOf(commonOf(game), { level, best_of: bestOf, bad_coin: badCoin, odds, hints, undo, clock }) };
  }
  drawn += 1;
  draw();
}

// How many play, or who, is asked with the seats and not among the house rules.
const asksPlayers = (game) => game.options.find(({ name }) => name === "players");
const rulesOf = (game) => game.options.filter(({ name }) => name !== "players");
const playersOf = (game) => players[game.game] ?? asksPlayers(game)?.default;
const seatsOf = (game) => {
  const given = playersOf(game);
  return Array.isArray(given) ? given : game.seats.slice(0, given ?? game.seats.length);
};

function keep({ name, type, value, checked }) {
  set[chosen] = { ...set[chosen], [name]: type === "checkbox" ? checked : value };
}

// What was set in a field of the form, else how it is at first.
const now = (name, first) => set[chosen]?.[name] ?? first;

// A browser shows what is wrong with a field only where the field can be seen.
function openAround(invalid) {
  const rules = invalid.closest("details");
  if (rules) rules.open = true;
}

function draw() {
  const game = games.find((each) => each.game === chosen);
  if (game) refill($("start-form"), [chosen, playersOf(game), known, language, drawn], () => fields(game));
  tellRules();
}

// The house rules as they are set now, in one sentence above the button.
function tellRules() {
  const game = games.find((each) => each.game === chosen), form = $("start-form");
  if (!game || !form.elements.length) return;
  const options = [...rulesOf(game), ...commonOf(game)].filter(({ name }) => name !== "map" && applies(form, name));
  say($("rules-said"), sentence(options, changed(form, options)));
}

// How well computers play is nobody's rule where none plays.
const applies = (form, name) => name !== "level" || form.querySelector('.who [value="computer"]:checked');

/** @param {Api.GameOffered} game */
function fields(game) {
  const rules = rulesOf(game).filter(({ name }) => !["map", "adventure"].includes(name));
  return [
    h("fieldset", { class: "games" }, h("legend", { class: "hidden" }, t("start.title")), games.map(gameChoice)),
    h("div", { class: "terms" },
      h("fieldset", { class: "who" }, h("legend", null, t("start.seats")),
        whichAdventure(game), howMany(game), seatsOf(game).map((seat, at) => whoRow(game, seat, at)),
        h("datalist", { id: "known-names" }, known.map((name) => h("option", { value: name })))),
      whichMap(game),
      h("details", { class: "rules", open, ontoggle: (event) => { open = event.target.open; } },
        h("summary", { "data-testid": "house-rules" }, h("span", { id: "rules-said", "data-testid": "rules-said" }),
          h("b", { class: "change" }, t("rules.change"))),
        [...rules, ...commonOf(game)].map((option) => optionRow(option, now)))),
    h("div", { class: "begin" },
      h("button", { type: "submit", class: "invite", value: "lobby", "data-testid": "invite" }, t("start.lobby")),
      h("button", { class: "go", type: "submit", "data-testid": "start" }, t("start.begin")))];
}

function gameChoice(game) {
  const blurb = named("blurb", game.game);
  return h("label", { class: "game" },
    h("input", { type: "radio", name: "game", value: game.game, checked: game.game === chosen,
      "data-testid": `game-${game.game}`, onchange: () => { chosen = game.game; draw(); } }),
    h("span", { class: "game-title" }, titleOf(game.game)),
    h("span", { class: "game-blurb" }, blurb === game.game ? "" : blurb));
}

function howMany(game) {
  const option = asksPlayers(game);
  if (!option) return null;
  const onset = (value) => { players = { ...players, [game.game]: value }; draw(); };
  if (option.kind === "names") {
    const told = h("small", { "data-testid": "names-told" }, t("start.names.how"));
    return [h("label", { class: "option first" }, h("span", null, t("start.names"), told),
      h("input", { type: "text", value: playersOf(game).join(", "), "data-testid": "option-players",
        oninput: ({ target }) => {
          const fault = faultOf(namesIn(target.value));
          target.setCustomValidity(fault); // such a form is not sent
          told.textContent = fault || t("start.names.how");
          told.classList.toggle("wrong", Boolean(fault));
        },
        onchange: ({ target }) => target.validity.valid && onset(namesIn(target.value)) })),
    h("button", { type: "button", "data-testid": "add-companion", onclick: () => addCompanion(game, onset) },
      t("start.companion.add"))];
  }
  return h("div", { class: "option first" }, h("span", null, t("start.players")),
    stepper({ name: "players", label: t("start.players"), value: playersOf(game), min: 2, max: game.seats.length,
      onset }));
}

// A computer that plays along. A table with nobody's name yet gets one for the person too.
function addCompanion(game, onset) {
  const there = playersOf(game), names = there.length ? there : [t("start.me")];
  let name = t("start.companion");
  for (let n = 2; names.includes(name); n++) name = `${t("start.companion")} ${n}`;
  set[game.game] = { ...set[game.game], [`seat.${name}`]: "computer" };
  onset([...names, name]);
}

const namesIn = (text) => text.split(/[,，、]/).map((name) => name.trim()).filter(Boolean);

// What is wrong with the players' names, in a sentence; "" when nothing is.
function faultOf(names) {
  if (names.some((name) => [...name].length > LONGEST_NAME)) return t("start.names.long", { n: LONGEST_NAME });
  const twice = names.find((name, at) => names.indexOf(name) < at);
  return twice ? t("start.names.twice", { name: twice }) : "";
}

// Coin Age is played on a map: one that comes along, or a card of the players' own. Each is shown as a small drawing.
function whichMap(game) {
  const option = game.options.find(({ name }) => name === "map");
  if (!option) return null;
  const first = now("option.map", option.default);
  return h("fieldset", { class: "maps" }, h("legend", null, t("start.map")), h("div", null, option.choices.map((map) =>
    h("label", { class: "map" },
      h("input", { type: "radio", name: "option.map", value: map, checked: map === first,
        "data-testid": `map-${map}` }),
      map in (option.titles ?? {}) ? h("img", { src: `/mat/coin-age:${map}.svg`, alt: "", width: 270, height: 180 })
        : h("span", { class: "any", "aria-hidden": "true" }, "?"),
      h("span", null, choiceWords(option, map))))),
  h("small", null, h("a", { href: "/teach", "data-testid": "teach-own" }, t("start.map.teach"))));
}

// Coin Wars is played with an adventure of the book, a new one, or scenes that the players write.
function whichAdventure(game) {
  const option = game.options.find(({ name }) => name === "adventure");
  return option ? optionRow(option, now, "first") : null;
}

// Who plays in a seat. A person's name is asked for where the seat is not already called by it.
function whoRow(game, seat, at) {
  const name = `seat.${seat}`, chosenWho = now(name, at && !asksNames(game) ? "computer" : "person");
  const choice = (who) => h("label", null,
    h("input", { type: "radio", name, value: who, checked: who === chosenWho, "data-testid": `who-${seat}-${who}` }),
    h("span", null, t(`seat.${who}`)));
  const called = `name.${seat}`, label = t("seat.whoSits", { seat: seatName(seat) });
  return h("div", { class: "who-row" }, h("span", null, seatName(seat)),
    h("span", { class: "switcher" }, ["person", "computer"].map(choice)),
    asksNames(game) ? null : h("input", { type: "text", class: "who-name", name: called, list: "known-names",
      maxlength: LONGEST_NAME, autocomplete: "off", placeholder: t("start.name"), "aria-label": label,
      "data-testid": `name-${seat}`, value: now(called, "") }));
}

const asksNames = (game) => asksPlayers(game)?.kind === "names";

// Where people sit down by their names they play together: nobody wins a series, and there is no clock.
const commonOf = (game) => COMMON.filter(({ name }) => !["best_of", "clock"].includes(name) || !asksNames(game));

// What the form asks for, as POST /api/games takes it.
export function wishOf(form) {
  const game = /** @type {Api.GameOffered} */ (games.find((each) => each.game === chosen));
  const seats = Object.fromEntries(seatsOf(game).map((seat) => [seat, form.elements[`seat.${seat}`].value]));
  const names = Object.fromEntries(Object.entries(seats)
    .map(([seat, who]) => [seat, who === "person" ? form.elements[`name.${seat}`]?.value.trim() : ""])
    .filter(([, name]) => name));
  const asked = asksPlayers(game), many = playersOf(game);
  const told = asked && JSON.stringify(many) !== JSON.stringify(asked.default) ? { players: many } : {};
  return { game: game.game, options: { ...told, ...changed(form, rulesOf(game)) }, seats,
    ...changed(form, commonOf(game)),
    ...(Object.keys(names).length ? { names } : {}) };
}

export async function begin(form) {
  const wish = wishOf(form), answer = await post("/api/games", wish, null);
  if (answer?.ok) known = [...new Set([...Object.values(wish.names ?? {}), ...known])];
  return answer;
}
