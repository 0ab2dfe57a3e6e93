// The home: every road that is open from here. At a table where nobody has played yet they are numbered, and the first
// is the one to take: a simulated table is learnt at once, one with a camera is set up.

import { get } from "./api.js";
import { $, h, refill } from "./dom.js";
import { language, t } from "./i18n.js";
import { titleOf } from "./offered.js";
import { standings } from "./play.js";
import { atTable, standingNow, whoIs } from "./seat.js";

/** @type {boolean | null} */
let played = null; // whether a game was ever played here; null where the table cannot tell
/** @type {"not" | "asking" | "told"} */
let asked = "not"; // whether a game was ever played here. Until then no road is shown: they would move under a finger
/** @type {[Api.Snapshot, boolean]} */
let newest; // what the home was last asked to show

/**
 * @typedef {object} Road
 * @property {string} name its key in the catalogue: home.NAME, and home.NAME.what
 * @property {string} href
 * @property {string} [says] in place of home.NAME.what
 */

/**
 * @param {Api.Snapshot} snapshot
 * @param {boolean} mayStart
 */
export function showHome(snapshot, mayStart) {
  newest = [snapshot, mayStart];
  if (asked === "not") ask();
  if (asked !== "told") return;
  const first = played === false && mayStart && !snapshot.game;
  const roads = roadsFrom(snapshot, mayStart, first);
  $("home-watch").hidden = standingNow()?.role !== "watch";
  $("roads").dataset.first = first ? "yes" : "no";
  refill($("roads"), [roads, first, language], () => [
    first ? h("h2", null, t("home.first")) : null,
    h("ul", null, roads.map((road, at) => h("li", null,
      h("a", { href: road.href, class: at ? "road" : "road main", "data-testid": `road-${road.name}` },
        first && at < 3 ? h("span", { class: "number", "aria-hidden": "true" }, String(at + 1)) : null,
        h("b", null, t(`home.${road.name}`)), h("span", null, road.says ?? t(`home.${road.name}.what`)))))),
  ].filter(Boolean));
}

async function ask() {
  asked = "asking";
  const told = await get("/api/history?limit=1");
  played = told ? told.games.length > 0 || told.uncounted > 0 : null;
  asked = "told";
  if (document.body.dataset.page === "home") showHome(...newest);
}

/** @type {(snapshot: Api.Snapshot, mayStart: boolean, first: boolean) => Road[]} */
function roadsFrom({ game, prompt }, mayStart, first) {
  const { wizard, simulated } = $("roads").dataset;
  const start = mayStart ? [{ name: "start", href: "#start" }] : [];
  const teach = [{ name: "teach", href: "/learn" }];
  const setUp = wizard === "yes" && atTable() ? [{ name: "setUp", href: "/calibrate" }] : [];
  const score = [{ name: "score", href: "/score" }], history = [{ name: "history", href: "/history" }];
  const look = game ? [] : [{ name: "look", href: "#table" }];
  if (first) {
    const ways = simulated === "yes" ? [...teach, ...start, ...setUp] : [...setUp, ...start, ...teach];
    return [...ways, ...score, ...look];
  }
  const on = game ? [{ name: prompt.kind === "over" ? "ended" : "goOn", href: "#table", says: stands(game) }] : [];
  return [...on, ...start, ...teach, ...history, ...score, ...setUp, ...look];
}

// How the game under way stands: its name, and what each seat has.
export function stands(game) {
  const title = titleOf(game.game);
  const each = standings(game).filter(({ text }) => text).map(({ seat, text }) => `${whoIs(seat)} ${text}`);
  return each.length ? `${title}: ${each.join(t("list.between"))}` : title;
}
