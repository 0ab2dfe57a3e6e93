// Calls to the house. A refusal or an error becomes one sentence in the notice at the bottom of the page.

import { $ } from "./dom.js";
import { t } from "./i18n.js";

const asked = new URLSearchParams(location.search).get("seat");
if (asked !== null) sessionStorage.setItem("seat", asked);

// "" speaks for the whole table, "watch" only looks, anything else is a seat of the game.
export const mySeat = () => sessionStorage.getItem("seat") ?? "";
export const sitAt = (seat) => sessionStorage.setItem("seat", seat);

let fading = 0;

export function notice(text) {
  const box = $("notice");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => (box.hidden = true), 6000);
}

// The answer's JSON, or null after telling the person why not.
export async function call(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  if (mySeat() && mySeat() !== "watch") headers["X-Seat"] = mySeat();
  let answer, json;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    json = await answer.json();
  } catch {
    notice(t("error.offline"));
    return null;
  }
  if (!answer.ok) {
    notice(json.error);
    return null;
  }
  if (json.ok === false) notice(json.why ?? t("error.refused"));
  return json;
}

export const post = (path, body = {}) => call("POST", path, body);

// A GET that may fail quietly.
export async function get(path) {
  try {
    const answer = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(8000) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
