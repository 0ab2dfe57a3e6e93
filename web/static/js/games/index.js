// Which module shows which game; see part.js for what a module may export.

import * as coinAge from "./coin-age.js";
import * as coinWars from "./coin-wars.js";
import * as exact from "./exact.js";
import * as goesAround from "./goes-around.js";
import * as steal from "./steal.js";

/** @type {Record<string, import("./part.js").Part>} */
export const GAMES = { steal, exact, "goes-around": goesAround, "coin-age": coinAge, "coin-wars": coinWars };
