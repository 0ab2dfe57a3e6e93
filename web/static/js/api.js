// Calls to the table. A refusal or an error becomes one sentence in the notice at the bottom of the page.

import { spoken, t } from "./i18n.js";
import { answered, hush, notice, noticeOffline } from "./notice.js";
import { seatTaken } from "./seat.js";

const DOUBLE_TAP_MS = 400;
const GET_TIMEOUT_MS = 8000; // longer than any look at the table takes
const AGAIN_MS = 300; // after which a refused call is repeated: by then this browser has its new token
const tapped = new Set(); // calls made with `once`, until DOUBLE_TAP_MS after their answer

// A header holds ASCII only, but a player's name may hold any letters.
/**
 * @param {string | null} seat
 * @returns {Record<string, string>}
 */
function headersFor(seat) {
  if (!seat) return {};
  return { "X-Seat": encodeURIComponent(seat) };
}

/**
 * The answer of the table. When this browser changes its rights it gets a new token, and the table refuses calls of its
 * other tabs that are on their way with the old one. These are repeated once.
 * @param {string} path
 * @param {RequestInit} [options]
 */
export async function request(path, options) {
  const answer = await fetch(path, options);
  if (answer.status !== 403 || answer.headers.get("Retry-After") !== "0") return answer;
  await new Promise((wake) => setTimeout(wake, AGAIN_MS));
  return fetch(path, options);
}

/**
 * The answer's JSON, or null after the notice said why not. `seat` is the seat that the call speaks for.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {string | null} [seat]
 * @returns {Promise<any>}
 */
export async function call(method, path, body, seat = seatTaken()) {
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": "application/json", ...headersFor(seat) };
  let answer, json;
  try {
    answer = await request(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    json = await answer.json();
  } catch {
    noticeOffline();
    return null;
  }
  if (!answer.ok) {
    notice(spoken(json) || json.error);
    return null;
  }
  if (json.ok === false) notice(spoken(json) || json.why || t("error.refused"));
  else hush();
  return json;
}

/** @type {(path: string, body?: unknown, seat?: string | null) => Promise<any>} */
export const post = (path, body = {}, seat = seatTaken()) => call("POST", path, body, seat);

/**
 * A double tap counts once: the second would be refused, so the same call is not sent again within DOUBLE_TAP_MS.
 * @param {string} path
 * @param {unknown} [body]
 * @param {string | null} [seat]
 * @returns {Promise<any>}
 */
export async function once(path, body, seat = seatTaken()) {
  const what = JSON.stringify([path, body, seat]);
  if (tapped.has(what)) return null;
  tapped.add(what);
  const answer = await post(path, body, seat);
  setTimeout(() => tapped.delete(what), DOUBLE_TAP_MS);
  return answer;
}

/**
 * An act of the game; true when the referee accepted it.
 * @param {Record<string, any>} action
 * @param {string | null} [seat]
 */
export const act = async (action, seat = seatTaken()) => (await once("/api/act", action, seat))?.ok === true;

/**
 * The JSON of a GET, or null without a word when it fails.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function get(path) {
  try {
    const headers = headersFor(seatTaken());
    const answer = await request(path, { cache: "no-store", headers, signal: AbortSignal.timeout(GET_TIMEOUT_MS) });
    answered();
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
