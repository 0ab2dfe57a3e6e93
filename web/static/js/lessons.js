// The list of lessons.

import { get } from "./api.js";
import { $ } from "./dom.js";
import { beginLanguage, language, named, onLanguage } from "./i18n.js";

async function show() {
  const games = (await get("/api/games"))?.games ?? [];
  for (const link of $("lessons").querySelectorAll("[data-game]")) {
    const { game } = link.dataset;
    const title = games.find((each) => each.game === game)?.title;
    link.querySelector("b").textContent = title?.[language] ?? game;
    link.querySelector("span").textContent = named("blurb", game);
  }
}

onLanguage(show);
await beginLanguage();
