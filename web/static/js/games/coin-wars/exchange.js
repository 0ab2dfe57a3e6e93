// One exchange: who flips which coins in which tray, and afterwards what fell and what it did.

import { h } from "../../dom.js";
import { t } from "../../i18n.js";
import { card, coinIcons, heapIcons } from "../part.js";
import { traitWord } from "./words.js";

export function exchangeDue({ due, characters, scenes, scene }) {
  const names = Object.keys(characters), left = names[(names.indexOf(due.name) + 1) % names.length];
  return card(t("wars.due", { component: traitWord(due.component, scenes[scene].misc_name) }), h("div", { class: "trays", "data-testid": "due" },
    tray(t("wars.hero", { name: due.name }), heapIcons(due.character)), tray(t("wars.scene", { name: left }), heapIcons(due.scene))));
}

export function lastExchange({ last, characters, scenes, scene }) {
  const { name, component, difference, damage, character_result: own, scene_result: theirs } = last;
  const trait = traitWord(last.trait, characters[name]?.misc_name), against = traitWord(component, scenes[scene]?.misc_name);
  const effects = [difference > 0 && t("wars.effect.scene", { component: against, n: difference }),
    damage > 0 && t("wars.effect.hero", { name, trait, n: damage })].filter(Boolean);
  return card(t("wars.last", { component: against }), h("div", { class: "trays", "data-testid": "last" },
    tray(name, coinIcons(last.character), own), tray(t("wars.theScene"), coinIcons(last.scene), theirs)),
    h("p", { "data-testid": "effect" }, effects.join(" ") || t(difference ? "wars.effect.shielded" : "wars.effect.none")));
}

const tray = (title, icons, result) => h("div", { class: "tray" }, h("h3", null, title),
  h("p", { class: "coins-row" }, icons.length ? icons : t("nothing")), result === undefined ? null : h("b", { class: "total" }, String(result)));
