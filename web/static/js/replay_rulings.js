// The list of what happened in a game told again: acts, tosses, refusals with their clause, corrections, takings back.

import { coinText, spoken, t } from "./i18n.js";
import { parseCoin } from "./coin.js";
import { h } from "./dom.js";

/**
 * What the parts of a game told again are made from.
 * @typedef {object} Told
 * @property {Api.Replay} game
 * @property {Api.Report | null} report
 * @property {(line: number) => void} go shows the step of a line
 * @property {(seat: string) => string} name
 * @property {((step: Api.ReplayStep) => void) | null} onPictures
 */

/** @type {(told: Told) => any} */
export function rulingCard({ game, report, go, name }) {
  const count = (kind) => game.steps.filter((step) => step.kind === kind).length;
  return h("section", { class: "card part" }, h("h2", null, t("replay.rulings")),
    h("p", { class: "hint", "data-testid": "counts" }, t("replay.counts", {
      tosses: count("toss"), refused: count("refused"), corrected: count("correct"), undone: count("undo") })),
    h("ol", { class: "bare rulings", start: 0 }, game.steps.map((step, at) => h("li", null,
      h("button", { type: "button", class: "wide ruled", "data-kind": step.kind, "data-step": at,
        "data-undone": String(step.undone ?? false), "data-testid": `ruled-${at}`, onclick: () => go(step.line) },
        h("b", null, label(step, at, report, name)), h("span", null, spoken({ texts: step.said })),
        step.clause ? h("small", null, t("ruling.clause", { clause: step.clause })) : null)))));
}

// "12 · Ann · refused · turning point"
function label(step, at, report, name) {
  const turning = report?.turning_point === step.line ? t("replay.turning") : "";
  const who = step.seat && step.seat !== "table" ? name(step.seat) : "";
  const kind = step.kind === "act" ? "" : t(`replay.kind.${step.kind}`);
  return [at, who, kind, step.undone ? t("replay.undone") : "", turning].filter((part) => part !== "").join(" · ");
}

/** The coins of a toss in words. @type {(step: Api.ReplayStep) => string} */
export const tossText = (step) =>
  (step.tossed ?? []).map((coin) => coinText(parseCoin(coin))).join(t("list.between"));
