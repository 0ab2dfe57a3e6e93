// The owner's settings: what is kept for the next start, and what may be done with the program and the computer.

import { get, post } from "./api.js";
import { followVersion } from "./version.js";
import { $, h, refill } from "./dom.js";
import { LANGUAGES, beginLanguage, language, onLanguage, t } from "./i18n.js";

/** @type {Api.OwnerState | null} */
let state = null;

const CHOICES = { mains_hz: [60, 50, 0], language: ["auto", ...LANGUAGES], clips: ["on", "off"],
  learn: ["ask", "on", "off"],
  buzzer: ["on", "off"], shutdown: ["on", "off"] };
// Each setting: its section, its key, and what kind of field it is.
const FIELDS = [["camera", "source"], ["camera", "mains_hz"], ["table", "language"], ["table", "still_s"],
  ["table", "clips"], ["table", "learn"], ["panel", "buzzer"], ["table", "sounds"], ["panel", "shutdown"]];
const SOUNDS = ["turn", "toss", "tossed", "accepted", "refused", "question", "pause", "time", "over"];

function show(told) {
  if (!told) return;
  state = told;
  $("waits").hidden = !told.waits;
  $("restart").hidden = !told.restarts;
  $("off").hidden = !told.off;
  $("by-hand").hidden = $("by-checkout").hidden = told.restarts;
  $("by-service").hidden = !told.restarts;
  refill($("kept"), [told.values, language],
    () => FIELDS.map(([section, key]) => field(key, told.values[section][key])));
}

// What a choice is called. Each language is called as it calls itself.
function nameOf(key, choice) {
  if (key !== "language" || choice === "auto") return t(`own.${key}.${choice}`);
  return new Intl.DisplayNames([choice], { type: "language" }).of(choice);
}

function field(key, value) {
  if (key === "sounds") return sounds(value);
  const attributes = { name: key, "data-testid": `own-${key}` };
  const choices = CHOICES[key];
  const input = choices
    ? h("select", { ...attributes, onchange: ({ target }) => keep(key, choices[target.selectedIndex]) },
      choices.map((each) => h("option", { value: each, selected: each === value }, nameOf(key, each))))
    : h("input", { ...attributes, type: key === "still_s" ? "number" : "text", step: 0.1, min: 0.1, max: 10, value,
      onchange: ({ target }) => keep(key, key === "still_s" ? Number(target.value) : target.value.trim()) });
  return h("label", { class: "option" }, h("span", null, t(`own.${key}`)), input);
}

// What is heard, each by itself.
/** @param {string[]} chosen */
function sounds(chosen) {
  const box = (name) => h("label", { class: "switch" }, h("input", { type: "checkbox", name, checked:
    chosen.includes(name), "data-testid": `own-sound-${name}`, onchange: ({ target }) => keep("sounds",
    SOUNDS.filter((each) => (each === name ? target.checked : chosen.includes(each)))) }),
  h("span", null, t(`own.sound.${name}`)));
  return h("fieldset", { class: "option sounds", "data-testid": "own-sounds" },
    h("legend", null, t("own.sounds")), SOUNDS.map(box), h("p", { class: "hint" }, t("own.sounds.how")));
}

// Keeps one setting. What is refused shows again as it was, and the notice says why.
async function keep(key, value) {
  const told = await post("/api/settings", { [key]: value }, null);
  $("kept").dataset.shown = "";
  show(told ?? state);
}

function ask(title, yes, path) {
  $("sure-title").textContent = t(title);
  $("sure-yes").textContent = t(yes);
  $("sure-yes").onclick = async () => {
    $("sure").close();
    await post(path, {}, null);
  };
  $("sure").showModal();
}

$("restart").onclick = () => ask("own.restart.sure", "own.restart", "/api/settings/restart");
$("off").onclick = () => ask("own.off.sure", "own.off", "/api/settings/off");
$("sure").onclick = ({ target }) => target.closest(".close") && $("sure").close();
$("log").ontoggle = async () => {
  if (!$("log").open) return;
  const lines = (await get("/api/settings/log"))?.lines ?? [];
  $("lines").textContent = lines.join("\n") || t("own.log.none");
};
onLanguage(() => show(state));
await beginLanguage();
/** @type {Api.OwnerState | null} */
const first = await get("/api/settings");
show(first);
if (first) followVersion($("now"), $("version"), first.version);
