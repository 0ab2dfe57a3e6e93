// Score a photo: take it or choose it, send it, show what was read and how it counts, and put right what was misread.

import { request } from "./api.js";
import { parseCoin } from "./coin.js";
import { $, h } from "./dom.js";
import { beginLanguage, coinText, heapText, language, named, onLanguage, spoken, t } from "./i18n.js";
import { answerText, card as doubtCard, placeText, settled } from "./score_doubts.js";
import { askWhat, drawn, overlay, share, shownOf } from "./score_overlay.js";

const WIDEST_PX = 1800; // of the picture that is shared

/** @type {Api.Score | null} */
let last = null; // as the photo was read
/** @type {Api.MapScore | null} */
let counted = null; // with what people said
/** @type {Map<number, any>} */
let answers = new Map(); // what people said, by the number of the doubt
/** @type {Map<string, string | null>} */
let fixes = new Map(); // what people said lies on spaces that were in no doubt, or that they tapped

let turn = 0; // counts the photos: what was asked about the one before is not answered under the next

// What counts now: as the photo was read, with what people said.
function standing(result, said = answers, fixed = fixes) {
  const { spaces, banks } = settled(result, said);
  return { spaces: { ...spaces, ...Object.fromEntries([...fixed].map(([space, coin]) => [space, coin ? [coin] : []])) },
    banks };
}

const openPlaces = (result) => new Set(result.doubts.flatMap(({ place }, number) =>
  (answers.has(number) || fixes.has(place) ? [] : [place])));

function coinsText(names) {
  return names.map((name) => coinText(parseCoin(name))).join(" · ") || t("score.empty");
}

function show() {
  if (!last || !counted) return;
  const { score, regions, winner } = counted, { spaces, banks } = standing(last);
  const warnings = last.warnings_texts.map((said) => said[language]);
  const open = last.doubts.map((_, number) => number)
    .filter((number) => !answers.has(number) && !fixes.has(/** @type {Api.Score} */ (last).doubts[number].place));
  showOverlay();
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
    fixes.size ? h("ul", { class: "said", "aria-label": t("score.yours") }, [...fixes].map(([space, coin]) =>
      h("li", null, `${space}: ${coin ? coinText(parseCoin(coin)) : t("score.empty")} `,
        h("button", { type: "button", class: "quiet", "data-testid": `unfix-${space}`,
          onclick: () => fix(space, undefined) }, t("score.change"))))) : "",
    answers.size ? h("ul", { class: "said", "aria-label": t("score.yours") }, last.doubts.flatMap((doubt, number) =>
      answers.has(number) ? [h("li", null, `${placeText(doubt)}: ${answerText(doubt, answers.get(number))} `,
        h("button", { type: "button", class: "quiet", "data-testid": `change-${number}`,
          onclick: () => settle(number, undefined) }, t("score.change")))] : [])) : "",
    ...warnings.map((line) => h("p", { class: "health" }, line)),
    list("score.regions", Object.entries(regions), (region) =>
      [`${named("seat", "heads")} ${region.heads}`, `${named("seat", "tails")} ${region.tails}`,
        region.bonus ? t("score.bonus", { seat: named("seat", region.bonus) }) : t("score.noBonus")].join(" · ")),
    list("score.spaces", Object.entries(spaces), coinsText),
    list("score.banks", Object.entries(banks).map(([seat, heap]) => [named("seat", seat), heap]), heapText),
    $("preview").naturalWidth ? h("button", { type: "button", class: "share", "data-testid": "share",
      onclick: sharePicture }, t("score.share")) : "");
}

// Draws what was read over the photo. A photo that the browser cannot show has none.
function showOverlay() {
  const photo = $("preview");
  document.querySelector(".score-overlay")?.remove();
  if (!last || !photo.naturalWidth) return;
  const shown = shownOf(last, standing(last).spaces, openPlaces(last));
  photo.after(overlay(shown, photo.naturalWidth, photo.naturalHeight, (place) => {
    const one = shown.find((each) => each.place === place);
    if (one) askWhat(one, photo, (coin) => fix(place, coin));
  }));
}

function sharePicture() {
  if (!last || !counted) return;
  share(drawn($("preview"), shownOf(last, standing(last).spaces, openPlaces(last)), counted, WIDEST_PX));
}

// Counts with what a person says lies on a space, or, for `undefined`, again as the photo was read.
async function fix(space, coin) {
  const result = last, fixed = new Map(fixes);
  fixed.delete(space);
  if (coin !== undefined) fixed.set(space, coin);
  if (!result) return;
  const sum = await tally(result, standing(result, answers, fixed));
  if (!sum || result !== last) return;
  fixes = fixed;
  counted = sum;
  show();
  const frame = document.querySelector(`[data-testid="space-${CSS.escape(space)}"]`);
  if (frame instanceof SVGElement) frame.focus();
}

function tally(result, what) {
  const body = { map: result.map, ...what };
  const headers = { "Content-Type": "application/json" };
  return ask("/api/score/tally", { method: "POST", headers, body: JSON.stringify(body) });
}

const list = (title, entries, text) => h("details", { open: title === "score.regions" }, h("summary", null, t(title)),
  h("dl", null, entries.flatMap(([name, value]) => [h("dt", null, name), h("dd", null, text(value))])));

// Counts with one more answer, or without the one that `undefined` takes back. What cannot be counted changes nothing.
async function settle(number, answer) {
  const result = last, said = new Map(answers);
  said.delete(number);
  if (answer !== undefined) said.set(number, answer);
  if (!result) return;
  const sum = await tally(result, standing(result, said));
  if (!sum || result !== last) return;
  answers = said;
  counted = sum;
  show();
  const card = answer === undefined ? `[data-testid="doubt-${number}"]` : ".doubt";
  const next = $("result").querySelector(`${card} button:not(:disabled)`);
  (next ?? $("result").querySelector("h2"))?.focus();
}

// The answer's JSON, or null: then a sentence says why, and stays until the next call. Also null, and nothing is said,
// where it comes after another photo.
async function ask(path, options) {
  const mine = turn;
  $("score-failed").hidden = true;
  let said, told = null;
  try {
    const reply = await request(path, options), json = await reply.json();
    if (reply.ok) told = json;
    else said = spoken(json) || json.error;
  } catch {
    said = t("error.offline");
  }
  if (mine !== turn) return null;
  if (told) return told;
  $("score-failed").textContent = said;
  $("score-failed").hidden = false;
  return null;
}

// Takes the result away: it belongs to the photo before. So does an answer that is on its way.
function forget() {
  turn += 1;
  waiting(false);
  last = counted = null;
  answers = new Map();
  fixes = new Map();
  document.querySelector(".score-overlay")?.remove();
  $("result").hidden = true;
  $("score-failed").hidden = true;
}

function waiting(on) {
  $("score-go").disabled = on;
  $("score-wait").hidden = !on;
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
  waiting(true);
  const mine = turn, told = await ask("/api/score", { method: "POST", body: form });
  if (mine !== turn) return;
  waiting(false);
  last = counted = told;
  show();
};
$("photo").onchange = () => {
  const [file] = $("photo").files;
  forget();
  URL.revokeObjectURL($("preview").src);
  $("preview").hidden = !file;
  if (file) $("preview").src = URL.createObjectURL(file);
};
// A photo just taken is read at once.
$("camera").onchange = () => {
  if (!$("camera").files.length) return;
  $("photo").files = $("camera").files;
  $("photo").onchange();
  $("score-form").requestSubmit();
};
onLanguage(() => { nameMaps(); show(); });
await beginLanguage();
