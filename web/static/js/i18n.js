// The page's words: one JSON catalogue a language. What the referee says comes in both languages with each snapshot.

import { lasting } from "./storage.js";

/**
 * The languages of the page, each with the tag that browsers know it by. The first serves where no other is wanted.
 * @type {Record<string, string>}
 */
const TAGS = { en: "en", zh: "zh-Hans" };

const RETRY_MS = 1000;

/** @type {Record<string, string>} */
let words = {};
export let language = "en";
const listeners = [];
let due = language; // the language asked for last; its catalogue may still be on its way
let loading = Promise.resolve();

// The width of a text in letters: a Chinese character is as wide as two.
export const breadth = (text) => [...text].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 2 : 1), 0);

export const onLanguage = (listener) => listeners.push(listener);

/**
 * Load a language and show the page in it. One that was asked for meanwhile is waited for and shown instead.
 * @param {string} asked
 * @returns {Promise<void>}
 */
export function loadLanguage(asked) {
  due = asked;
  loading = load(asked);
  return loading;
}

/** @param {string} asked */
async function load(asked) {
  const catalogue = await fetchCatalogue(asked);
  if (due !== asked) return loading;
  speak(asked, catalogue);
}

// The catalogue of a language. Without a connection it asks again until there is one, or another language is due.
/** @param {string} asked */
async function fetchCatalogue(asked) {
  while (due === asked) {
    const address = new URL(`../i18n/${asked}.json`, import.meta.url);
    const catalogue = await fetch(address).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
    if (catalogue) return catalogue;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/**
 * Show the page in a language, by its catalogue.
 * @param {string} wanted
 * @param {Record<string, string>} catalogue
 */
export function speak(wanted, catalogue) {
  words = catalogue;
  language = wanted;
  document.documentElement.lang = TAGS[wanted];
  translate(document);
  entitle();
  for (const listener of listeners) listener();
}

// The page's title, where its template names one. The name of the program comes last: tabs show how a title begins.
function entitle() {
  const { titled } = document.documentElement.dataset;
  if (titled) document.title = `${t(titled)} – ${t("title")}`;
}

/**
 * Put the words of the page's language into a part of it.
 * @param {Document | Element} part
 */
export function translate(part) {
  for (const element of part.querySelectorAll("[data-i18n]")) {
    element.textContent = t(element.getAttribute("data-i18n"));
  }
  for (const element of part.querySelectorAll("[data-i18n-label]")) {
    element.setAttribute("aria-label", t(element.getAttribute("data-i18n-label")));
  }
}

/**
 * The first of these that is a language of the page.
 * @param {(string | null | undefined)[]} wanted
 */
export const knownLanguage = (...wanted) => wanted.find((each) => each && each in TAGS);

export const LANGUAGES = Object.keys(TAGS);

// What the person chose here before, else the table's language, else the browser's.
export function firstLanguage() {
  const known = knownLanguage(lasting.get("language"), document.documentElement.dataset.language);
  if (known) return known;
  const [first, ...others] = LANGUAGES;
  const read = (code) => navigator.languages?.some((each) => each.toLowerCase().startsWith(code));
  return others.find(read) ?? first;
}

/** Begin the page in its first language. Its button switches the language from now on, also while the first loads. */
export async function beginLanguage() {
  const button = document.getElementById("language");
  if (button) button.onclick = switchLanguage;
  await loadLanguage(firstLanguage());
}

async function switchLanguage() {
  const next = LANGUAGES[(LANGUAGES.indexOf(due) + 1) % LANGUAGES.length];
  lasting.set("language", next);
  await loadLanguage(next);
}

/**
 * The words of a key of the catalogue, its blanks filled with facts.
 * @param {string | null} key
 * @param {Record<string, any>} [facts]
 */
export function t(key, facts = {}) {
  const text = words[key ?? ""] ?? String(key);
  const filled = text.replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
  return filled.replace(/s’s\b/g, "s’"); // Heads’ turn, but Ann’s turn
}

// So many of something: English has words of its own for one.
/** @type {(key: string, n: number | undefined, facts?: Record<string, any>) => string} */
export const counted = (key, n, facts = {}) => t(n === 1 ? `${key}.one` : key, { n, ...facts });

// A word that may have no entry, such as a seat's or a zone's own name.
export const named = (prefix, name) => words[`${prefix}.${name}`] ?? String(name);

// A seat as people say it: a side, a number, or a player's own name.
export function seatName(seat) {
  return words[`seat.${seat}`] ?? (/^[1-9]$/.test(seat) ? t("seat.number", { n: seat }) : String(seat));
}

/**
 * Who sits in a seat: the seat and, beside it, the name that was given. Where people sit down by their names, these
 * are the seats.
 * @param {string | null | undefined} seat
 * @param {Record<string, string>} names
 */
export function playerName(seat, names) {
  const name = names[seat ?? ""];
  return name && name !== seat ? t("seat.named", { seat: seatName(seat), name }) : seatName(seat);
}

/**
 * The sentence of a snapshot or an answer in the page's language.
 * @param {{ text?: string, texts?: Record<string, string> } | null | undefined} message
 */
export const spoken = (message) => message?.texts?.[language] ?? message?.text ?? "";

/** @type {Api.Denomination[]} */
export const KINDS = ["quarter", "dime", "nickel", "penny"];

/** @param {Api.Heap | undefined} heap */
export function heapText(heap) {
  const parts = KINDS.filter((kind) => heap?.[kind]).map((kind) => counted(`heap.${kind}`, heap?.[kind]));
  return parts.join(t("list.between")) || t("nothing");
}

/** @param {{ denomination: Api.Denomination | null, face: Api.Face | "any" | null, sure?: boolean }} coin */
export function coinText(coin) {
  if (!coin.denomination) return t("unknown");
  if (coin.face === "any") return t(coin.denomination);
  const text = t("coin", { denomination: t(coin.denomination), face: coin.face ? t(coin.face) : "?" });
  return coin.sure === false ? t("coin.unsure", { coin: text }) : text;
}

export const money = (cents) => (cents >= 100 ? `$${(cents / 100).toFixed(2)}` : `${cents}¢`);
