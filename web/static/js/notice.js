// One sentence at the bottom of the page. What went wrong stays until somebody closes it, Escape is pressed, or a later
// call is answered; a word about something that is done goes by itself.

import { $, h } from "./dom.js";
import { t } from "./i18n.js";

const REMARK_MS = 6000; // how long a remark stays

let fading = 0;
let unreachable = false; // whether the sentence is that the table does not answer

/** Say what went wrong. @param {string} text */
export function notice(text) {
  show(text, h("button", { type: "button", class: "close-notice", "aria-label": t("close"), onclick: hush }));
}

/** Say that the table does not answer; the next answer of it takes that back. */
export function noticeOffline() {
  notice(t("error.offline"));
  unreachable = true;
}

/** Say what is done, for a while. @param {string} text */
export function remark(text) {
  show(text);
  fading = setTimeout(hush, REMARK_MS);
}

/** The table answered a question of the page. */
export function answered() {
  if (unreachable) hush();
}

/** Take the notice away. */
export function hush() {
  clearTimeout(fading);
  unreachable = false;
  $("notice").hidden = true;
}

// An open dialog covers all that stands outside it.
function show(text, ...buttons) {
  hush();
  const box = $("notice"), dialog = document.querySelector("dialog[open]");
  if (dialog) dialog.addEventListener("close", () => document.body.append(box), { once: true });
  (dialog ?? document.body).append(box);
  box.replaceChildren(h("span", null, text), ...buttons);
  box.hidden = false;
}

addEventListener("keydown", ({ key }) => key === "Escape" && $("notice") && hush());
