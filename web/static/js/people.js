// What the games tell of each person: games won, how their coins fell, and luck and skill where games are analysed.

import { h } from "./dom.js";
import { fairnessCells } from "./fairness.js";
import { coinIcon } from "./games/part.js";
import { t } from "./i18n.js";

/**
 * Everybody in a table. `choose(name)` is called when a name is tapped.
 * @param {Api.PlayerRecord[]} players
 * @param {(name: string) => unknown} choose
 */
export function everybody(players, choose) {
  const analysed = players.some((player) => player.analysed);
  const heads = ["people.won", "people.heads", "people.fair", ...(analysed ? ["people.luck", "people.lost"] : [])];
  return h("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": t("people.title") },
    h("table", { class: "people everybody", "data-testid": "people" },
    h("thead", null, h("tr", null, h("td"), heads.map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", null, players.map((player) => h("tr", null,
      h("th", { scope: "row" }, h("button", { type: "button", "data-testid": `person-${player.name}`,
        onclick: () => choose(player.name) }, player.name)),
      h("td", null, t("people.of", { n: player.wins, all: player.games })), fairnessCells(player.tossed),
      analysed ? [h("td", null, signed(player.luck)), h("td", null, points(player.lost))] : null)))));
}

/**
 * One person: the same in words, and each kind of coin apart.
 * @param {Api.PlayerRecord} player
 */
export function onePerson({ name, games, wins, tossed, coins, analysed, luck, lost }) {
  const kinds = /** @type {[Api.Denomination, Api.Fairness][]} */ (Object.entries(coins));
  return [h("h2", null, name), h("p", null, t("people.record", { n: wins, all: games })),
    analysed ? h("p", null, t("people.analysed", { n: analysed, luck: signed(luck), lost: points(lost) })) : null,
    tossed.tosses ? h("table", { class: "people", "data-testid": "person-coins" },
      h("thead", null, h("tr", null, h("td"), h("th", { scope: "col" }, t("people.heads")),
        h("th", { scope: "col" }, t("people.fair")))),
      h("tbody", null, h("tr", null, h("th", { scope: "row" }, t("flips.all")), fairnessCells(tossed)),
        kinds.map(([kind, fairness]) => h("tr", null,
          h("th", { scope: "row" }, coinIcon(kind), " ", t(kind)), fairnessCells(fairness)))))
      : h("p", { class: "hint" }, t("people.nobodys"))];
}

// Chance to win, summed over games, in points of a hundred a game; "–" where nothing is analysed.
const points = (chance) => (chance === null ? "–" : (100 * chance).toFixed(0).replace("-", "−"));
const signed = (chance) => `${chance > 0 ? "+" : ""}${points(chance)}`;
