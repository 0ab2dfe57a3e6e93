// How evenly coins fell, as two cells of a table: heads, and how often fair coins would fall at least as unevenly (p).

import { h } from "./dom.js";
import { t } from "./i18n.js";

const UNLIKELY = 0.01; // a p below this is called remarkable; about one in a hundred fair records is

/** @type {(fairness: Api.Fairness) => any[]} */
export function fairnessCells({ heads, tosses, p }) {
  if (!tosses) return [h("td", null, "–"), h("td", null, "–")];
  const percent = `${(100 * p).toFixed(p < 0.1 ? 1 : 0)} %`;
  return [h("td", null, t("flips.of", { heads, tosses })),
    h("td", null, percent, p < UNLIKELY ? h("b", null, ` ${t("flips.odd")}`) : null)];
}
