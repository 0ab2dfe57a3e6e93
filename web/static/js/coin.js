// One coin as SVG, in millimetres, its centre at the origin: on the table, in the box, on buttons and in replays alike.

import { s } from "./dom.js";
import { t } from "./i18n.js";

export const RADIUS_MM = { penny: 9.525, nickel: 10.605, dime: 8.955, quarter: 12.13 };
export const CENTS = { penny: "1", nickel: "5", dime: "10", quarter: "25" };

/** "penny:heads" as {denomination, face}. @param {string} name */
export function parseCoin(name) {
  const [denomination, face] = name.split(":");
  return { denomination: /** @type {Api.Denomination} */ (denomination), face: /** @type {Api.Face} */ (face) };
}

/** @param {Api.Denomination | null} kind */
export const radius = (kind) => (kind ? RADIUS_MM[kind] : 10);

// From the lit side to the shaded one.
const METALS = {
  penny: ["#f9cfa6", "#d28856", "#8a4722"],
  nickel: ["#f4f1ea", "#bdb9b0", "#77736a"],
  dime: ["#ffffff", "#c9d2d8", "#79858d"],
  quarter: ["#fbfdfe", "#bcc6cb", "#69747b"],
  strange: ["#e8e2d4", "#a49a86", "#5d5546"],
};
const REEDED = ["dime", "quarter"]; // coins with a ribbed edge

// What stands on the two sides, in radii: a head from the side, and a house with columns.
const RELIEFS = {
  heads: "M-.04-.7C-.36-.7-.53-.45-.49-.2L-.62.06-.49.12-.52.29C-.5.41-.38.41-.29.39L-.24.66H.43C.3.44.36.25.45.05 "
    + ".62-.34.34-.7-.04-.7Z",
  tails: "M0-.62.62-.3H-.62ZM-.52-.22h.17V.38h-.17ZM-.2-.22h.15V.38H-.2ZM.05-.22H.2V.38H.05ZM.35-.22h.17V.38H.35Z"
    + "M-.62.46H.62V.6H-.62Z",
};

// The metals lie in an SVG of their own: where a browser hides an SVG with `display: none`, as the camera's view does
// with the mat, what refers to a gradient inside it is drawn without colour.
function castMetals() {
  if (document.getElementById("metals")) return;
  document.body.append(s("svg", { id: "metals", class: "hidden", "aria-hidden": "true" }, s("defs", null,
    Object.entries(METALS).map(([name, tones]) =>
      s("radialGradient", { id: `metal-${name}`, cx: "36%", cy: "30%", r: "82%" },
        tones.map((tone, k) => s("stop", { offset: k / (tones.length - 1), "stop-color": tone })))))));
}

/**
 * The coin with its letter (H or T: colour alone must not tell the face) and its value. A face "any" does not matter:
 * then only the value is shown. `badge` shows its short name for a coin that a picture shows.
 * @type {(kind: Api.Denomination | null, face: Api.Face | "any" | null, r?: number) => SVGElement[]}
 */
export function drawCoin(kind, face, r = radius(kind)) {
  castMetals();
  const side = face && face !== "any" ? face : null;
  const letter = face === "any" && kind ? CENTS[kind] : side ? t(`${side}.letter`) : "?";
  const value = face === "any" ? "¢" : kind ? `${CENTS[kind]}¢` : "";
  const ribs = kind && REEDED.includes(kind);
  return [
    s("circle", { class: "shade", cx: 0.05 * r, cy: 0.09 * r, r }),
    s("circle", { class: "metal", r, fill: `url(#metal-${kind ?? "strange"})` }),
    ...(ribs ? [s("circle", { class: "ribs", r: r * 0.965, "stroke-width": r * 0.07,
      "stroke-dasharray": `${r * 0.035} ${r * 0.05}` })] : []),
    s("circle", { class: "rim-low", cx: 0.012 * r, cy: 0.02 * r, r: r * 0.87, "stroke-width": r * 0.06 }),
    s("circle", { class: "rim", r: r * 0.87, "stroke-width": r * 0.045 }),
    ...(side ? [s("path", { class: "relief", d: RELIEFS[side], transform: `scale(${r * 0.92})` })] : []),
    s("text", { class: "letter", y: r * 0.24, "font-size": r * 1.05, "stroke-width": r * 0.14 }, letter),
    s("text", { class: "value", y: r * 0.7, "font-size": r * 0.4, "stroke-width": r * 0.1 }, value),
  ];
}

/**
 * The one short name of a coin, where there is room for no more: "H25¢". Read out a coin is "quarter, heads".
 * @type {(kind: Api.Denomination | null, face: Api.Face | null) => string}
 */
export const shortName = (kind, face) => `${face ? t(`${face}.letter`) : "?"}${kind ? `${CENTS[kind]}¢` : ""}`;

/** @type {(kind: Api.Denomination | null, face: Api.Face | null, r: number) => SVGElement} */
export const badge = (kind, face, r) => s("text", { class: "badge", y: r }, shortName(kind, face));
