// Follows the program while it is updated or started again: that it is away, and which version runs then.

import { get } from "./api.js";
import { say } from "./dom.js";
import { onLanguage, t } from "./i18n.js";

const LOOK_MS = 3000;

/**
 * Say in `box` when the program went away, and when it is there again.
 * @param {HTMLElement} box
 * @param {string} first the version that the page was opened with
 */
export function followVersion(box, first) {
  /** @type {string | null} */
  let now = first;
  let away = false; // it was, at least once
  const tell = () => {
    box.hidden = !away;
    say(box, !now ? t("own.away") : now === first ? t("own.again") : t("own.updated", { version: now }));
  };
  const look = async () => {
    if (document.hidden) return;
    now = (await get("/healthz"))?.version ?? null;
    away ||= !now;
    tell();
  };
  onLanguage(tell);
  setInterval(look, LOOK_MS);
}
