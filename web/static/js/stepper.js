// A number set with two thumbs: one button less, one more.

import { h } from "./dom.js";
import { t } from "./i18n.js";

// `onset(number)` is called with each new number; `name` marks the buttons for tests.
export function stepper({ name, label, value, min = 0, max = Infinity, onset }) {
  const step = (by, sign, key) => h("button", { type: "button", "data-testid": `${name}-${key}`,
    "aria-label": `${t(`step.${key}`)}: ${label}`,
    disabled: value + by < min || value + by > max, onclick: () => onset(value + by) }, sign);
  return h("span", { class: "stepper", role: "group", "aria-label": label },
    step(-1, "−", "less"), h("output", { "data-testid": `${name}-value` }, String(value)), step(1, "+", "more"));
}
