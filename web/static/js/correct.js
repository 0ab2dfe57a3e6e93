// A wrong reading put right in two taps: the coin, then what it is. The likeliest other readings come first.

import { post } from "./api.js";
import { drawCoin, radius } from "./coin.js";
import { $, h, s } from "./dom.js";
import { coinText, KINDS, t } from "./i18n.js";

const LOOKS_LIKE = { penny: ["dime", "nickel", "quarter"], dime: ["penny", "nickel", "quarter"],
  nickel: ["quarter", "dime", "penny"], quarter: ["nickel", "dime", "penny"] };

// As the reader weighed them; where it did not say, the other face first, then coins near in size, same face first.
function likely({ denomination, face, alternatives }) {
  if (alternatives) {
    const others = alternatives.filter((each) => each.denomination).map((each) => [each.denomination, each.face]);
    return denomination ? [...others, [denomination, face]] : others;
  }
  const kinds = denomination ? [denomination, ...LOOKS_LIKE[denomination]] : KINDS;
  const faces = face === "tails" ? ["tails", "heads"] : ["heads", "tails"];
  const all = kinds.flatMap((kind) => faces.map((each) => [kind, each]));
  return [...all.filter(([kind, each]) => kind !== denomination || each !== face),
    ...all.filter(([kind, each]) => kind === denomination && each === face)];
}

export function askWhatItIs(coin) {
  const box = $("correct");
  const choose = async (denomination, face) => {
    box.close();
    await post("/api/correct", { coin: coin.i, denomination, face });
  };
  $("correct-read").textContent = t("correct.read", { coin: coinText(coin) });
  $("correct-choices").replaceChildren(
    ...likely(coin).map(([kind, face]) =>
      h("button", { type: "button", "data-testid": `correct-${kind}-${face}`, onclick: () => choose(kind, face) },
        s("svg", { viewBox: "-13 -13 26 26", class: "icon", "aria-hidden": "true" }, drawCoin(kind, face, radius(kind))),
        h("span", null, coinText({ denomination: kind, face })))),
    h("button", { type: "button", class: "plain", "data-testid": "correct-none", onclick: () => choose(null, null) },
      t("correct.none")));
  box.showModal();
}
