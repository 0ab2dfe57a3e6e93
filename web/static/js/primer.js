// A game in one minute: sentences with drawn pictures of the mat, and one example turn, picture by picture.

import { drawCoin } from "./coin.js";
import { h, s } from "./dom.js";
import { coinText, spoken, t } from "./i18n.js";
import { drawMat } from "./mat.js";

const WIDTH_PX = 340; // of a picture on a phone: letters of the mat's names are made for it
const NAMED_MM = 250; // in a wider part of the mat there is no room for the names of a map's spaces

/** @param {Api.PrimerShown} primer */
export function drawPrimer({ mat, minute, example }) {
  const told = (sentences) => h("ol", { class: "told" }, sentences.map(({ texts, picture }) =>
    h("li", null, h("p", null, spoken({ texts })), picture ? drawPicture(mat, picture) : null)));
  return [
    h("section", { class: "card primer", "data-testid": "minute" }, h("h2", null, t("primer.minute")), told(minute)),
    h("section", { class: "card primer", "data-testid": "example" }, h("h2", null, t("primer.example")),
      told(example)),
  ];
}

/**
 * Coins on a part of the mat, with its caption. A screen reader hears the caption, or which coins lie there.
 * @param {Api.Mat} mat
 * @param {Api.PrimerPicture} picture
 */
export function drawPicture(mat, { coins, box_mm: box, lit, caption }) {
  const zones = s("g", { class: "zones" }, drawMat(mat));
  for (const zone of zones.querySelectorAll(".zone")) zone.classList.toggle("lit", lit.includes(zone.dataset.zone));
  const faceOf = (coin) => coin.face ?? "any";
  const drawn = coins.map((coin) => s("g", { class: "coin", transform: `translate(${coin.x_mm} ${coin.y_mm})` },
    drawCoin(coin.denomination, faceOf(coin))));
  const said = spoken({ texts: caption });
  const label = said || coins.map((coin) => coinText({ ...coin, face: faceOf(coin) })).join(t("list.between"));
  const svg = s("svg", { class: "mat", viewBox: box.join(" "), role: "img", "aria-label": label }, zones,
    s("g", { class: "coins" }, drawn));
  svg.style.setProperty("--mm", String(box[2] / WIDTH_PX));
  svg.classList.toggle("wide", box[2] > NAMED_MM);
  return h("figure", { class: "picture" }, svg, said ? h("figcaption", null, said) : null);
}
