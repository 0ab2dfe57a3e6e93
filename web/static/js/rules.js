// The rulebook of one game in the page's language: in one minute, an example turn, then the numbered clauses.

import { get } from "./api.js";
import { $, h } from "./dom.js";
import { withTitles } from "./house_rules.js";
import { beginLanguage, language, onLanguage, t } from "./i18n.js";
import { drawPrimer } from "./primer.js";

const { game } = $("rules").dataset;

async function show() {
  const [book, primer] = await Promise.all([get(`/api/rulebook/${game}?lang=${language}`), get(`/api/primer/${game}`)]);
  if (!book || !primer) return $("rules").replaceChildren(h("p", null, t("error.offline")));
  $("rules-title").textContent = book.title;
  document.title = `${book.title} – ${t("title")}`;
  $("primer").replaceChildren(...(primer.minute.length ? drawPrimer(primer) : []));
  $("rules").replaceChildren(h("h2", null, t("rules.clauses")), ...book.chapters.map((each) => chapter(book, each)));
  pointOut();
}

/** @type {(book: Api.Rulebook, chapter: Api.RulebookChapter) => HTMLElement} */
function chapter({ clauses }, { number, title }) {
  const own = clauses.filter((clause) => clause.number.split(".")[0] === number);
  return h("section", { id: `chapter-${number}`, class: "chapter" }, h("h3", null, `${number} ${title}`),
    h("ol", { class: "clauses" }, own.map(clauseLine)));
}

/** @param {Api.RulebookClause} clause */
function clauseLine({ id, number, text, refereeable }) {
  return h("li", { id, "data-testid": `clause-${id}` },
    h("a", { class: "number", href: `#${id}`, "aria-label": t("rules.linkTo", { number }) }, number),
    h("p", null, withTitles(text)), refereeable ? null : h("small", { class: "clause" }, t("rules.yours")));
}

// The clause that the address names, where a ruling leads to it.
function pointOut() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  for (const line of document.querySelectorAll(".clauses .pointed")) line.classList.remove("pointed");
  const line = document.getElementById(wanted);
  line?.classList.add("pointed");
  line?.scrollIntoView({ block: "center" });
}

async function titles() {
  const games = (await get("/api/games"))?.games ?? [];
  for (const link of $("rules-games").children) {
    const title = games.find((each) => each.game === link.dataset.game)?.title;
    if (title) link.textContent = title[language] ?? title.en;
  }
}

addEventListener("hashchange", pointOut);
$("print").onclick = () => window.print();
onLanguage(() => { show(); titles(); });
await beginLanguage();
