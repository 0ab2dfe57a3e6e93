// Dollar Prize, Exact: the round, what the turn still owes, what each row lacks to the goal, the swap of this round.

import { h } from "../dom.js";
import { money, t } from "../i18n.js";
import { whoIs } from "../seat.js";
import { card, chip, coinIcon, hint } from "./part.js";

export { label } from "./rows.js";

export function about({ game }) {
  const { round, turn, phase, totals, options, swapped, proposal } = game;
  const change = proposal ?? swapped;
  const short = Object.entries(totals).filter(([, cents]) => cents < options.goal);
  return { key: [round, turn, phase, totals, change], make: () => [card(null,
    h("ul", { class: "chips" }, chip(t("round", { n: round }), true, "round"),
      phase === "turn" ? [chip(t("turn.placed"), turn.placed), chip(t("turn.converted"), turn.converted)] : null),
    short.length ? hint(short.map(([seat, cents]) =>
      t("exact.lacks", { seat: whoIs(seat), cents: money(options.goal - cents) })).join(" · ")) : null,
    change ? h("p", { class: "gives", "data-testid": "swap" },
      coinIcon(change.give), h("span", { "aria-hidden": "true" }, "⇄"), coinIcon(change.take),
      t(proposal ? "exact.asks" : "exact.swapped", { seat: whoIs(change.by) })) : null)] };
}
