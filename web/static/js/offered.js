// The games that can be started, asked for once.

import { get } from "./api.js";
import { language } from "./i18n.js";

/** @type {Api.GameOffered[]} */
let games = [];

export async function loadGames() {
  if (!games.length) games = (await get("/api/games"))?.games ?? [];
  return games;
}

// A game's title in the page's language; the game's own name until the titles have come.
/** @param {string} name */
export function titleOf(name) {
  const title = games.find(({ game }) => game === name)?.title;
  return title?.[language] ?? title?.en ?? name;
}
