// What a photo left in doubt: each place shown large with its answers, and what people said about it.

import { parseCoin } from "./coin.js";
import { h } from "./dom.js";
import { coinText, heapText, KINDS, named, t } from "./i18n.js";
import { stepper } from "./stepper.js";

const SHOWN_PX = 480; // longer side of a place's picture; the page shows it half as large on a fine screen
const MOST = { penny: 6, nickel: 4, dime: 8, quarter: 2 }; // coins of the game

const FACES = ["heads", "tails"];
export const EVERY = [...KINDS.flatMap((kind) => FACES.map((face) => `${kind}:${face}`)), null];

/** The side of a bank's doubt, or null for a space. @param {Api.Doubt} doubt */
const sideOf = (doubt) => (doubt.place.startsWith("bank.") ? doubt.place.slice("bank.".length) : null);

/** @param {Api.Doubt} doubt */
const isWholeBank = (doubt) => sideOf(doubt) !== null && !doubt.candidates.length;

/** @param {Api.Doubt} doubt */
export function placeText(doubt) {
  const side = sideOf(doubt);
  return side ? t("score.bankOf", { side: named("seat", side) }) : doubt.place;
}

/** An answer in words; in a bank the face does not matter. @param {Api.Doubt} doubt @param {any} answer */
export function answerText(doubt, answer) {
  if (isWholeBank(doubt)) return heapText(answer);
  if (answer === null) return t(sideOf(doubt) ? "score.noCoin" : "score.empty");
  const coin = parseCoin(answer);
  return sideOf(doubt) ? t(coin.denomination) : coinText(coin);
}

/**
 * Spaces and banks as people settled them. `answers` holds a coin's name, null or, for a whole bank, a heap.
 * @param {Api.Score} result
 * @param {Map<number, any>} answers by the number of the doubt
 */
export function settled(result, answers) {
  const spaces = { ...result.spaces };
  const banks = Object.fromEntries(Object.entries(result.banks).map(([side, heap]) => [side, { ...heap }]));
  const whole = new Set(); // banks that people counted as a whole
  for (const [number, answer] of answers) {
    const doubt = result.doubts[number], side = sideOf(doubt);
    if (!side) spaces[doubt.place] = answer ? [answer] : [];
    else if (isWholeBank(doubt)) {
      banks[side] = { ...answer };
      whole.add(side);
    }
  }
  for (const [number, answer] of answers) {
    const doubt = result.doubts[number], side = sideOf(doubt);
    if (!side || isWholeBank(doubt) || whole.has(side)) continue;
    change(banks[side], doubt.candidates[0].coin, -1);
    change(banks[side], answer, 1);
  }
  return { spaces, banks };
}

function change(heap, coin, by) {
  if (!coin) return;
  const kind = parseCoin(coin).denomination;
  heap[kind] = Math.max(0, (heap[kind] ?? 0) + by);
}

/**
 * A doubt as a card: the place in the photo, and its answers.
 * @param {Api.Score} result
 * @param {number} number
 * @param {CanvasImageSource & { naturalWidth: number } | null} photo
 * @param {(answer: any) => void} settle
 */
export function card(result, number, photo, settle) {
  const doubt = result.doubts[number], where = placeText(doubt), name = `doubt-${number}`;
  return h("article", { class: "doubt", "aria-labelledby": `${name}-place`, "data-testid": name },
    h("h3", { id: `${name}-place` }, where),
    photo?.naturalWidth && doubt.box_px ? cutOut(photo, doubt.box_px, t("score.seen", { where })) : null,
    isWholeBank(doubt) ? bankAnswers(result, doubt, settle) : coinAnswers(doubt, where, settle));
}

/**
 * A part of the photo, large.
 * @param {CanvasImageSource & { naturalWidth: number }} photo
 * @param {[number, number, number, number]} box left, top, right, bottom in it
 * @param {string} label
 */
export function cutOut(photo, [left, top, right, bottom], label) {
  const wide = right - left, high = bottom - top, zoom = SHOWN_PX / Math.max(wide, high);
  const canvas = h("canvas", {
    role: "img", "aria-label": label, width: Math.round(wide * zoom), height: Math.round(high * zoom),
  });
  canvas.getContext("2d").drawImage(photo, left, top, wide, high, 0, 0, canvas.width, canvas.height);
  return canvas;
}

// The likely answers as buttons, and every other coin in a list.
function coinAnswers(doubt, where, settle) {
  const offered = doubt.candidates.map((candidate) => candidate.coin);
  const coins = sideOf(doubt) ? [...KINDS.map((kind) => `${kind}:heads`), null] : EVERY;
  const texts = new Set(offered.map((coin) => answerText(doubt, coin)));
  const others = coins.filter((coin) => !texts.has(answerText(doubt, coin)));
  return [
    h("div", { class: "choices", role: "group", "aria-label": where }, offered.map((coin, n) =>
      h("button", { type: "button", class: "choice", "data-testid": `answer-${n}`, onclick: () => settle(coin) },
        answerText(doubt, coin)))),
    h("label", { class: "option" }, h("span", null, t("score.other")),
      h("select", { "data-testid": "answer-other", onchange: (event) => settle(others[event.target.value]) },
        h("option", { value: "", selected: true, disabled: true }, "…"),
        others.map((coin, n) => h("option", { value: n }, answerText(doubt, coin))))),
  ];
}

// The coins of a bank that the photo does not show: people count them.
function bankAnswers(result, doubt, settle) {
  const side = sideOf(doubt), heap = side ? { ...result.banks[side] } : {}, counts = h("div", { class: "bank-counts" });
  const fill = () => counts.replaceChildren(...KINDS.flatMap((kind) => [
    h("span", { "aria-hidden": "true" }, t(kind)),
    stepper({ name: `${doubt.place}-${kind}`, label: t(kind), value: heap[kind] ?? 0, max: MOST[kind],
      onset: (value) => {
        const held = document.activeElement?.getAttribute("data-testid");
        heap[kind] = value;
        fill();
        counts.querySelector(`[data-testid="${held}"]:not(:disabled)`)?.focus();
      } })]));
  fill();
  return [counts,
    h("button", { type: "button", class: "choice", "data-testid": "answer-bank", onclick: () => settle(heap) },
      t("score.counted"))];
}
