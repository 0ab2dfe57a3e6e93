// The game that a club would like to be played here: a card for who may begin games, with a tap for yes and one for no.

import { get, post } from "./api.js";
import { $, h } from "./dom.js";
import { language, named, onLanguage, t } from "./i18n.js";

const LOOK_MS = 5000; // between two looks

const card = h("section", { class: "card assigned", "data-testid": "assigned", hidden: true, "aria-live": "polite" });
/** @type {Api.AssignedGame | null} */
let offered = null;

async function look() {
  if (!document.hidden) offered = (await get("/api/assigned"))?.assigned ?? null;
  draw();
}

async function tell(what) {
  await post(`/api/assigned/${what}`, { id: offered?.id });
  await look();
}

function draw() {
  card.hidden = !offered;
  const shown = JSON.stringify([offered, language]);
  if (!offered || card.dataset.shown === shown) return;
  card.dataset.shown = shown;
  const { event, round, title, names, best_of: bestOf } = offered;
  const where = [event, round ? t("assigned.round", { n: round }) : "", bestOf > 1 ? t("assigned.best", { n: bestOf }) : ""];
  card.replaceChildren(
    h("h2", null, t("assigned.title", { game: title[language] ?? title.en })),
    h("p", { "data-testid": "assigned-who" },
      Object.entries(names).map(([seat, name]) => `${name} (${named("seat", seat)})`).join(" – ")),
    h("p", { class: "hint" }, where.filter(Boolean).join(" · ")),
    h("div", { class: "choices" },
      h("button", { class: "go", type: "button", "data-testid": "assigned-begin", onclick: () => tell("begin") },
        t("assigned.begin")),
      h("button", { class: "quiet", type: "button", "data-testid": "assigned-decline", onclick: () => tell("decline") },
        t("assigned.decline"))));
}

$("prompt").before(card);
onLanguage(draw);
look();
setInterval(look, LOOK_MS);
