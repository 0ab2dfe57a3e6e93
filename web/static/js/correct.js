// A wrong reading is corrected with two taps: the coin, then what it is. The likeliest other readings come first.

import { post } from "./api.js";
import { drawCoin, radius } from "./coin.js";
import { $, h, s } from "./dom.js";
import { coinText, t } from "./i18n.js";

// The reader's other readings, likeliest first; its own reading last, for a coin it read right but was not sure of.
/** @param {Api.CoinSeen} coin */
function likely({ denomination, face, alternatives }) {
  const others = alternatives.filter((each) => each.denomination);
  return denomination ? [...others, { denomination, face }] : others;
}

/** @param {Api.CoinSeen} coin */
export function askWhatItIs(coin) {
  const box = $("correct");
  const choose = async (denomination, face) => {
    box.close();
    await post("/api/correct", { coin: coin.i, center_mm: coin.center_mm, denomination, face });
  };
  $("correct-read").textContent = t("correct.read", { coin: coinText(coin) });
  $("correct-choices").replaceChildren(
    ...likely(coin).map(({ denomination: kind, face }) =>
      h("button", { type: "button", "data-testid": `correct-${kind}-${face}`, onclick: () => choose(kind, face) },
        s("svg", { viewBox: "-13 -13 26 26", class: "icon", "aria-hidden": "true" },
          drawCoin(kind, face, radius(kind))),
        h("span", null, coinText({ denomination: kind, face })))),
    h("button", { type: "button", class: "plain", "data-testid": "correct-none", onclick: () => choose(null, null) },
      t("correct.none")));
  box.showModal();
}
