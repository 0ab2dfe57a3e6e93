// Choosing a game: which one, who plays, and its house rules with their defaults.

import { get, post } from "./api.js";
import { $, h, refill } from "./dom.js";
import { KINDS, language, named, seatName, t } from "./i18n.js";
import { stepper } from "./stepper.js";

const RETRY_MS = 1500;
const LONGEST_NAME = 40;
const MOST_COINS = 999; // of a kind in a counted bank
// What every game may be started with besides its own house rules, and how it is unless somebody says.
const COMMON = [
  { name: "bad_coin", kind: "choice", choices: ["alone", "all"], default: "alone" },
  { name: "level", kind: "choice", choices: ["strong", "easy"], default: "strong" },
];

let games = null;
let chosen = null;
let players = {}; // game -> how many play (a number), or their names, where the game asks for that
let set = {}; // game -> {field: what was set there}: the form is made anew for other players and in another language
let open = false; // the house rules

$("start-form").addEventListener("input", ({ target }) => target.name && target.name !== "game" && keep(target));
$("start-form").addEventListener("invalid", ({ target }) => openAround(target), true); // this event does not bubble

export async function makeStart() {
  games ??= (await get("/api/games"))?.games ?? null;
  if (!games) return setTimeout(makeStart, RETRY_MS);
  chosen ??= games[0]?.game;
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
function openAround(field) {
  const rules = field.closest("details");
  if (rules) rules.open = true;
}

function draw() {
  const game = games.find((each) => each.game === chosen);
  refill($("start-form"), [chosen, game && playersOf(game), language], () => (game ? form(game) : [h("p", null, t("start.none"))]));
}

function form(game) {
  const rules = game.options.filter(({ name }) => name !== "players" && name !== "map");
  return [
    h("fieldset", { class: "games" }, h("legend", { class: "hidden" }, t("start.title")),
      games.map((each) => h("label", { class: "game" },
        h("input", { type: "radio", name: "game", value: each.game, checked: each.game === chosen,
          "data-testid": `game-${each.game}`, onchange: () => { chosen = each.game; draw(); } }),
        h("span", { class: "game-title" }, title(each)),
        h("span", { class: "game-blurb" }, named("blurb", each.game) === each.game ? "" : named("blurb", each.game))))),
    h("fieldset", { class: "who" }, h("legend", null, t("start.seats")), howMany(game), whichMap(game), seatsOf(game).map((seat, at) => whoRow(seat, at))),
    h("details", { class: "rules", open, ontoggle: (event) => (open = event.target.open) }, h("summary", null, t("start.options")), [...rules, ...COMMON].map(optionRow)),
    h("button", { class: "go", type: "submit", "data-testid": "start" }, t("start.begin"))];
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
    stepper({ name: "players", label: t("start.players"), value: playersOf(game), min: 2, max: game.seats.length, onset }));
}

const namesIn = (text) => text.split(/[,，、]/).map((name) => name.trim()).filter(Boolean);

// Why players cannot be called so, in a sentence; "" when they can.
function faultOf(names) {
  const long = names.find((name) => [...name].length > LONGEST_NAME), twice = names.find((name, at) => names.indexOf(name) < at);
  return long ? t("start.names.long", { n: LONGEST_NAME }) : twice ? t("start.names.twice", { name: twice }) : "";
}

// Coin Age is played on a map: one that comes along, or a card of the players' own.
function whichMap(game) {
  const option = game.options.find(({ name }) => name === "map");
  if (!option) return null;
  return h("div", { class: "option first" },
    h("label", null, t("start.map"), h("small", null, h("a", { href: "/teach", "data-testid": "teach-own" }, t("start.map.teach")))),
    field(option));
}

function whoRow(seat, at) {
  return h("div", { class: "who-row" }, h("span", null, seatName(seat)), h("span", { class: "switcher" }, ["person", "computer"].map((who) =>
    h("label", null, h("input", { type: "radio", name: `seat.${seat}`, value: who, checked: who === now(`seat.${seat}`, at ? "computer" : "person"),
      "data-testid": `who-${seat}-${who}` }), h("span", null, t(`seat.${who}`))))));
}

// A house rule in words; the name it has in files and on the command line is its title.
function optionRow(option) {
  const { name, description } = option, words = named("option", name), how = named("how", name);
  return h(isHeap(option) ? "div" : "label", { class: `option rule-${name}`, title: name },
    h("span", null, words === name ? name.replaceAll("_", " ") : words, h("small", null, how === name ? description : how)),
    field(option));
}

const isHeap = ({ kind, default: value }) => kind === "json" && Boolean(value) && Object.keys(value).every((key) => KINDS.includes(key));

function field(option) {
  const { name, kind, choices, titles = {}, default: value, min, max } = option;
  const id = `option.${name}`, first = now(id, value);
  const attributes = { name: id, "data-kind": kind, "data-testid": `option-${name}` };
  if (kind === "switch") return h("input", { ...attributes, type: "checkbox", checked: first === true });
  if (kind === "choice") {
    return h("select", attributes, choices.map((choice) => h("option", { value: choice, selected: String(choice) === String(first) },
      titles[choice]?.[language] ?? choiceWords(name, choice))));
  }
  if (kind === "number") return h("input", { ...attributes, type: "number", min, max, required: value !== null, value: first });
  if (isHeap(option)) {
    return h("span", { class: "heap" }, Object.keys(value).map((each) => h("label", null, h("span", null, t(each)),
      h("input", { ...attributes, name: `${id}.${each}`, "data-testid": `option-${name}-${each}`, type: "number", min: 0, max: MOST_COINS, required: true,
        value: now(`${id}.${each}`, value[each]) }))));
  }
  return h("input", { ...attributes, type: "text", value: first === value && kind === "json" ? JSON.stringify(value) : first ?? "" });
}

function choiceWords(name, choice) {
  const words = named("choice", `${name}.${choice}`);
  return words === `${name}.${choice}` ? named("choice", choice) : words;
}

// What a field says, or undefined where the form does not ask for it.
function asked(form, game, option) {
  const { name, kind, choices, default: standard } = option;
  if (name === "players") return playersOf(game);
  if (isHeap(option)) return Object.fromEntries(Object.keys(standard).map((each) => [each, Number(form.elements[`option.${name}.${each}`].value)]));
  const input = form.elements[`option.${name}`];
  if (kind === "switch") return input.checked;
  if (kind === "number") return input.value === "" ? null : Number(input.value);
  if (kind === "choice") return choices[input.selectedIndex];
  if (kind !== "json") return input.value;
  try {
    return JSON.parse(input.value);
  } catch {
    return input.value; // sent as text: the house says what is wrong with it
  }
}

// Only what differs from the game's defaults is sent.
function changed(form, game, options) {
  return Object.fromEntries(options.map((option) => [option, asked(form, game, option)])
    .filter(([{ kind, default: standard }, value]) => JSON.stringify(value) !== JSON.stringify(standard ?? (kind === "text" ? "" : standard)))
    .map(([{ name }, value]) => [name, value]));
}

export async function begin(form) {
  const game = games.find((each) => each.game === chosen);
  const seats = Object.fromEntries(seatsOf(game).map((seat) => [seat, form.elements[`seat.${seat}`].value]));
  return post("/api/games", { game: game.game, options: changed(form, game, game.options), seats, ...changed(form, game, COMMON) }, null);
}
