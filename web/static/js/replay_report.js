// Why the game was won, for each player: luck, and the dearest decisions with what was better. And every toss.

import { h } from "./dom.js";
import { coinIcons, hint } from "./games/part.js";
import { seatName, spoken, t } from "./i18n.js";
import { tossText } from "./replay_rulings.js";

/** Chance in points of a hundred, with its sign. @param {number} chance */
const signed = (chance) => `${chance < 0 ? "−" : "+"}${Math.abs(100 * chance).toFixed(1)}`;

/** @type {(told: import("./replay_rulings.js").Told) => any[]} */
export function playerCards({ game, report, go, name }) {
  if (!report) return [];
  const turning = game.steps.find((step) => step.line === report.turning_point);
  const about = report.exact ? t("replay.exact") : t("replay.sampled", { error: (100 * report.error).toFixed(1) });
  return [h("section", { class: "card part" }, h("h2", null, t("replay.why")),
    turning ? h("button", { type: "button", class: "wide turning", "data-testid": "turning",
      onclick: () => go(turning.line) }, h("b", null, t("replay.turningAt", { n: game.steps.indexOf(turning) })),
      h("span", null, spoken({ texts: turning.said }))) : null,
    hint(about)),
  ...Object.entries(report.players).map(([seat, share], k) => playerCard({ game, report, go, name }, seat, share, k))];
}

/** @type {(told: any, seat: string, share: Api.Player, k: number) => any} */
function playerCard({ game, report, go, name }, seat, share, k) {
  const worst = share.worst.map((line) => dearest({ game, report, go }, line)).filter(Boolean);
  return h("section", { class: "card part player", "data-seat": seat, "data-k": k,
    "data-testid": `player-${seat}` },
    h("h2", null, name(seat), name(seat) === seatName(seat) ? "" : h("small", null, ` ${seatName(seat)}`)),
    h("dl", { class: "figures" },
      h("dt", null, t("replay.luck")), h("dd", null, t("replay.points", { n: signed(share.luck) })),
      h("dt", null, t("replay.lost")), h("dd", null, t("replay.points", { n: signed(-share.lost) })),
      h("dt", null, t("replay.decisions")), h("dd", null, String(share.decisions))),
    worst.length ? [h("h3", null, t("replay.dearest")), h("ul", { class: "bare" }, worst)] : null);
}

// A decision that cost chance, and what would have been better. What a sealed choice cost is measured by what its seat
// plays on average, as in the sum above; by how much another would have been better is then told beside it.
function dearest({ game, report, go }, line) {
  const step = game.steps.find((each) => each.line === line), event = report.events.find((each) => each.n === line);
  const missed = event?.missed ?? event?.cost;
  if (!step || !missed) return null;
  const better = report.better[line], cost = event.cost ?? missed, by = (100 * missed).toFixed(1);
  const said = (100 * cost).toFixed(1) === by ? "replay.better" : "replay.better.by";
  return h("li", null, h("button", { type: "button", class: "wide", onclick: () => go(line) },
    h("span", null, h("b", null, t("replay.points", { n: signed(-cost) })), " ", spoken({ texts: step.said })),
    better ? h("small", null, t(said, { act: spoken({ texts: better }), n: by })) : null));
}

/** @type {(told: import("./replay_rulings.js").Told) => any} */
export function tossCard({ game, report, go, name }) {
  const tosses = game.steps.filter((step) => step.kind === "toss");
  const rows = tosses.map((step) => {
    const luck = report?.events.find((event) => event.n === step.line)?.luck;
    const lucky = Object.entries(luck ?? {}).sort((one, other) => other[1] - one[1])[0];
    return h("li", null, h("button", { type: "button", class: "wide", "data-undone": String(step.undone ?? false),
      onclick: () => go(step.line) },
      h("span", { class: "coins-row", role: "img", "aria-label": tossText(step) }, coinIcons(step.tossed ?? [])),
      h("small", null, [t("replay.ruling", { n: game.steps.indexOf(step) }),
        step.seat && step.seat !== "table" ? name(step.seat) : "",
        lucky && lucky[1] > 0 ? t("replay.luckFor", { seat: name(lucky[0]), n: signed(lucky[1]) }) : "",
        step.undone ? t("replay.undone") : ""].filter(Boolean).join(" · "))));
  });
  return h("details", { class: "card part", "data-testid": "tosses" },
    h("summary", null, h("h2", null, t("replay.tosses", { n: tosses.length }))),
    rows.length ? h("ul", { class: "bare rulings" }, rows) : hint(t("flips.none")));
}
