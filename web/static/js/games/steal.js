// Dollar Prize, Steal: the round, what the turn still owes, and the steal of this round.

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { whoIs } from "../seat.js";
import { card, chip, coinIcon } from "./part.js";

export { label } from "./rows.js";

export function about({ game }) {
  const { round, turn, steal, phase } = game;
  return { key: [round, turn, steal, phase], make: () => [card(null,
    h("ul", { class: "chips" }, chip(t("round", { n: round }), true, "round"),
      phase === "turn" ? [chip(t("turn.placed"), turn.placed), chip(t("turn.converted"), turn.converted)] : null),
    steal ? h("p", { class: "gives", "data-testid": "steal" }, coinIcon(steal.coin),
      t("steal.gives", { from: whoIs(steal.from), to: whoIs(steal.to) })) : null)] };
}
