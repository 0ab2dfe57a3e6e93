// Score a photo: send it, show what was read and how it counts.

import { notice } from "./api.js";
import { parseCoin } from "./coin.js";
import { $, h } from "./dom.js";
import {
  coinText, firstLanguage, heapText, language, loadLanguage, named, onLanguage, spoken, switchLanguage, t,
} from "./i18n.js";

/** @type {Api.Score | null} */
let last = null;

function coinsText(names) {
  return names.map((name) => coinText(parseCoin(name))).join(" · ") || t("score.empty");
}

/** @param {Api.Score} result */
function show(result) {
  last = result;
  const { score, regions, spaces, banks, winner, unsure } = result;
  const warnings = result.warnings_texts.map((said) => said[language]);
  const doubts = unsure.map((what) => t("score.unsure", { what }));
  $("result").hidden = false;
  $("result").replaceChildren(
    h("h2", { "data-testid": "winner" }, winner ? t("score.wins", { seat: named("seat", winner) }) : t("score.draw")),
    h("div", { class: "seats" }, Object.entries(score).map(([seat, points]) =>
      h("div", { class: `seat ${seat === winner ? "winner" : ""}`, "data-seat": seat },
        h("span", { class: "token", "aria-hidden": "true" }, named("seat", seat).slice(0, 1)),
        h("span", { class: "name" }, named("seat", seat)),
        h("b", { class: "total", "data-testid": `score-${seat}` }, String(points))))),
    ...[...warnings, ...doubts].map((line) => h("p", { class: "health" }, line)),
    list("score.regions", Object.entries(regions), (region) =>
      [`${named("seat", "heads")} ${region.heads}`, `${named("seat", "tails")} ${region.tails}`,
        region.bonus ? t("score.bonus", { seat: named("seat", region.bonus) }) : t("score.noBonus")].join(" · ")),
    list("score.spaces", Object.entries(spaces), coinsText),
    list("score.banks", Object.entries(banks).map(([seat, heap]) => [named("seat", seat), heap]), heapText));
}

const list = (title, entries, text) => h("details", { open: title === "score.regions" }, h("summary", null, t(title)),
  h("dl", null, entries.flatMap(([name, value]) => [h("dt", null, name), h("dd", null, text(value))])));

// Takes the result away: it belongs to the photo before.
function forget() {
  last = null;
  $("result").hidden = true;
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
  try {
    const answer = await fetch("/api/score", { method: "POST", body: form });
    const json = await answer.json();
    if (answer.ok) show(json);
    else notice(spoken(json) || json.error);
  } catch {
    notice(t("error.offline"));
  } finally {
    $("score-go").disabled = false;
    $("score-wait").hidden = true;
  }
};
$("photo").onchange = () => {
  const [file] = $("photo").files;
  forget();
  URL.revokeObjectURL($("preview").src);
  $("preview").hidden = !file;
  if (file) $("preview").src = URL.createObjectURL(file);
};
$("language").onclick = switchLanguage;
onLanguage(() => { nameMaps(); if (last) show(last); });
await loadLanguage(firstLanguage());
