// Choosing a game: which one, who plays, and its house rules with their defaults.

import { get, post } from "./api.js";
import { $, h } from "./dom.js";
import { language, named, t } from "./i18n.js";

const RETRY_MS = 1500;

let games = null;
let chosen = null;

export async function makeStart() {
  games ??= (await get("/api/games"))?.games ?? null;
  if (!games) return setTimeout(makeStart, RETRY_MS);
  chosen ??= games[0]?.game;
  draw();
}

const title = (game) => game.title[language] ?? game.title.en ?? game.game;

function draw() {
  const game = games.find((each) => each.game === chosen);
  if (!game) return $("start-form").replaceChildren(h("p", null, t("start.none")));
  $("start-form").replaceChildren(
    h("fieldset", { class: "games" }, h("legend", { class: "hidden" }, t("start.title")),
      games.map((each) => h("label", { class: "game" },
        h("input", { type: "radio", name: "game", value: each.game, checked: each.game === chosen,
          "data-testid": `game-${each.game}`, onchange: () => { chosen = each.game; draw(); } }),
        h("span", { class: "game-title" }, title(each)),
        h("span", { class: "game-blurb" }, named("blurb", each.game) === each.game ? "" : named("blurb", each.game))))),
    game.seats.length ? h("fieldset", { class: "who" }, h("legend", null, t("start.seats")),
      game.seats.map((seat, at) => h("div", { class: "who-row" }, h("span", null, named("seat", seat)),
        h("span", { class: "switcher" }, ["person", "computer"].map((who) =>
          h("label", null,
            h("input", { type: "radio", name: `seat.${seat}`, value: who, checked: who === (at ? "computer" : "person"),
              "data-testid": `who-${seat}-${who}` }), h("span", null, t(`seat.${who}`)))))))) : null,
    game.options.length ? h("details", { class: "rules" }, h("summary", null, t("start.options")),
      game.options.map(optionRow)) : null,
    h("button", { class: "go", type: "submit", "data-testid": "start" }, t("start.begin")));
}

function optionRow(option) {
  return h("label", { class: "option" },
    h("span", null, option.name.replaceAll("_", " "), option.description ? h("small", null, option.description) : null),
    field(option));
}

function field({ name, kind, choices, default: value }) {
  const attributes = { name: `option.${name}`, "data-kind": kind, "data-testid": `option-${name}` };
  if (kind === "switch") return h("input", { ...attributes, type: "checkbox", checked: value === true });
  if (kind === "choice") {
    return h("select", attributes, choices.map((choice) => h("option", { value: choice, selected: choice === value }, String(choice))));
  }
  if (kind === "number") return h("input", { ...attributes, type: "number", step: "any", value });
  return h("input", { ...attributes, type: "text", value: kind === "json" ? JSON.stringify(value) : value ?? "" });
}

// Only what differs from the game's defaults is sent.
function changed(form, game) {
  const options = {};
  for (const { name, kind, default: standard } of game.options) {
    const input = form.elements[`option.${name}`];
    let value = kind === "switch" ? input.checked : kind === "number" && input.value !== "" ? Number(input.value) : kind === "number" ? null : input.value;
    if (kind === "choice") value = game.options.find((each) => each.name === name).choices[input.selectedIndex];
    if (kind === "json") {
      try { value = JSON.parse(value); } catch { /* sent as text: the house says what is wrong with it */ }
    }
    if (JSON.stringify(value) !== JSON.stringify(standard ?? (kind === "text" ? "" : standard))) options[name] = value;
  }
  return options;
}

export async function begin(form) {
  const game = games.find((each) => each.game === chosen);
  const players = Number(form.elements["option.players"]?.value ?? game.seats.length);
  const seats = Object.fromEntries(game.seats.slice(0, players).map((seat) => [seat, form.elements[`seat.${seat}`].value]));
  return post("/api/games", { game: game.game, options: changed(form, game), seats });
}
