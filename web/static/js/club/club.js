// What the club's pages share: the live stream of the hall, points and names as people write them.

import { get } from "../api.js";
import { beginLanguage, language, onLanguage, seatName, t } from "../i18n.js";

const SILENCE_MS = 12_000; // the club sends something every 5 s: after this the stream is opened again

/** Half points as people write them: 3 is 1½. @param {number} halves */
export const points = (halves) => (halves % 2 ? `${halves > 1 ? (halves - 1) / 2 : ""}½` : String(halves / 2));

/** A text that came in every language. @param {Record<string, string> | null} [texts] */
export const inWords = (texts) => texts?.[language] ?? texts?.en ?? "";

/** Who sits there: the name, or what the seat is called. @param {any} seated */
export const whoSits = ({ seat, player, name }) =>
  name || (player === "computer" ? t("club.computer", { seat: seatName(seat) }) : seatName(seat));

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]; // addresses of the machine itself, which nobody else reaches

/**
 * The address of a table's page; "" where this browser cannot reach it, or where what the table sent is no address.
 * @param {string} [url]
 */
export function reachable(url) {
  try {
    const { protocol, hostname } = new URL(url ?? "");
    const here = !LOOPBACK.includes(hostname) || LOOPBACK.includes(location.hostname);
    return url && here && /^https?:$/.test(protocol) ? url : "";
  } catch {
    return "";
  }
}

const SAME_CLOCK_MS = 2000; // below this it is only the time that a message takes
let ahead = Date.now() - performance.now(); // the club's clock less this page's steady one, in milliseconds

/** Minutes and seconds left until a time of the club's clock. @param {string} ends */
export function left(ends) {
  const seconds = Math.max(0, Math.round((Date.parse(ends) - performance.now() - ahead) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Show the page in its language, and again whenever that changes.
 * @param {() => void} draw
 */
export async function begin(draw) {
  await beginLanguage();
  onLanguage(draw);
  draw();
}

/**
 * Follow the hall. `take` is called with each newer state; null: the club does not answer.
 * @param {(state: any) => void} take
 */
export function follow(take) {
  let stream, heardAt = performance.now();
  const heard = (state) => {
    heardAt = performance.now();
    const apart = state ? Date.parse(state.at) - heardAt : ahead;
    if (Math.abs(apart - ahead) > SAME_CLOCK_MS) ahead = apart; // else the numbers would jump by a second
    take(state);
  };
  const open = () => {
    stream?.close();
    stream = new EventSource("/api/stream");
    stream.onmessage = (event) => heard(JSON.parse(event.data));
  };
  open();
  document.addEventListener("visibilitychange", () => document.hidden || open());
  setInterval(async () => {
    if (document.hidden || performance.now() - heardAt < SILENCE_MS) return;
    const state = await get("/api/state");
    heard(state);
    if (stream.readyState === EventSource.CLOSED) open();
  }, 2000);
}
