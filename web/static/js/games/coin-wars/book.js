// Adventures of the book: those to take while no scene is written, the one taken, its heroes and its words.

import { sitAt } from "../../access.js";
import { act as send } from "../../api.js";
import { h } from "../../dom.js";
import { language, t } from "../../i18n.js";
import { card, hint } from "../part.js";

const NEW = ["easy", "fair", "hard"];

// A text of the book in the page's language; "" where there is none.
export const said = (texts) => texts?.[language] ?? texts?.en ?? "";

// What the scene being played is called, and its Miscellaneous component.
export const sceneTitle = ({ tale, scenes, scene }) => said(tale?.card?.title) || scenes[scene]?.title || "";
export const sceneMisc = ({ tale, scenes, scene }) => said(tale?.card?.misc) || scenes[scene]?.misc_name || "";

// The book's own line for somebody who beat the scene, or whom it beat.
export function ownLine({ tale, fights }, name) {
  return tale?.card ? said(fights[name]?.lost ? tale.card.lost : tale.card.won) : "";
}

const facts = ({ players, difficulty }) =>
  [t(players === 1 ? "wars.forOne" : "wars.forMany", { n: players }), t(`wars.chance.${difficulty}`)].join(" · ");

const pick = (testid, title, what, onclick) =>
  h("button", { type: "button", class: "choice wide", "data-testid": testid, onclick },
    h("b", null, title), [what].flat().map((each) => h("small", null, each)));

const take = (adventure) => send({ do: "adventure", adventure });

// The adventures that may be taken now, folded away once the seat has written a card; null when none may be taken.
export function book({ book: offered, tale, scenes }, seat) {
  if (!offered.length || tale) return null;
  const wrote = scenes.some(({ author }) => author === seat);
  return h("details", { class: "card part", "data-testid": "book", open: !wrote },
    h("summary", null, h("h2", null, t("wars.book"))),
    hint(t("wars.book.how")),
    h("div", { class: "choices" },
      offered.map((each) => pick(`take-${each.name}`, said(each.title), [said(each.blurb), facts(each)],
        () => take(each.name))),
      NEW.map((each) => pick(`take-${each}`, t("wars.book.new"), t(`wars.chance.${each}`), () => take(each)))));
}

// Everybody who plays has a character: the adventure may begin.
export function beginBook({ game, seat }) {
  const { tale, scenes, characters, options } = game;
  const missing = (options.players ?? []).filter((name) => !characters[name]);
  const begin = () => send({ do: "draw", order: scenes.map((_, at) => at) });
  return { key: ["book", tale, missing, seat, language], make: () => [card(said(tale.title),
    h("p", null, said(tale.blurb)), hint(facts(tale)),
    missing.length ? hint(t("wars.book.waits", { names: missing.join(t("list.between")) }))
      : h("button", { type: "button", class: "go", "data-testid": "book-begin", onclick: begin }, t("wars.book.begin")),
    h("div", { class: "buttons" },
      h("button", { type: "button", class: "quiet", "data-testid": "book-back", onclick: () => take("none") },
        t("wars.book.back")),
      h("button", { type: "button", class: "quiet", onclick: () => sitAt("") }, t("seat.leave"))))] };
}

// The heroes nobody has taken; `onpick(hero)` makes a character of one.
export const heroes = ({ tale }, onpick) => (tale?.heroes ?? []).map((hero, at) =>
  pick(`hero-${at}`, said(hero.title), strengths(hero), () => onpick(hero)));

const strengths = ({ ratings, strong, misc }) => Object.entries(ratings).map(([trait, rating]) =>
  `${trait === "misc" && said(misc) ? said(misc) : t(`wars.${trait}`)} ${rating}${
    trait === strong ? t("wars.book.strong") : ""}`).join(" · ");
