// House rules: the fields of the form for them, what people changed, and that in one sentence.

import { clockAsked, clockEntries, clockFields, clockSaid } from "./clock_rule.js";
import { CENTS } from "./coin.js";
import { h } from "./dom.js";
import { heapText, language, named, t } from "./i18n.js";

const MOST_COINS = 999; // of a kind in a counted bank

// What every game may be started with besides its own house rules, with defaults.
/** @type {Api.GameOption[]} */
export const COMMON = [
  { name: "bad_coin", choices: ["alone", "all"], default: "alone" },
  { name: "odds", choices: ["off", "after", "always"], default: "after" },
  { name: "hints", choices: ["never", "practice", "always"], default: "practice" },
  { name: "undo", choices: ["asked", "free"], default: "asked" },
  { name: "level", choices: ["strong", "middle", "easy"], default: "strong" },
  { name: "best_of", choices: [1, 3, 5, 7], default: 1 },
  { name: "clock", choices: null, default: null },
].map((option) => ({ kind: "choice", min: null, max: null, description: null, ...option }));

/**
 * What was set in a field of the form, else how it is at first.
 * @typedef {(name: string, first: any) => any} Now
 */

// A house rule in words.
/** @type {(option: Api.GameOption, now: Now, place?: string) => any} */
export function optionRow(option, now, place = "") {
  const { name, description } = option, how = named("how", name);
  return h(isHeap(option) || isClock(option) ? "div" : "label", { class: `option rule-${name} ${place}` },
    h("span", null, words(name), h("small", null, how === name ? description : how)),
    field(option, now));
}

function words(name) {
  const known = named("option", name);
  return known === name ? name.replaceAll("_", " ") : known;
}

/** @param {Api.GameOption} option */
const isHeap = ({ kind, default: value }) =>
  kind === "json" && Boolean(value) && Object.keys(value).every((key) => key in CENTS);

/** @param {Api.GameOption} option */
const isClock = ({ name }) => name === "clock";

/** @type {(option: Api.GameOption, now: Now) => any} */
function field(option, now) {
  const { name, kind, choices, default: value, min, max } = option;
  const id = `option.${name}`, first = now(id, value);
  const attributes = { name: id, "data-kind": kind, "data-testid": `option-${name}` };
  if (isClock(option)) return clockFields(now, attributes);
  if (kind === "switch") return h("input", { ...attributes, type: "checkbox", checked: first === true });
  if (kind === "choice") {
    return h("select", attributes, choices?.map((choice) =>
      h("option", { value: choice, selected: String(choice) === String(first) }, choiceWords(option, choice))));
  }
  if (kind === "number") {
    return h("input", { ...attributes, type: "number", min, max, required: value !== null, value: first });
  }
  if (isHeap(option)) return heapField(option, attributes, now);
  const written = first === value && kind === "json" ? JSON.stringify(value) : first ?? "";
  return h("input", { ...attributes, type: "text", value: written });
}

// A number for each kind of coin.
/** @type {(option: Api.GameOption, attributes: Record<string, any>, now: Now) => any} */
function heapField({ name, default: heap }, attributes, now) {
  return h("span", { class: "heap" }, Object.keys(heap).map((kind) => {
    const id = `option.${name}.${kind}`;
    return h("label", null, h("span", null, t(kind)), h("input", { ...attributes, name: id,
      "data-testid": `option-${name}-${kind}`, type: "number", min: 0, max: MOST_COINS, required: true,
      value: now(id, heap[kind]) }));
  }));
}

/** @type {(option: Api.GameOption, choice: any) => string} */
export function choiceWords({ name, titles = {} }, choice) {
  const title = titles[choice]?.[language], said = named("choice", `${name}.${choice}`);
  return title ?? (said === `${name}.${choice}` ? named("choice", choice) : said);
}

// What a field says, or the default where the form does not ask for it.
/** @type {(form: any, option: Api.GameOption) => any} */
function asked(form, option) {
  const { name, kind, choices, default: standard } = option;
  if (isHeap(option)) {
    const count = (each) => Number(form.elements[`option.${name}.${each}`].value);
    return Object.fromEntries(Object.keys(standard).map((each) => [each, count(each)]));
  }
  if (isClock(option)) return clockAsked(form);
  const input = form.elements[`option.${name}`];
  if (kind === "switch") return input.checked;
  if (kind === "number") return input.value === "" ? null : Number(input.value);
  if (kind === "choice") return choices?.find((choice) => String(choice) === input.value);
  if (kind !== "json") return input.value;
  try {
    return JSON.parse(input.value);
  } catch {
    return input.value; // sent as text: the answer says what is wrong with it
  }
}

const standardOf = ({ kind, default: standard }) => standard ?? (kind === "text" ? "" : standard);
const differs = (option, value) => JSON.stringify(value) !== JSON.stringify(standardOf(option));

// What the form says of these options, where it differs from how they are at first.
/** @type {(form: any, options: Api.GameOption[]) => Record<string, any>} */
export const changed = (form, options) => Object.fromEntries(options
  .map((option) => /** @type {[Api.GameOption, any]} */ ([option, asked(form, option)]))
  .filter(([option, value]) => differs(option, value)).map(([{ name }, value]) => [name, value]));

/**
 * The house rules in one sentence.
 * @param {Api.GameOption[]} options
 * @param {Record<string, any>} chosen those that differ from the rulebook, as `changed` gives them
 */
export function sentence(options, chosen) {
  const each = options.filter(({ name }) => name in chosen).map((option) => told(option, chosen[option.name]));
  return each.length ? t("rules.but", { rules: each.join(t("rules.and")) }) : t("rules.usual");
}

/** @type {(option: Api.GameOption, value: any) => string} */
function told(option, value) {
  if (isClock(option)) return clockSaid(value);
  const rule = words(option.name);
  if (option.kind === "switch") return value ? rule : t("rules.not", { rule });
  const says = option.kind === "choice" ? choiceWords(option, value) : isHeap(option) ? heapText(value)
    : value ?? t("rules.open");
  return t("rules.one", { rule, value: says });
}

/**
 * The values of the form's fields for options as a game was started with.
 * @param {Api.GameOption[]} options
 * @param {Record<string, any>} values by the options' names; one that is missing is left as it is at first
 * @returns {Record<string, any>} by the fields' names
 */
export const fieldsOf = (options, values) => Object.fromEntries(options.filter(({ name }) => name in values)
  .flatMap((option) => {
    const { name, kind } = option, value = values[name];
    if (isClock(option)) return clockEntries(value);
    if (isHeap(option)) return Object.entries(value).map(([coin, n]) => [`option.${name}.${coin}`, n]);
    if (kind === "json") return differs(option, value) ? [[`option.${name}`, JSON.stringify(value)]] : [];
    return [[`option.${name}`, value]];
  }));

// A rulebook names a house rule as programs do ("House rule strict_order"); people read what the form calls it.
/** @type {(text: string) => string} */
export const withTitles = (text) => text.replace(/(house rule|自定规则) ([a-z_]+)/gi, (all, before, name) => {
  const title = named("option", name);
  return title === name ? all : t("rules.named", { words: before, title });
});
