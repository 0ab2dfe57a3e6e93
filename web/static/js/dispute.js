// A dispute: the page asks for it, shows what the ruling rests on, and offers what may be corrected.

import { once, post } from "./api.js";
import { h } from "./dom.js";
import { coinText, t } from "./i18n.js";

/** @type {(ruling: Api.Ruling) => Promise<any>} */
export const disputed = (ruling) => once("/api/dispute", { ruling: ruling.seq });

const TRAYS = { character: "hero", scene: "scene" }; // the fields of a toss with two trays, and their zones

/**
 * A toss with each of its coins to be turned by a tap; null for a ruling that was no toss.
 * @param {Api.Ruling} ruling
 * @param {() => void} close
 */
export function tossEditor({ accepted, action, seq }, close) {
  if (!accepted || action?.do !== "flip") return null;
  /** @type {Record<string, string[]>} */
  const shown = action.coins ? { "": [...action.coins] }
    : Object.fromEntries(Object.entries(TRAYS).map(([field, zone]) => [zone, [...(action[field] ?? [])]]));
  const send = async () => {
    const coins = action.coins ? shown[""] : shown;
    if ((await post("/api/correct", { ruling: seq, coins }))?.ok) close();
  };
  return h("section", { class: "toss-editor", "data-testid": "toss-editor" },
    h("h3", null, t("dispute.toss")), h("p", { class: "hint" }, t("dispute.toss.how")),
    Object.values(shown).map((coins) => h("div", { class: "row" }, coins.map((_, k) => coinButton(coins, k)))),
    h("button", { type: "button", class: "go", "data-testid": "toss-correct", onclick: send },
      t("dispute.toss.correct")));
}

function coinButton(coins, k) {
  const words = () => { const [denomination, face] = coins[k].split(":"); return coinText({ denomination, face }); };
  const made = h("button", { type: "button", class: "pick", "data-testid": `toss-coin-${k}`, onclick: () => {
    const [kind, face] = coins[k].split(":");
    coins[k] = `${kind}:${face === "heads" ? "tails" : "heads"}`;
    made.textContent = words();
  } }, words());
  return made;
}
