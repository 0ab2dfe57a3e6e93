// One exchange: who tosses which coins in which tray, and afterwards what fell and what it did.

import { h } from "../../dom.js";
import { t } from "../../i18n.js";
import { card, coinIcons, heapIcons } from "../part.js";
import { sceneMisc } from "./book.js";
import { traitWord } from "./words.js";

export function exchangeDue(game) {
  const { due, characters } = game;
  const names = Object.keys(characters), left = names[(names.indexOf(due.name) + 1) % names.length];
  return card(t("wars.due", { component: traitWord(due.component, sceneMisc(game)) }),
    h("div", { class: "trays", "data-testid": "due" },
      tray(t("wars.hero", { name: due.name }), heapIcons(due.character)),
      tray(t("wars.scene", { name: left }), heapIcons(due.scene))));
}

export function lastExchange(game) {
  const { last, characters } = game;
  const { name, difference, damage } = last;
  const trait = traitWord(last.trait, characters[name]?.misc_name);
  const component = traitWord(last.component, sceneMisc(game));
  const effects = [
    difference > 0 && t("wars.effect.scene", { component, n: difference }),
    damage > 0 && t("wars.effect.hero", { name, trait, n: damage }),
  ].filter(Boolean);
  return card(t("wars.last", { component }),
    h("div", { class: "trays", "data-testid": "last" },
      tray(name, coinIcons(last.character), last.character_result),
      tray(t("wars.theScene"), coinIcons(last.scene), last.scene_result)),
    h("p", { "data-testid": "effect" },
      effects.join(" ") || t(difference ? "wars.effect.shielded" : "wars.effect.none")));
}

function tray(title, icons, result) {
  return h("div", { class: "tray" }, h("h3", null, title),
    h("p", { class: "coins-row" }, icons.length ? icons : t("nothing")),
    result === undefined ? null : h("b", { class: "total" }, String(result)));
}
