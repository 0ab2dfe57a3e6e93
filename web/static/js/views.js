// Which view of the page is shown: home, the form that starts a game, or the table. The address names it (#home,
// #start, #table), so "back" of the browser leads back; where it names none, the table is shown while there is a game.

import { $ } from "./dom.js";

/** @typedef {"home" | "start" | "table"} View */

/**
 * @param {Api.Snapshot} snapshot
 * @param {boolean} mayStart whether this browser may begin a game now
 * @returns {View}
 */
function viewOf({ game }, mayStart) {
  const wanted = location.hash.slice(1);
  if (wanted === "home" || wanted === "table") return wanted;
  return wanted === "start" && mayStart ? "start" : game ? "table" : "home";
}

/** @type {(view: View) => void} */
export const go = (view) => { location.hash = `#${view}`; };

/** @type {(snapshot: Api.Snapshot, mayStart: boolean) => View} */
export function showView(snapshot, mayStart) {
  const view = viewOf(snapshot, mayStart);
  if (document.body.dataset.page !== view) {
    document.body.dataset.page = view;
    $("home").hidden = view !== "home";
    $("start").hidden = view !== "start";
    scrollTo({ top: 0 });
  }
  return view;
}
