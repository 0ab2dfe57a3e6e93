// Choosing a game: which one, who plays, and its house rules with their defaults.

import { get, post } from "./api.js";
import { $, h } from "./dom.js";
import { language, named, seatName, t } from "./i18n.js";
import { stepper } from "./stepper.js";

const RETRY_MS = 1500;

let games = null;
let chosen = null;
let players = {}; // game -> how many play (a number), or their names, where the game asks for that

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

function draw() {
  const game = games.find((each) => each.game === chosen);
  if (!game) return $("start-form").replaceChildren(h("p", null, t("start.none")));
  const rules = game.options.filter(({ name }) => name !== "players" && name !== "map");
  $("start-form").replaceChildren(
    h("fieldset", { class: "games" }, h("legend", { class: "hidden" }, t("start.title")),
      games.map((each) => h("label", { class: "game" },
        h("input", { type: "radio", name: "game", value: each.game, checked: each.game === chosen,
          "data-testid": `game-${each.game}`, onchange: () => { chosen = each.game; draw(); } }),
        h("span", { class: "game-title" }, title(each)),
        h("span", { class: "game-blurb" }, named("blurb", each.game) === each.game ? "" : named("blurb", each.game))))),
    h("fieldset", { class: "who" }, h("legend", null, t("start.seats")), howMany(game), whichMap(game), seatsOf(game).map((seat, at) => whoRow(seat, at))),
    rules.length ? h("details", { class: "rules" }, h("summary", null, t("start.options")), rules.map(optionRow)) : null,
    h("button", { class: "go", type: "submit", "data-testid": "start" }, t("start.begin")));
}

function howMany(game) {
  const option = asksPlayers(game);
  if (!option) return null;
  const set = (value) => { players = { ...players, [game.game]: value }; draw(); };
  if (option.kind === "names") {
    return h("label", { class: "option first" }, h("span", null, t("start.names"), h("small", null, t("start.names.how"))),
      h("input", { type: "text", value: playersOf(game).join(", "), "data-testid": "option-players",
        onchange: (event) => set(event.target.value.split(/[,，、]/).map((name) => name.trim()).filter(Boolean)) }));
  }
  return h("div", { class: "option first" }, h("span", null, t("start.players")),
    stepper({ name: "players", label: t("start.players"), value: playersOf(game), min: 2, max: game.seats.length, onset: set }));
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
    h("label", null, h("input", { type: "radio", name: `seat.${seat}`, value: who, checked: who === (at ? "computer" : "person"),
      "data-testid": `who-${seat}-${who}` }), h("span", null, t(`seat.${who}`))))));
}

function optionRow(option) {
  return h("label", { class: "option" },
    h("span", null, option.name.replaceAll("_", " "), option.description ? h("small", null, option.description) : null),
    field(option));
}

function field({ name, kind, choices, titles = {}, default: value }) {
  const attributes = { name: `option.${name}`, "data-kind": kind, "data-testid": `option-${name}` };
  if (kind === "switch") return h("input", { ...attributes, type: "checkbox", checked: value === true });
  if (kind === "choice") {
    return h("select", attributes, choices.map((choice) => h("option", { value: choice, selected: choice === value },
      titles[choice]?.[language] ?? named("choice", choice))));
  }
  if (kind === "number") return h("input", { ...attributes, type: "number", step: "any", value });
  return h("input", { ...attributes, type: "text", value: kind === "json" ? JSON.stringify(value) : value ?? "" });
}

// What a field says, or undefined where the form does not ask for it.
function asked(form, game, { name, kind, choices }) {
  if (name === "players") return playersOf(game);
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
function changed(form, game) {
  return Object.fromEntries(game.options.map((option) => [option, asked(form, game, option)])
    .filter(([{ kind, default: standard }, value]) => JSON.stringify(value) !== JSON.stringify(standard ?? (kind === "text" ? "" : standard)))
    .map(([{ name }, value]) => [name, value]));
}

export async function begin(form) {
  const game = games.find((each) => each.game === chosen);
  const seats = Object.fromEntries(seatsOf(game).map((seat) => [seat, form.elements[`seat.${seat}`].value]));
  return post("/api/games", { game: game.game, options: changed(form, game), seats }, null);
}
