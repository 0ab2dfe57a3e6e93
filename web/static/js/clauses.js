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
  for (const game of ["steal", id.split(".")[0]]) { // every game's rulebook ends with the shared clauses
    const clause = (await book(game, language))?.clauses.find((each) => each.id === id);
    if (clause) return { ...clause, text: withTitles(clause.text) };
  }
  return null;
}
