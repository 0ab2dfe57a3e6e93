// The game that a club would like to be played here: a card for who may begin games, with a tap for yes and one for no.

import { get, post } from "./api.js";
import { clockSaid } from "./clock_rule.js";
import { h, refill } from "./dom.js";
import { language, named, onLanguage, t } from "./i18n.js";
import { go } from "./views.js";

const LOOK_MS = 5000; // between two looks

const card = h("section", { class: "card assigned", "data-testid": "assigned", hidden: true, "aria-live": "polite" });
/** @type {Api.AssignedGame | null} */
let offered = null;

async function look() {
  if (!document.hidden) offered = (await get("/api/assigned"))?.assigned ?? null;
  draw();
}

async function begin() {
  if ((await post("/api/assigned/begin", { id: offered?.id }))?.ok) go("table");
  await look();
}

async function decline() {
  await post("/api/assigned/decline", { id: offered?.id });
  await look();
}

function draw() {
  const words = t("assigned.begin");
  card.hidden = !offered || words === "assigned.begin"; // the page's words may be on their way
  if (card.hidden || !offered) return;
  const { event, round, title, names, best_of: bestOf, clock } = offered;
  const series = bestOf > 1 ? t("assigned.best", { n: bestOf }) : "";
  const where = [event, round ? t("assigned.round", { n: round }) : "", series, clock ? clockSaid(clock) : ""];
  refill(card, [offered, language], () => [
    h("h2", null, t("assigned.title", { game: title[language] ?? title.en })),
    h("p", { "data-testid": "assigned-who" },
      Object.entries(names).map(([seat, name]) => `${name} (${named("seat", seat)})`).join(" – ")),
    h("p", { class: "hint" }, where.filter(Boolean).join(" · ")),
    h("div", { class: "choices" },
      h("button", { class: "go", type: "button", "data-testid": "assigned-begin", onclick: begin },
        words),
      h("button", { class: "quiet", type: "button", "data-testid": "assigned-decline", onclick: decline },
        t("assigned.decline")))]);
}

document.querySelector("main")?.before(card);
onLanguage(draw);
look();
setInterval(look, LOOK_MS);
