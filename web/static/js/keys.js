// Keys that press the page's buttons, and the list of them, which "?" opens. They can be switched off there, because a
// person who speaks to the computer presses them by speaking.

import { $, h } from "./dom.js";
import { language, onLanguage, t } from "./i18n.js";
import { lasting } from "./storage.js";

const OFF = "keys.off"; // in the browser's storage
const see = (testid) => `[data-testid="${testid}"]`;

// Each key, what it presses, and its words in the catalogue.
const KEYS = [
  { key: "d", words: "keys.done", find: () => pressed("done") },
  { key: "c", words: "keys.choose", find: () => pressed("choose") },
  { key: "r", words: "keys.referee", find: () => visible(see("press-referee")) },
  { key: "u", words: "keys.undo", find: () => visible(see("undo")) },
  { key: "1 – 9", words: "keys.answer", find: () => null },
  { key: "s", words: "keys.arrange", find: () => visible(see("arrange")) },
  { key: "t", words: "keys.toss", find: () => visible(see("toss")) },
  { key: "g", words: "keys.table", find: () => null },
  { key: "v", words: "keys.view", find: () => following("view") },
  { key: "m", words: "keys.mode", find: () => following("mode") },
  { key: "l", words: "keys.language", find: () => visible("#language") },
];

const STEPS = [["← ↑ → ↓", "keys.arrows"], ["Enter", "keys.enter"], ["Shift + ←", "keys.nudge"],
  ["Delete", "keys.delete"]];

/** @param {string} what @returns {HTMLElement | null} */
function visible(what) {
  const found = [...document.querySelectorAll(what)].find((each) => each.checkVisibility());
  return found instanceof HTMLElement ? found : null;
}

// A panel button of the side to act, or of the only side that this page shows.
function pressed(name) {
  const all = [...document.querySelectorAll(`#panel .press.${name}`)].filter((each) => each.checkVisibility());
  const lit = document.querySelector("#panel .press.lit")?.getAttribute("data-seat");
  const found = all.length === 1 ? all[0] : all.find((each) => each.getAttribute("data-seat") === lit);
  return found instanceof HTMLElement ? found : null;
}

// The choice of a switcher after the one that is on.
function following(group) {
  const all = [...(document.getElementById(group)?.querySelectorAll("button") ?? [])];
  const at = all.findIndex((each) => each.getAttribute("aria-pressed") === "true");
  return all.length && all[0].checkVisibility() ? all[(at + 1) % all.length] : null;
}

const on = () => lasting.get(OFF) === null;

function list() {
  const row = (key, words) => [h("dt", null, h("kbd", null, key)), h("dd", null, t(words))];
  return [h("h2", { id: "keys-title" }, t("keys.title")),
    h("dl", { class: "keys" }, KEYS.flatMap(({ key, words }) => row(key, words)), row("?", "keys.list")),
    h("h3", null, t("keys.atTable")),
    h("dl", { class: "keys" }, STEPS.flatMap(([key, words]) => row(key, words))),
    h("label", { class: "switch" }, h("input", { type: "checkbox", checked: on(), "data-testid": "keys-on",
      onchange: ({ target }) => lasting.set(OFF, target.checked ? null : "yes") }),
    h("span", null, t("keys.on"))),
    h("button", { class: "close quiet", type: "button", onclick: () => dialog.close() }, t("close"))];
}

const dialog = h("dialog", { id: "keys", class: "dialog", "aria-labelledby": "keys-title", "data-testid": "keys",
  onclick: (event) => event.target === dialog && dialog.close() });

function openList() {
  const menu = $("menu");
  if (menu) menu.open = false;
  dialog.replaceChildren(...list());
  dialog.showModal();
}

function toTable() {
  const stop = document.querySelector('#mat [tabindex="0"]');
  if (stop instanceof SVGElement) stop.focus();
}

/** @param {KeyboardEvent} event */
function press(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || document.querySelector("dialog[open]")) return;
  if (target instanceof Element && target.closest("input, select, textarea, [contenteditable]")) return;
  if (key === "?") openList();
  else if (!on()) return;
  else if (/^[1-9]$/.test(key)) visible(see(`choice-${Number(key) - 1}`))?.click();
  else if (key === "g") toTable();
  else KEYS.find((each) => each.key === key)?.find()?.click();
}

/** Listen to keys on this page, and put the list of them into its menu. */
export function listenToKeys() {
  document.body.append(dialog);
  const opener = h("button", { type: "button", "data-testid": "open-keys", onclick: openList }, "");
  const name = () => { opener.textContent = t("menu.keys"); };
  document.querySelector("#menu .sheet")?.insertBefore(opener, document.querySelector("#menu .sheet .switch"));
  onLanguage(name);
  if (language) name();
  addEventListener("keydown", press);
}
