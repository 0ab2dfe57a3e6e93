// A dispute: the last rulings, and what each rests on: the pictures before and after, coins marked, the clause, and the
// clip of the seconds before it.

import { get } from "./api.js";
import { clauseOf } from "./clauses.js";
import { clipPlayer } from "./clip.js";
import { disputed, tossEditor } from "./dispute.js";
import { $, h } from "./dom.js";
import { spoken, t } from "./i18n.js";
import { watching } from "./seat.js";

const KEPT = 20; // rulings remembered by this page

export class Evidence {
  constructor() {
    /** @type {Api.Ruling[]} */
    this.rulings = []; // newest first
  }

  /** @param {Api.Ruling | null} ruling */
  note(ruling) {
    if (ruling && ruling.seq !== this.rulings[0]?.seq) this.rulings = [ruling, ...this.rulings].slice(0, KEPT);
  }

  // Opens a dispute about the last ruling, unless one is open, and shows what the disputed ruling rests on.
  /** @param {Api.Snapshot | null} snapshot */
  async dispute(snapshot) {
    if (!snapshot?.ruling) return;
    const number = snapshot.prompt.disputed;
    const ruling = this.rulings.find(({ seq }) => seq === number) ?? snapshot.ruling;
    if (number !== null || watching() || (await disputed(ruling))?.ok) this.open(ruling);
  }

  list() {
    const rows = this.rulings.map((ruling) => h("li", null,
      h("button", { type: "button", class: "wide", "data-accepted": String(ruling.accepted),
        "data-testid": `ruling-${ruling.seq}`, onclick: () => this.open(ruling) },
        verdict(ruling), h("span", null, spoken(ruling)))));
    this.show(t("evidence.rulings"), rows.length
      ? h("ul", { class: "bare rulings", "data-testid": "rulings" }, rows)
      : h("p", null, t("ruling.none")));
  }

  /** @param {Api.Ruling} ruling */
  async open(ruling) {
    this.show(t("evidence.title"), h("p", { class: "hint" }, t("evidence.looking")));
    /** @type {[Api.Exhibited | null, Api.RulebookClause | null]} */
    const [found, clause] = await Promise.all([
      ruling.evidence === null ? null : get(`/api/evidence/${ruling.evidence}`),
      clauseOf(ruling.clause),
    ]);
    const pictures = found?.pictures;
    this.show(t("evidence.title"),
      h("p", { class: "verdict", "data-accepted": String(ruling.accepted) }, verdict(ruling), " ", spoken(ruling)),
      clause ? h("blockquote", { class: "clause-text", "data-testid": "evidence-clause" },
        h("b", null, `${clause.number} `), clause.text) : null,
      pictures?.after
        ? h("div", { class: "shots" }, shot("before", pictures.before), shot("after", pictures.after))
        : h("p", { class: "hint", "data-testid": "evidence-none" }, t("evidence.none")),
      found?.clip ? clipPlayer(found.clip) : null,
      found?.clip && !found.clip_checked
        ? h("p", { class: "hint", "data-testid": "clip-unchecked" }, t("clip.unchecked")) : null,
      watching() ? null : tossEditor(ruling, () => $("evidence").close()));
  }

  show(title, ...body) {
    $("evidence-title").textContent = title;
    $("evidence-body").replaceChildren(...body.filter(Boolean));
    if (!$("evidence").open) $("evidence").showModal();
  }
}

const verdict = ({ accepted }) => h("b", null, t(accepted ? "ruling.accepted" : "ruling.refused"));

function shot(when, url) {
  if (!url) return null;
  const words = t(`evidence.${when}`);
  return h("figure", null, h("img", { src: url, alt: words, "data-testid": `evidence-${when}` }),
    h("figcaption", null, words));
}
