// Choosing a game: which one, who plays, and its house rules with their defaults.

import { get, post } from "./api.js";
import { $, h, refill } from "./dom.js";
import { CENTS } from "./coin.js";
import { language, named, seatName, t } from "./i18n.js";
import { stepper } from "./stepper.js";

const RETRY_MS = 1500;
const LONGEST_NAME = 40;
const MOST_COINS = 999; // of a kind in a counted bank
// What every game may be started with besides its own house rules, with defaults.
/** @type {Api.GameOption[]} */
const COMMON = [
  { name: "bad_coin", choices: ["alone", "all"], default: "alone" },
  { name: "odds", choices: ["off", "after", "always"], default: "after" },
  { name: "hints", choices: ["never", "practice", "always"], default: "practice" },
  { name: "level", choices: ["strong", "middle", "easy"], default: "strong" },
  { name: "best_of", choices: [1, 3, 5, 7], default: 1 },
].map((option) => ({ ...option, kind: "choice", min: null, max: null, description: null }));

/** @type {Api.GameOffered[]} */
let games = [];
/** @type {string | null} */
let chosen = null;
let players = {}; // game -> how many play (a number), or their names, where the game asks for that
const set = {}; // game -> {field: value set}: kept when the form is built again, for other players or a language
let open = false; // the house rules
/** @type {string[]} */
let known = []; // names that were given at this table, who played last first

$("start-form").addEventListener("input", ({ target }) => target.name && target.name !== "game" && keep(target));
$("start-form").addEventListener("invalid", ({ target }) => openAround(target), true); // captured: it does not bubble

export async function makeStart() {
  if (!games.length) games = (await get("/api/games"))?.games ?? [];
  if (!games.length) return setTimeout(makeStart, RETRY_MS);
  chosen ??= games[0]?.game;
  draw();
  known = ((await get("/api/history/players"))?.players ?? []).map(({ name }) => name);
  draw();
}

const title = (game) => game.title[language] ?? game.title.en ?? game.game;

// How many play, or who, is asked with the seats and not among the house rules.
const asksPlayers = (game) => game.options.find(({ name }) => name === "players");
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
  if (game) refill($("start-form"), [chosen, playersOf(game), known, language], () => fields(game));
}

/** @param {Api.GameOffered} game */
function fields(game) {
  const rules = game.options.filter(({ name }) => name !== "players" && name !== "map");
  return [
    h("fieldset", { class: "games" }, h("legend", { class: "hidden" }, t("start.title")), games.map(gameChoice)),
    h("fieldset", { class: "who" }, h("legend", null, t("start.seats")),
      howMany(game), whichMap(game), seatsOf(game).map((seat, at) => whoRow(game, seat, at)),
      h("datalist", { id: "known-names" }, known.map((name) => h("option", { value: name })))),
    h("details", { class: "rules", open, ontoggle: (event) => { open = event.target.open; } },
      h("summary", null, t("start.options")), [...rules, ...commonOf(game)].map(optionRow)),
    h("button", { class: "go", type: "submit", "data-testid": "start" }, t("start.begin"))];
}

function gameChoice(game) {
  const blurb = named("blurb", game.game);
  return h("label", { class: "game" },
    h("input", { type: "radio", name: "game", value: game.game, checked: game.game === chosen,
      "data-testid": `game-${game.game}`, onchange: () => { chosen = game.game; draw(); } }),
    h("span", { class: "game-title" }, title(game)),
    h("span", { class: "game-blurb" }, blurb === game.game ? "" : blurb));
}

function howMany(game) {
  const option = asksPlayers(game);
  if (!option) return null;
  const onset = (value) => { players = { ...players, [game.game]: value }; draw(); };
  if (option.kind === "names") {
    const told = h("small", { "data-testid": "names-told" }, t("start.names.how"));
    return h("label", { class: "option first" }, h("span", null, t("start.names"), told),
      h("input", { type: "text", value: playersOf(game).join(", "), "data-testid": "option-players",
        oninput: ({ target }) => {
          const fault = faultOf(namesIn(target.value));
          target.setCustomValidity(fault); // such a form is not sent
          told.textContent = fault || t("start.names.how");
          told.classList.toggle("wrong", Boolean(fault));
        },
        onchange: ({ target }) => target.validity.valid && onset(namesIn(target.value)) }));
  }
  return h("div", { class: "option first" }, h("span", null, t("start.players")),
    stepper({ name: "players", label: t("start.players"), value: playersOf(game), min: 2, max: game.seats.length,
      onset }));
}

const namesIn = (text) => text.split(/[,，、]/).map((name) => name.trim()).filter(Boolean);

// What is wrong with the players' names, in a sentence; "" when nothing is.
function faultOf(names) {
  if (names.some((name) => [...name].length > LONGEST_NAME)) return t("start.names.long", { n: LONGEST_NAME });
  const twice = names.find((name, at) => names.indexOf(name) < at);
  return twice ? t("start.names.twice", { name: twice }) : "";
}

