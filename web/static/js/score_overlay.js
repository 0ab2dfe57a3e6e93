// What was read, drawn over the photo: each space a frame that can be tapped, in the colour and with the sign of its
// side, and the coin's worth. And the question that a tap asks: what lies there?

import { parseCoin, shortName } from "./coin.js";
import { h, s } from "./dom.js";
import { coinText, named, t } from "./i18n.js";
import { rove } from "./roving.js";
import { cutOut, EVERY } from "./score_doubts.js";

const LETTER = 0.5; // height of a label, as a share of its frame
const INKS = { heads: "#d9691a", tails: "#1f6fb4" }; // as in the picture that `tablecoin score` draws
const EMPTY_INK = "#ffffff", DOUBT_INK = "#ff5fd2";

/**
 * @typedef {object} Shown what lies on one space
 * @property {string} place
 * @property {[number, number, number, number]} box left, top, right, bottom in the photo
 * @property {string | null} coin
 * @property {boolean} doubtful
 */

/**
 * The spaces of a score with what counts there.
 * @param {Api.Score} result
 * @param {Record<string, string[]>} spaces
 * @param {Set<string>} open places that are still in doubt
 * @returns {Shown[]}
 */
export const shownOf = (result, spaces, open) => Object.entries(spaces).flatMap(([place, coins]) => {
  const box = result.boxes_px?.[place];
  return box ? [{ place, box, coin: coins[0] ?? null, doubtful: open.has(place) }] : [];
});

const inkOf = ({ coin, doubtful }) =>
  (doubtful ? DOUBT_INK : coin ? INKS[parseCoin(coin).face] ?? EMPTY_INK : EMPTY_INK);

function wordsOf({ coin }) {
  if (!coin) return "";
  const { denomination, face } = parseCoin(coin);
  return shortName(denomination, face);
}

const nameOf = ({ place, coin, doubtful }) =>
  [place, coin ? coinText(parseCoin(coin)) : t("score.empty"), doubtful ? t("score.unsure") : ""]
    .filter(Boolean).join(t("list.between"));

/**
 * The overlay of a photo that is `wide` × `high` pixels.
 * @param {Shown[]} shown
 * @param {number} wide
 * @param {number} high
 * @param {(place: string) => void} ask
 */
export function overlay(shown, wide, high, ask) {
  const press = (place) => ({ onclick: () => ask(place), onkeydown: (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    ask(place);
  } });
  const layer = s("svg", { viewBox: `0 0 ${wide} ${high}`, class: "score-overlay", role: "group",
    "aria-label": t("score.overlay"), "data-testid": "score-overlay" }, shown.flatMap((one) => {
    const [left, top, right, bottom] = one.box, side = Math.max(right - left, bottom - top), ink = inkOf(one);
    return [
      s("rect", { x: left, y: top, width: right - left, height: bottom - top, rx: side * 0.2, class: "frame",
        stroke: ink, tabindex: 0, role: "button", "aria-label": nameOf(one), "data-testid": `space-${one.place}`,
        "data-doubtful": one.doubtful ? "yes" : null, ...press(one.place) }),
      s("text", { x: left + side * 0.06, y: bottom - side * 0.06, "font-size": side * LETTER, class: "read", fill: ink,
        "aria-hidden": "true" }, wordsOf(one)),
    ];
  }));
  rove(layer, () => ".frame");
  return layer;
}

/**
 * The question what lies on a space, with the place large.
 * @param {Shown} one
 * @param {HTMLImageElement} photo
 * @param {(coin: string | null) => void} settle
 */
export function askWhat(one, photo, settle) {
  const dialog = h("dialog", { class: "dialog fix", "aria-labelledby": "fix-title", "data-testid": "fix",
    onclick: (event) => event.target === dialog && dialog.close(), onclose: () => dialog.remove() });
  const answer = (coin) => h("button", { type: "button", class: "choice", "aria-pressed": String(coin === one.coin),
    "data-testid": `fix-${coin ? coin.replace(":", "-") : "empty"}`,
    onclick: () => { dialog.close(); settle(coin); } }, coin ? coinText(parseCoin(coin)) : t("score.empty"));
  dialog.append(h("h2", { id: "fix-title" }, t("score.what", { where: one.place })),
    cutOut(photo, one.box, t("score.seen", { where: one.place })),
    h("div", { class: "correct-choices" }, EVERY.map(answer)),
    h("button", { type: "button", class: "close quiet", onclick: () => dialog.close() }, t("cancel")));
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * Draw the same on a canvas, with a line below that tells the sum.
 * @param {HTMLImageElement} photo
 * @param {Shown[]} shown
 * @param {Api.MapScore} counted
 * @param {number} widest of the picture, in pixels
 */
export function drawn(photo, shown, { score, winner }, widest) {
  const scale = Math.min(1, widest / photo.naturalWidth);
  const wide = Math.round(photo.naturalWidth * scale), high = Math.round(photo.naturalHeight * scale);
  const foot = Math.round(wide / 14), canvas = h("canvas", { width: wide, height: high + foot });
  const pen = canvas.getContext("2d");
  pen.drawImage(photo, 0, 0, wide, high);
  for (const one of shown) {
    const [left, top, right, bottom] = one.box.map((each) => each * scale);
    const side = Math.max(right - left, bottom - top);
    pen.lineWidth = side * 0.045;
    pen.strokeStyle = pen.fillStyle = inkOf(one);
    pen.beginPath();
    pen.roundRect(left, top, right - left, bottom - top, side * 0.2);
    pen.stroke();
    pen.font = `700 ${side * LETTER}px sans-serif`;
    pen.lineWidth = side * 0.06;
    pen.strokeStyle = "rgb(0 0 0 / .75)";
    pen.strokeText(wordsOf(one), left + side * 0.06, bottom - side * 0.06);
    pen.fillText(wordsOf(one), left + side * 0.06, bottom - side * 0.06);
  }
  pen.fillStyle = "#123a2c";
  pen.fillRect(0, high, wide, foot);
  pen.fillStyle = "#f3ecdc";
  pen.font = `600 ${foot * 0.45}px serif`;
  pen.textBaseline = "middle";
  const sums = Object.entries(score).map(([seat, points]) => `${named("seat", seat)} ${points}`).join(" · ");
  const won = winner ? t("score.wins", { seat: named("seat", winner) }) : t("score.draw");
  pen.fillText(`tablecoin · ${sums} · ${won}`, foot * 0.4, high + foot / 2, wide - foot * 0.8);
  return canvas;
}

/**
 * Share the picture by the phone's own means, or download it where there are none.
 * @param {HTMLCanvasElement} canvas
 */
export async function share(canvas) {
  /** @type {Blob | null} */
  const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
  if (!blob) return;
  const file = new File([blob], "tablecoin.jpg", { type: "image/jpeg" });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: "tablecoin" });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return; // the person thought better of it
    }
  }
  const url = URL.createObjectURL(blob), link = h("a", { href: url, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
