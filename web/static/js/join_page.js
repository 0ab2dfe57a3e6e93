// A phone that scanned the code: sends it, and goes on to the table. The code stands after the # of the address, so
// that no log and no other page sees it.

import { $ } from "./dom.js";
import { beginLanguage, spoken, t } from "./i18n.js";

async function comeIn() {
  const code = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  const answer = await fetch("/api/access/join", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }),
  }).catch(() => null);
  if (answer?.ok) return location.replace("/");
  const told = await answer?.json().catch(() => null);
  $("coming").dataset.i18n = "join.refused";
  $("coming").textContent = t("join.refused");
  $("said").textContent = spoken(told) || told?.error || t("error.offline");
  $("said").hidden = false;
}

await beginLanguage();
comeIn();
