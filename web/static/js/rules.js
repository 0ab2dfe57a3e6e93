// The rulebook: the numbered clauses of one game, in the page's language.

import { get } from "./api.js";
import { $, h } from "./dom.js";
import { firstLanguage, language, loadLanguage, onLanguage, switchLanguage, t } from "./i18n.js";

async function show() {
  const { game } = $("rules").dataset;
  const book = await get(`/api/rulebook/${game}?lang=${language}`);
  if (!book) return $("rules").replaceChildren(h("p", null, t("error.offline")));
  $("rules-title").textContent = book.title;
  document.title = `${book.title} – ${t("title")}`;
  $("rules").replaceChildren(...book.clauses.map(({ id, number, text, refereeable }) =>
    h("li", { id, "data-testid": `clause-${id}` }, h("b", { class: "number" }, number), h("p", null, text),
      h("small", { class: "clause" }, refereeable ? id : `${id} · ${t("rules.yours")}`))));
  if (location.hash) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
}

async function titles() {
  const games = (await get("/api/games"))?.games ?? [];
  for (const link of $("rules-games").children) {
    const title = games.find((each) => each.game === link.dataset.game)?.title;
    if (title) link.textContent = title[language] ?? title.en;
  }
}

$("language").onclick = switchLanguage;
onLanguage(() => { show(); titles(); });
await loadLanguage(firstLanguage());
