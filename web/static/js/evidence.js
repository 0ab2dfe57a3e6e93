// A dispute: what the referee saw. The last rulings, and of each the picture before and after, the coins marked, the clause.

import { get } from "./api.js";
import { $, h } from "./dom.js";
import { language, spoken, t } from "./i18n.js";

const KEPT = 20; // rulings remembered by this page

export class Evidence {
  constructor() {
    this.rulings = []; // newest first
  }

  note(ruling) {
    if (ruling && ruling.seq !== this.rulings[0]?.seq) this.rulings = [ruling, ...this.rulings].slice(0, KEPT);
  }

  list() {
    this.show(t("evidence.rulings"), this.rulings.length ? h("ul", { class: "bare rulings", "data-testid": "rulings" }, this.rulings.map((ruling) =>
      h("li", null, h("button", { type: "button", class: "wide", "data-accepted": String(ruling.accepted), "data-testid": `ruling-${ruling.seq}`, onclick: () => this.open(ruling) },
        h("b", null, t(ruling.accepted ? "ruling.accepted" : "ruling.refused")), h("span", null, spoken(ruling)))))) : h("p", null, t("ruling.none")));
  }

  async open(ruling) {
    this.show(t("evidence.title"), h("p", { class: "hint" }, t("evidence.looking")));
    const [found, clause] = await Promise.all([ruling.evidence === null ? null : get(`/api/evidence/${ruling.evidence}`), clauseOf(ruling.clause)]);
    this.show(t("evidence.title"),
      h("p", { class: "verdict", "data-accepted": String(ruling.accepted) }, h("b", null, t(ruling.accepted ? "ruling.accepted" : "ruling.refused")), " ", spoken(ruling)),
      clause ? h("blockquote", { class: "clause-text", "data-testid": "evidence-clause" }, h("b", null, `${clause.number} `), clause.text) : null,
      found?.pictures.after ? h("div", { class: "shots" }, shot("before", found.pictures.before), shot("after", found.pictures.after))
        : h("p", { class: "hint", "data-testid": "evidence-none" }, t("evidence.none")));
  }

  show(title, ...body) {
    $("evidence-title").textContent = title;
    $("evidence-body").replaceChildren(...body.filter(Boolean));
    if (!$("evidence").open) $("evidence").showModal();
  }
}

const shot = (when, url) => (url ? h("figure", null, h("img", { src: url, alt: t(`evidence.${when}`), "data-testid": `evidence-${when}` }),
  h("figcaption", null, t(`evidence.${when}`))) : null);

// {"number", "text"} of a clause such as steal.place.limit; null where the rulebook has none of that name.
async function clauseOf(id) {
  if (!id) return null;
  const books = await Promise.all([get(`/api/rulebook/${id.split(".")[0]}?lang=${language}`), get(`/api/rulebook/steal?lang=${language}`)]);
  return books.flatMap((book) => book?.clauses ?? []).find((clause) => clause.id === id) ?? null;
}
