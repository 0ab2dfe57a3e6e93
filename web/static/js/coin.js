// One coin as SVG, in millimetres, its centre at the origin.

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

export function metals() {
  const metal = (id, ...stops) =>
    s("radialGradient", { id, cx: "38%", cy: "32%", r: "78%" },
      stops.map(([offset, color]) => s("stop", { offset, "stop-color": color })));
  return s("defs", null,
    metal("copper", [0, "#f6c49b"], [0.45, "#cf8052"], [1, "#7f3f1e"]),
    metal("silver", [0, "#ffffff"], [0.45, "#c3cacd"], [1, "#737d83"]),
    metal("strange", [0, "#e8e2d4"], [0.5, "#a49a86"], [1, "#5d5546"]));
}

export const metalOf = (kind) => (kind === "penny" ? "copper" : kind ? "silver" : "strange");

// The coin's disc with its letter (H or T: colour alone must not tell the face) and its value. A face "any" does not
// matter: then only the value is shown. `badge` shows the same in small letters beside the coin.
export function drawCoin(kind, face, r = radius(kind)) {
  const letter = face === "any" ? CENTS[kind] : face ? t(`${face}.letter`) : "?";
  const value = face === "any" ? "¢" : kind ? `${CENTS[kind]}¢` : "";
  return [
    s("circle", { class: "shade", cx: 0.5, cy: 0.9, r }),
    s("circle", { class: "metal", r, fill: `url(#${metalOf(kind)})` }),
    s("circle", { class: "rim", r: r * 0.86 }),
    s("text", { class: "letter", y: r * 0.22, "font-size": r * 1.05 }, letter),
    s("text", { class: "value", y: r * 0.68, "font-size": r * 0.4 }, value),
  ];
}

export function badge(kind, face, r) {
  const letter = face === "any" ? "" : face ? t(`${face}.letter`) : "?";
  const text = `${letter}${kind ? CENTS[kind] : ""}`;
  return s("text", { class: "badge", y: r }, text);
}
