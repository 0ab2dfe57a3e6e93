// Score a photo: send it, show what was read and how it counts.

import { parseCoin } from "./coin.js";
import { $, h } from "./dom.js";
import {
  coinText, firstLanguage, heapText, language, loadLanguage, named, onLanguage, spoken, switchLanguage, t,
} from "./i18n.js";
import { answerText, card as doubtCard, placeText, settled } from "./score_doubts.js";

/** @type {Api.Score | null} */
let last = null; // as the photo was read
/** @type {Api.MapScore | null} */
let counted = null; // with what people said
/** @type {Map<number, any>} */
let answers = new Map(); // what people said, by the number of the doubt

function coinsText(names) {
  return names.map((name) => coinText(parseCoin(name))).join(" · ") || t("score.empty");
}

function show() {
  if (!last || !counted) return;
  const { score, regions, winner } = counted, { spaces, banks } = settled(last, answers);
  const warnings = last.warnings_texts.map((said) => said[language]);
  const open = last.doubts.map((_, number) => number).filter((number) => !answers.has(number));
  $("result").hidden = false;
  $("result").replaceChildren(
    h("h2", { "data-testid": "winner", tabindex: "-1" },
      winner ? t("score.wins", { seat: named("seat", winner) }) : t("score.draw")),
    h("div", { class: "seats" }, Object.entries(score).map(([seat, points]) =>
      h("div", { class: `seat ${seat === winner ? "winner" : ""}`, "data-seat": seat },
        h("span", { class: "token", "aria-hidden": "true" }, named("seat", seat).slice(0, 1)),
        h("span", { class: "name" }, named("seat", seat)),
        h("b", { class: "total", "data-testid": `score-${seat}` }, String(points))))),
    open.length ? h("h3", { "data-testid": "doubts" }, t("score.check", { n: open.length })) : "",
    h("div", { class: "doubts" }, open.map((number) =>
      doubtCard(/** @type {Api.Score} */ (last), number, $("preview"), (answer) => settle(number, answer)))),
    answers.size ? h("ul", { class: "said", "aria-label": t("score.yours") }, last.doubts.flatMap((doubt, number) =>
      answers.has(number) ? [h("li", null, `${placeText(doubt)}: ${answerText(doubt, answers.get(number))} `,
        h("button", { type: "button", class: "quiet", "data-testid": `change-${number}`,
          onclick: () => settle(number, undefined) }, t("score.change")))] : [])) : "",
    ...warnings.map((line) => h("p", { class: "health" }, line)),
    list("score.regions", Object.entries(regions), (region) =>
      [`${named("seat", "heads")} ${region.heads}`, `${named("seat", "tails")} ${region.tails}`,
        region.bonus ? t("score.bonus", { seat: named("seat", region.bonus) }) : t("score.noBonus")].join(" · ")),
    list("score.spaces", Object.entries(spaces), coinsText),
    list("score.banks", Object.entries(banks).map(([seat, heap]) => [named("seat", seat), heap]), heapText));
}

const list = (title, entries, text) => h("details", { open: title === "score.regions" }, h("summary", null, t(title)),
  h("dl", null, entries.flatMap(([name, value]) => [h("dt", null, name), h("dd", null, text(value))])));

// Counts with one more answer, or without the one that `undefined` takes back. What cannot be counted changes nothing.
async function settle(number, answer) {
  const result = last, said = new Map(answers);
  said.delete(number);
  if (answer !== undefined) said.set(number, answer);
  if (!result) return;
  const body = { map: $("score-form").elements.map.value || result.map, ...settled(result, said) };
  const headers = { "Content-Type": "application/json" };
  const sum = await ask("/api/score/tally", { method: "POST", headers, body: JSON.stringify(body) });
  if (!sum || result !== last) return;
  answers = said;
  counted = sum;
  show();
  const card = answer === undefined ? `[data-testid="doubt-${number}"]` : ".doubt";
  const next = $("result").querySelector(`${card} button:not(:disabled)`);
  (next ?? $("result").querySelector("h2"))?.focus();
}

// The answer's JSON, or null: then a sentence says why, and stays until the next call.
async function ask(path, options) {
  $("score-failed").hidden = true;
  let said;
  try {
    const reply = await fetch(path, options), json = await reply.json();
    if (reply.ok) return json;
    said = spoken(json) || json.error;
  } catch {
    said = t("error.offline");
  }
  $("score-failed").textContent = said;
  $("score-failed").hidden = false;
  return null;
}

// Takes the result away: it belongs to the photo before.
function forget() {
  last = counted = null;
  answers = new Map();
  $("result").hidden = true;
  $("score-failed").hidden = true;
}

function nameMaps() {
  const { options } = $("score-form").elements.map;
  for (const each of options) each.textContent = each.dataset[language] ?? each.textContent;
}

$("score-form").onsubmit = async (event) => {
  event.preventDefault();
  forget();
  const form = new FormData(event.target);
  if (!form.get("map")) form.delete("map");
  $("score-go").disabled = true;
  $("score-wait").hidden = false;
  last = counted = await ask("/api/score", { method: "POST", body: form });
  $("score-go").disabled = false;
  $("score-wait").hidden = true;
  show();
};
$("photo").onchange = () => {
  const [file] = $("photo").files;
  forget();
  URL.revokeObjectURL($("preview").src);
  $("preview").hidden = !file;
  if (file) $("preview").src = URL.createObjectURL(file);
};
$("language").onclick = switchLanguage;
onLanguage(() => { nameMaps(); show(); });
await loadLanguage(firstLanguage());
