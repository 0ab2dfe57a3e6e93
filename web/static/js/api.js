// Calls to the house. A refusal or an error becomes one sentence in the notice at the bottom of the page.

import { $ } from "./dom.js";
import { spoken, t } from "./i18n.js";
import { seatTaken } from "./seat.js";

const DOUBLE_TAP_MS = 400;
const tapped = new Set(); // what was asked with `once`, and for a moment longer

let fading = 0;

export function notice(text) {
  const box = $("notice");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => (box.hidden = true), 6000);
}

// A header holds no letters beyond ASCII, and players have names.
const headersFor = (seat) => (seat ? { "X-Seat": encodeURIComponent(seat) } : {});

// The answer's JSON, or null after telling the person why not. `seat` is whom the call speaks for.
export async function call(method, path, body, seat = seatTaken()) {
  const headers = { "Content-Type": "application/json", ...headersFor(seat) };
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
  if (json.ok === false) notice(spoken(json) || (json.why ?? t("error.refused")));
  return json;
}

export const post = (path, body = {}, seat = seatTaken()) => call("POST", path, body, seat);

// A finger that taps twice means it once: the same again at once is not sent, lest it be refused.
export async function once(path, body, seat = seatTaken()) {
  const what = JSON.stringify([path, body, seat]);
  if (tapped.has(what)) return null;
  tapped.add(what);
  const answer = await post(path, body, seat);
  setTimeout(() => tapped.delete(what), DOUBLE_TAP_MS);
  return answer;
}

// An act of the game; true when the referee accepted it.
export const act = async (action, seat = seatTaken()) => (await once("/api/act", action, seat))?.ok === true;

// A GET that may fail quietly.
export async function get(path) {
  try {
    const answer = await fetch(path, { cache: "no-store", headers: headersFor(seatTaken()), signal: AbortSignal.timeout(8000) });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
