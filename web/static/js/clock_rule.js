// The chess clock as a house rule: its row in the form, what that row says, and the same in words.

import { h } from "./dom.js";
import { t } from "./i18n.js";

const FIELD = "option.clock", MINUTES = `${FIELD}.minutes`, SECONDS = `${FIELD}.seconds`;
const FIRST = { minutes: 10, seconds: 5 }; // offered when a clock is switched on
const MOST_MINUTES = 600, MOST_SECONDS = 600;

// The fields of the row: no clock, or what happens at zero; the minutes of each side; the seconds more for each turn.
/** @type {(now: (name: string, first: any) => any, attributes: Record<string, any>) => any} */
export function clockFields(now, attributes) {
  const chosen = now(FIELD, "off");
  const number = (name, id, first, most) => h("label", null,
    h("input", { type: "number", name: id, min: name === "minutes" ? 1 : 0, max: most, step: "any", required: true,
      value: now(id, first), "data-testid": `clock-${name}` }), h("span", null, t(`clock.${name}`)));
  return h("span", { class: "clock-rule" },
    h("select", { ...attributes, name: FIELD, "aria-label": t("option.clock") }, ["off", "said", "lost"].map((what) =>
      h("option", { value: what, selected: what === chosen }, t(`choice.clock.${what}`)))),
    h("span", { class: "times" }, number("minutes", MINUTES, FIRST.minutes, MOST_MINUTES),
      number("seconds", SECONDS, FIRST.seconds, MOST_SECONDS)));
}

// What the row says; null: no clock.
/** @type {(form: any) => Api.TimeControl | null} */
export function clockAsked({ elements }) {
  const what = elements[FIELD].value;
  if (what === "off") return null;
  return { each_s: Math.round(60 * Number(elements[MINUTES].value)),
    increment_s: Math.round(Number(elements[SECONDS].value)), at_zero: what };
}

// What the fields of the row must hold for this clock.
/** @type {(clock: Api.TimeControl | null) => [string, any][]} */
export const clockEntries = (clock) => (clock ? [[FIELD, clock.at_zero], [MINUTES, clock.each_s / 60],
  [SECONDS, clock.increment_s]] : [[FIELD, "off"]]);

// A clock in words: "Chess clock: 10 min + 5 s a turn, at zero the side has lost".
/** @type {(clock: Api.TimeControl) => string} */
export function clockSaid({ each_s: each, increment_s: seconds, at_zero: zero }) {
  const minutes = Math.round(each / 6) / 10;
  const time = t(seconds ? "clock.control.plus" : "clock.control", { minutes, seconds });
  return t("rules.one", { rule: t("option.clock"), value: `${time}${t("list.between")}${t(`choice.clock.${zero}`)}` });
}
