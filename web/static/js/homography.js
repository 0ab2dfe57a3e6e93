// A flat thing seen from aside: the homography that takes a rectangle to four places, as nine numbers, row by row.
// (Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3.)

/** @typedef {[number, number]} Place in pixels
 * @typedef {[number, number, number, number, number, number, number, number, number]} Homography */

/**
 * From the rectangle (0, 0) to (width, height) to these four places, clockwise from where its top left corner goes.
 * @type {(width: number, height: number, to: Place[]) => Homography}
 */
export function toQuad(width, height, [[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dy1, dx2, dy2] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const det = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / det, h = (dx1 * sy - sx * dy1) / det;
  return [(x1 - x0 + g * x1) / width, (x3 - x0 + h * x3) / height, x0,
    (y1 - y0 + g * y1) / width, (y3 - y0 + h * y3) / height, y0, g / width, h / height, 1];
}

/** @type {(m: Homography) => Homography} */
export const inverse = ([a, b, c, d, e, f, g, h, i]) => [e * i - f * h, c * h - b * i, b * f - c * e,
  f * g - d * i, a * i - c * g, c * d - a * f, d * h - e * g, b * g - a * h, a * e - b * d];

/** @type {(m: Homography, at: Place) => Place} */
export function through([a, b, c, d, e, f, g, h, i], [x, y]) {
  const depth = g * x + h * y + i;
  return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth];
}

/**
 * The same as a transform of CSS, for an element whose origin is its top left corner.
 * @type {(m: Homography) => string}
 */
export const asTransform = ([a, b, c, d, e, f, g, h, i]) =>
  `matrix3d(${[a, d, 0, g, b, e, 0, h, 0, 0, 1, 0, c, f, 0, i].map((each) => each.toFixed(9)).join(",")})`;
