// Which view of the page is shown: home, the form that starts a game, the lobby, or the table. The address names it
// (#home, #start, #lobby, #table), so "back" of the browser leads back. Where it names none, the table is shown while
// there is a game, and the lobby while one is laid out.

import { $ } from "./dom.js";
import { isLaid } from "./lobby.js";

/** @typedef {"home" | "start" | "lobby" | "table"} View */

/**
 * @param {Api.Snapshot} snapshot
 * @param {boolean} mayStart whether this browser may begin a game now
 * @returns {View}
 */
function viewOf({ game, prompt }, mayStart) {
  const wanted = location.hash.slice(1), played = game && prompt.kind !== "over";
  if (wanted === "home" || wanted === "table") return wanted;
  if (wanted === "start" && mayStart) return "start";
  if (isLaid() && !played) return "lobby";
  return game ? "table" : "home";
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
    $("lobby").hidden = view !== "lobby";
    scrollTo({ top: 0 });
  }
  return view;
}
