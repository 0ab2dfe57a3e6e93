// Coin Wars: who sees and does what while characters are made, scenes written, fought, chosen about and told.

import { sitAt } from "../access.js";
import { h } from "../dom.js";
import { language, t } from "../i18n.js";
import { actList, chooseAct, narrate, readyAct } from "./coin-wars/acts.js";
import { beginBook } from "./coin-wars/book.js";
import { writeCards } from "./coin-wars/cards.js";
import { newCharacter } from "./coin-wars/create.js";
import { exchangeDue, lastExchange } from "./coin-wars/exchange.js";
import { sceneCard, sheets, story } from "./coin-wars/sheet.js";
import { hint } from "./part.js";

export const personal = true;
export const together = true;
export const ownChoices = true;
export const needsActs = ({ game }) => !["create", "over"].includes(game.phase);

let joining = false; // a new character has been begun here: its form stays open, whoever else joins meanwhile

export function act(view) {
  const { game, seat, snapshot } = view;
  if (game.outcome) return null;
  if (game.phase !== "create") return during(view);
  if (seat && game.characters[seat]) {
    joining = false;
    return game.tale ? beginBook(view) : writeCards(view);
  }
  const there = Object.keys(game.characters).filter((name) => snapshot.seats?.[name] !== "computer");
  const expected = game.options.players ?? [];
  const full = expected.length > 0 && expected.every((name) => game.characters[name]);
  const begin = () => { joining = true; };
  if (!seat && there.length && (!joining || full)) {
    const joinAnew = () => { begin(); view.redraw(); };
    return { key: ["who", there, full], make: () => [whoAreYou(there, full ? null : joinAnew)] };
  }
  const { key, make } = newCharacter(view, { expected, joined: (name) => { joining = false; sitAt(name); } });
  return { key, make: () => [h("div", { onfocusin: begin, onpointerdown: begin }, make())] };
}

// The characters there are, and a new one; `joinAnew` is null when all have joined.
function whoAreYou(there, joinAnew) {
  const pick = (testid, words, onclick) =>
    h("button", { type: "button", class: "pick", "data-testid": testid, onclick }, h("b", null, words));
  return h("div", { class: "card part" }, h("h2", null, t("seat.who")), h("div", { class: "picks names" },
    there.map((name) => pick(`sit-${name}`, name, () => sitAt(name))),
    joinAnew ? pick("join-new", t("wars.new"), joinAnew) : null));
}

function during(view) {
  const { game, acts, seat } = view;
  const of = (...kinds) => acts.filter(({ action }) => kinds.includes(action.do));
  const pieces = () => [
    ...of("choose").map(({ action }) => chooseAct(action, game)),
    ...of("accept", "ready").map(({ action }) => readyAct(action)),
    of("narrate").length ? narrate(of("narrate")[0].action, game) : null,
    actList(t("wars.help"), of("assist", "answer")),
    actList(t("wars.powers"), of("power")),
    actList(t("wars.spend"), of("spend")),
  ].filter(Boolean);
  if (!acts.length) return null;
  return { key: [game.phase, seat, acts],
    make: () => [h("section", { class: "card part", "data-testid": "wars-acts" }, pieces())] };
}

export function about({ game }) {
  const { characters, scene, scenes, facing, fights, last, due, story: told, warnings, ready, tale } = game;
  const shown = [characters, scene, scenes, facing, fights, last, due, told, warnings, game.scene_points, ready, tale];
  return { key: [language, ...shown], make: () => [
    scene === null ? null : sceneCard(game),
    due ? exchangeDue(game) : null,
    last ? lastExchange(game) : null,
    ...warnings.map((said) => hint(said[language] ?? said.en)),
    sheets(characters, game.sheets, game),
    story(told, game)] };
}

export const label = () => null;
