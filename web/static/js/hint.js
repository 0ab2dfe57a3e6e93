// A hint for a person who asks: the sentence under the choices, and the move on the table.

import { once } from "./api.js";
import { $, h, refill } from "./dom.js";
import { language, spoken, t } from "./i18n.js";
import { seatTaken, watching } from "./seat.js";

/** @type {{ game: string, hint: Api.Hint } | null} */
let given = null; // for this state of the game only
/** @type {string | null} */
let asking = null; // the state that a hint is worked out for

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The hint that was given in this state of the game; null without one.
 * @type {(game: any) => Api.Hint | null}
 */
const hintFor = (game) => (given && given.game === JSON.stringify(game) ? given.hint : null);

/**
 * @param {Api.Snapshot} snapshot
 * @param {import("./table.js").Table} table
 * @param {() => void} redraw
 */
export function showHint({ game, hint: allowed, prompt }, table, redraw) {
  const hint = hintFor(game), box = $("hint");
  table.advise(hint?.moves ?? []);
  if (!box) return; // the screen at the table gives none
  const mine = seatTaken(), due = game?.to_act ?? [];
  const may = allowed && !watching() && (mine ? due.includes(mine) : due.length === 1)
    && ["turn", "unfinished"].includes(prompt.kind) && game?.phase !== "create"; // no scene to be advised about yet
  const thinks = asking !== null && asking === JSON.stringify(game);
  box.hidden = !may && !hint;
  refill(box, [hint, may, thinks, language], () => [
    hint ? h("p", { "data-testid": "hint-text" }, h("b", null, t("hint.by")), spoken(hint))
      : h("button", { type: "button", class: "quiet", "data-testid": "ask-hint", disabled: thinks,
        onclick: () => ask(game, redraw) }, t(thinks ? "hint.thinking" : "hint.ask"))]);
  for (const choice of $("choices").children) {
    const { action } = prompt.choices[Number(choice.dataset.testid.replace("choice-", ""))] ?? {};
    choice.classList.toggle("advised", Boolean(hint && action) && same(action, hint?.action));
  }
}

async function ask(game, redraw) {
  asking = JSON.stringify(game);
  redraw();
  const hint = await once("/api/hint");
  if (hint) given = { game: asking, hint };
  asking = null;
  redraw();
}
