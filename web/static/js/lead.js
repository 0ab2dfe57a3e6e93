// How far ahead somebody is expected to end, in a sentence. Chances tell who wins; this tells by how much.

import { money, t } from "./i18n.js";

const COUNTED_IN_CENTS = ["steal", "exact"]; // games whose lead is counted in cents; the others count points
const SMALLEST_LEAD = 0.5; // a smaller lead is none: half a point, or half a cent

/**
 * "" where the game does not tell.
 * @type {(game: string, lead: Record<string, number> | null | undefined, name: (seat: string) => string) => string}
 */
export function leadText(game, lead, name) {
  const first = Object.entries(lead ?? {}).sort((one, other) => other[1] - one[1])[0];
  if (!first) return "";
  if (first[1] < SMALLEST_LEAD) return t("lead.level");
  const n = Math.round(first[1]);
  return COUNTED_IN_CENTS.includes(game) ? t("lead.by", { seat: name(first[0]), lead: money(n) })
    : t("lead.by", { seat: name(first[0]), lead: t("lead.points", { n }) });
}
