// Steal and Exact share rows, conversions and their words; each coin of a button is drawn, so that a glance is enough.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { coinIcon, heapIcons } from "./part.js";

const arrow = () => h("span", { class: "arrow", "aria-hidden": "true" }, "→");
const words = (key, ...icons) => [h("span", null, t(key)), h("span", { class: "coins-row" }, ...icons)];

/** @type {(act: any, game: any) => string} */
const swapWords = ({ give, take }, { swaps = [] }) => t("act.swap", { give: t(`all.${give}`), take: t(`all.${take}`),
  n: swaps.find((each) => each.give === give && each.take === take)?.count ?? "" });

// The content of the button for an act, or null for the referee's own words.
export function label({ do: kind, ...act }, { game }) {
  switch (kind) {
    case "place": return words("act.place", coinIcon(act.coin));
    case "convert": return words("act.convert", ...heapIcons(act.give), arrow(), coinIcon(act.take));
    case "break": return words("act.break", ...heapIcons(act.into));
    case "keep": return words("act.keep", game.steal ? coinIcon(game.steal.coin) : "");
    case "swap": return [coinIcon(act.give), h("span", null, swapWords(act, game)), coinIcon(act.take)];
    case "skip": return t("act.skip");
    case "agree": return t("act.agree");
    case "refuse": return t("act.refuse");
    case "done": return t("act.done");
    default: return null;
  }
}
