// Clauses of the rulebooks by their ids, each rulebook fetched once a language.

import { get } from "./api.js";
import { withTitles } from "./house_rules.js";
import { language } from "./i18n.js";

/** @type {Map<string, Promise<Api.Rulebook | null>>} */
const books = new Map();

/** @type {(game: string, lang: string) => Promise<Api.Rulebook | null>} */
function book(game, lang) {
  const url = `/api/rulebook/${game}?lang=${lang}`, known = books.get(url) ?? get(url);
  books.set(url, known);
  known.then((found) => { if (!found) books.delete(url); });
  return known;
}

/**
 * The clause with an id such as steal.place.limit; null where no rulebook has it.
 * @param {string | null} id
 * @returns {Promise<Api.RulebookClause | null>}
 */
export async function clauseOf(id) {
  if (!id) return null;
  const games = [id.split(".")[0], "steal"]; // every game's rulebook ends with the shared clauses: any one has them
  const found = await Promise.all(games.map((game) => book(game, language)));
  const clause = found.flatMap((each) => each?.clauses ?? []).find((each) => each.id === id);
  return clause ? { ...clause, text: withTitles(clause.text) } : null;
}