// Coin Age is played on a map: one that comes along, or a card of the players' own.
function whichMap(game) {
  const option = game.options.find(({ name }) => name === "map");
  if (!option) return null;
  return h("div", { class: "option first" },
    h("label", null, t("start.map"),
      h("small", null, h("a", { href: "/teach", "data-testid": "teach-own" }, t("start.map.teach")))),
    field(option));
}

// Who plays in a seat. A person's name is asked for where the seat is not already called by it.
function whoRow(game, seat, at) {
  const name = `seat.${seat}`, chosenWho = now(name, at ? "computer" : "person");
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

// Where people sit down by their names they play together: nobody wins a series.
const commonOf = (game) => COMMON.filter(({ name }) => name !== "best_of" || !asksNames(game));

// A house rule in words; the name it has in files and on the command line is its title.
function optionRow(option) {
  const { name, description } = option, words = named("option", name), how = named("how", name);
  return h(isHeap(option) ? "div" : "label", { class: `option rule-${name}`, title: name },
    h("span", null, words === name ? name.replaceAll("_", " ") : words,
      h("small", null, how === name ? description : how)),
    field(option));
}

/** @param {Api.GameOption} option */
const isHeap = ({ kind, default: value }) =>
  kind === "json" && Boolean(value) && Object.keys(value).every((key) => key in CENTS);

/** @param {Api.GameOption} option */
function field(option) {
  const { name, kind, choices, titles = {}, default: value, min, max } = option;
  const id = `option.${name}`, first = now(id, value);
  const attributes = { name: id, "data-kind": kind, "data-testid": `option-${name}` };
  if (kind === "switch") return h("input", { ...attributes, type: "checkbox", checked: first === true });
  if (kind === "choice") {
    return h("select", attributes, choices.map((choice) =>
      h("option", { value: choice, selected: String(choice) === String(first) },
        titles[choice]?.[language] ?? choiceWords(name, choice))));
  }
  if (kind === "number") {
    return h("input", { ...attributes, type: "number", min, max, required: value !== null, value: first });
  }
  if (isHeap(option)) return heapField(option, attributes);
  const written = first === value && kind === "json" ? JSON.stringify(value) : first ?? "";
  return h("input", { ...attributes, type: "text", value: written });
}

// A number for each kind of coin.
/** @type {(option: Api.GameOption, attributes: Record<string, any>) => any} */
function heapField({ name, default: heap }, attributes) {
  return h("span", { class: "heap" }, Object.keys(heap).map((kind) => {
    const id = `option.${name}.${kind}`;
    return h("label", null, h("span", null, t(kind)), h("input", { ...attributes, name: id,
      "data-testid": `option-${name}-${kind}`, type: "number", min: 0, max: MOST_COINS, required: true,
      value: now(id, heap[kind]) }));
  }));
}

function choiceWords(name, choice) {
  const words = named("choice", `${name}.${choice}`);
  return words === `${name}.${choice}` ? named("choice", choice) : words;
}

// What a field says, or undefined where the form does not ask for it.
function asked(form, game, option) {
  const { name, kind, choices, default: standard } = option;
  if (name === "players") return playersOf(game);
  if (isHeap(option)) {
    const count = (each) => Number(form.elements[`option.${name}.${each}`].value);
    return Object.fromEntries(Object.keys(standard).map((each) => [each, count(each)]));
  }
  const input = form.elements[`option.${name}`];
  if (kind === "switch") return input.checked;
  if (kind === "number") return input.value === "" ? null : Number(input.value);
  if (kind === "choice") return choices[input.selectedIndex];
  if (kind !== "json") return input.value;
  try {
    return JSON.parse(input.value);
  } catch {
    return input.value; // sent as text: the answer says what is wrong with it
  }
}

// Only what differs from the game's defaults is sent.
function changed(form, game, options) {
  const standardOf = ({ kind, default: standard }) => standard ?? (kind === "text" ? "" : standard);
  return Object.fromEntries(options.map((option) => [option, asked(form, game, option)])
    .filter(([option, value]) => JSON.stringify(value) !== JSON.stringify(standardOf(option)))
    .map(([{ name }, value]) => [name, value]));
}

export async function begin(form) {
  const game = /** @type {Api.GameOffered} */ (games.find((each) => each.game === chosen));
  const seats = Object.fromEntries(seatsOf(game).map((seat) => [seat, form.elements[`seat.${seat}`].value]));
  const names = Object.fromEntries(Object.entries(seats)
    .map(([seat, who]) => [seat, who === "person" ? form.elements[`name.${seat}`]?.value.trim() : ""])
    .filter(([, name]) => name));
  const wish = { game: game.game, options: changed(form, game, game.options), seats,
    ...changed(form, game, commonOf(game)),
    ...(Object.keys(names).length ? { names } : {}) };
  const told = await post("/api/games", wish, null);
  if (told?.ok) known = [...new Set([...Object.values(names), ...known])];
  return told;
}
