// Buttons for what a fighter may do around an exchange. The referee tells which acts are legal and what each is.

import { act as send } from "../../api.js";
import { h } from "../../dom.js";
import { spoken, t } from "../../i18n.js";
import { ownLine } from "./book.js";
import { traitWord } from "./words.js";

const MANY = 4; // more acts than this are folded away

export function actList(title, acts) {
  if (!acts.length) return null;
  const buttons = h("div", { class: "choices" }, acts.map((each, at) =>
    h("button", { type: "button", class: "choice", "data-testid": `act-${each.action.do}-${at}`,
      onclick: () => send(each.action, each.seat) }, spoken(each))));
  if (acts.length <= MANY) return h("div", null, h("h2", null, title), buttons);
  return h("details", null, h("summary", null, title), buttons);
}

// A trait was brought to zero: each way out with what it costs.
export function chooseAct(action, { choice_due: due, characters }) {
  if (!due) return null; // these acts belong to the state before: new ones are on their way
  const trait = traitWord(due.trait, characters[due.name]?.misc_name);
  return h("button", { type: "button", class: "choice wide", "data-testid": `choose-${action.option}`,
    onclick: () => send(action, action.name) },
    h("b", null, t(`wars.choose.${action.option}`)),
    h("small", null, t(`wars.choose.${action.option}.what`, { trait })));
}

export const readyAct = (action) =>
  h("button", { type: "button", class: action.do === "accept" ? "go" : "choice", "data-testid": `wars-${action.do}`,
    onclick: () => send(action, action.name) },
    t(`wars.${action.do}.${action.do === "ready" ? "throw" : "stand"}`, { name: action.name }));

export function narrate({ name }, game) {
  const line = ownLine(game, name); // of the book; told where the player writes nothing
  const words = t("wars.tell", { name });
  const text = h("textarea", { rows: 3, maxlength: 2000, "data-testid": "narrate-text", "aria-label": words,
    placeholder: line, "data-kept": `${name} ${game.scene}` });
  return h("div", { class: "field" }, h("span", null, words), text,
    h("button", { type: "button", class: "go", "data-testid": "narrate",
      onclick: () => send({ do: "narrate", name, text: text.value || line }, name) }, t("wars.told")));
}
