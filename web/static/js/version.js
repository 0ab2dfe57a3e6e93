// Follows the program while it is updated or started again: that it is away, and which version runs then.

import { get } from "./api.js";
import { say } from "./dom.js";
import { onLanguage, t } from "./i18n.js";

const LOOK_MS = 3000;

/**
 * Say in `box` when the program went away, and when it is there again; in `line` which version it is.
 * @param {HTMLElement} box
 * @param {HTMLElement} line
 * @param {string} first the version that the page was opened with
 */
export function followVersion(box, line, first) {
  /** @type {string | null} */
  let now = first;
  let away = false; // it was, at least once
  let newest = first, before = first; // the version that ran last, and another one before it
  const news = () => {
    if (!now) return t("own.away");
    if (before === newest) return t("own.again", { version: now });
    return t(now === first ? "own.wentBack" : "own.updated", { version: now, before });
  };
  const tell = () => {
    box.hidden = !away;
    say(box, news());
    say(line, t("own.version", { version: newest }));
  };
  const look = async () => {
    if (document.hidden) return;
    now = (await get("/healthz"))?.version ?? null;
    away ||= !now;
    if (now && now !== newest) [before, newest] = [newest, now];
    tell();
  };
  onLanguage(tell);
  tell();
  setInterval(look, LOOK_MS);
}
