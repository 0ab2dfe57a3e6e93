// What everybody may read: the scene being fought, the characters' sheets, and the story so far.

import { h } from "../../dom.js";
import { t } from "../../i18n.js";
import { card, coinIcon, hint } from "../part.js";
import { saveLink } from "./create.js";
import { said, sceneMisc, sceneTitle } from "./book.js";
import { TRAITS, traitWord } from "./words.js";

export function sceneCard(game) {
  const { scene, scenes, facing, tale } = game, { components, class: level } = scenes[scene];
  const title = sceneTitle(game), text = said(tale?.card?.text) || scenes[scene].text;
  return card(t("wars.sceneOf", { n: scene + 1, of: scenes.length, title: title || t("wars.untitled") }),
    hint(t(`wars.${level}`)),
    text ? h("p", null, text) : null,
    facingTable(Object.keys(components), facing, sceneMisc(game)));
}

// What is left of each component for each character that faces it.
function facingTable(components, facing, misc) {
  const heads = components.map((each) => h("th", { scope: "col" }, traitWord(each, misc)));
  const rows = Object.entries(facing).map(([name, left]) => h("tr", null, h("th", { scope: "row" }, name),
    components.map((each) => h("td", null, left[each] ? String(left[each]) : "✓"))));
  return h("table", { class: "regions facing", "data-testid": "facing" },
    h("thead", null, h("tr", null, h("td"), heads)), h("tbody", null, rows));
}

export function sheets(characters, saved, { ready, phase, fights }) {
  const names = Object.keys(characters);
  if (!names.length) return null;
  return card(t("wars.characters"), names.map((name) => sheet(name, characters[name], saved[name], {
    ready: phase === "create" && ready.includes(name), lost: fights[name]?.lost })));
}

function sheet(name, one, saved, { ready, lost }) {
  const note = one.sitting_out ? t("wars.sitsOut") : lost ? t("wars.lost") : ready ? t("wars.isReady") : null;
  const facts = [
    t("wars.reward", { n: one.twelfths }),
    one.experience ? t("wars.experience", { n: one.experience }) : "",
    ...Object.entries(one.powers).map(([power, rank]) => powerText(power, rank, one.misc_name)),
  ];
  return h("article", { class: "sheet-of", "data-testid": `sheet-${name}` },
    h("div", { class: "title-row" },
      h("h3", null, name, note ? h("small", { class: "hint" }, ` ${note}`) : null), saveLink(name, saved)),
    h("dl", { class: "traits" }, TRAITS.map((trait) => traitCell(trait, one))),
    hint(facts.filter(Boolean).join(" · ")));
}

function traitCell(trait, { traits, misc_name: misc }) {
  const { rating, now, coin } = traits[trait];
  return h("div", null, h("dt", null, traitWord(trait, misc)),
    h("dd", null, coinIcon(coin), h("b", { class: now ? "" : "zero" }, String(now)), `/${rating}`));
}

// A power with its rank; a linked power has a rank for each trait.
function powerText(power, rank, misc) {
  const word = t(`wars.${power}`);
  if (typeof rank === "number") return `${word} ${rank}`;
  return Object.entries(rank).map(([trait, n]) => `${word} (${traitWord(trait, misc)}) ${n}`).join(", ");
}

export function story(told, { scenes, tale }) {
  const title = (at) => said(tale?.titles?.[at]) || scenes[at]?.title || at + 1;
  const written = told.filter(({ text }) => text);
  return written.length ? card(t("wars.story"), written.map(({ scene, name, text }) =>
    h("p", null, h("b", null, t("wars.toldBy", { title: title(scene), name })), text))) : null;
}
