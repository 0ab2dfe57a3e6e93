// The chess clock: the time of each side, counted down between two snapshots. The last minute and a time that is over
// are told by a word, a frame and a colour.

import { $, h, refill, say } from "./dom.js";
import { language, seatName, t } from "./i18n.js";

const TICK_MS = 100;
const LAST_S = 60; // the last minute
const TENTHS_S = 10; // below this tenths of a second are shown

/** @type {Api.Snapshot | null} */
let heard = null;
let heardAt = 0; // performance.now() when the snapshot came

/** @param {Api.Snapshot} snapshot */
export function hearClock(snapshot) {
  if (snapshot !== heard) heardAt = performance.now();
  heard = snapshot;
}

/** @type {(clock: Api.Clock, seat: string) => number} */
const leftOf = ({ left_s: left, running }, seat) =>
  left[seat] - (running.includes(seat) ? (performance.now() - heardAt) / 1000 : 0);

/** @type {(left: number) => "over" | "last" | "plenty"} */
const stateOf = (left) => (left <= 0 ? "over" : left <= LAST_S ? "last" : "plenty");

// 1:05:09, 9:30, 0:07.4; a clock that ran on below zero has a minus.
/** @param {number} left seconds */
export function timeText(left) {
  const tenths = Math.abs(left) < TENTHS_S && left > 0;
  const all = tenths ? Math.floor(left * 10) / 10 : left > 0 ? Math.ceil(left) : Math.floor(-left);
  const hours = Math.floor(all / 3600), minutes = Math.floor(all / 60) % 60, rest = all % 60;
  const seconds = (tenths ? rest.toFixed(1) : String(rest)).padStart(tenths ? 4 : 2, "0");
  return `${left <= 0 && all ? "−" : ""}${hours ? `${hours}:${String(minutes).padStart(2, "0")}` : minutes}:${seconds}`;
}

/**
 * A box for each clock; `tick` keeps their times.
 * @param {Api.Clock} clock
 * @param {(seat: string) => string} nameOf
 */
export const clockBoxes = (clock, nameOf) => Object.keys(clock.left_s).map((seat) =>
  h("div", { class: "clock-box", "data-clock": seat, "data-seat": seat, "data-testid": `clock-${seat}` },
    h("span", { class: "clock-name" }, nameOf(seat)), h("small", { class: "clock-word" }),
    h("b", { class: "clock-time", role: "timer" })));

// Fill in the times as they are now.
export function tick() {
  const clock = heard?.clock;
  if (!clock) return;
  for (const box of document.querySelectorAll("[data-clock]")) {
    const seat = box.getAttribute("data-clock") ?? "", left = leftOf(clock, seat), state = stateOf(left);
    const runs = clock.running.includes(seat);
    box.toggleAttribute("data-runs", runs);
    box.setAttribute("data-state", state);
    say(box.querySelector(".clock-time"), timeText(left));
    say(box.querySelector(".clock-word"), state === "plenty" ? t(runs ? "clock.runs" : "clock.stands")
      : t(`clock.${state}`));
  }
}

// The clocks of the page; hidden in a game without one.
/** @param {Api.Snapshot} snapshot */
export function showClock(snapshot) {
  hearClock(snapshot);
  const { clock, names } = snapshot, seats = Object.keys(clock?.left_s ?? {});
  $("clock").hidden = !seats.length;
  $("clock").dataset.many = seats.length > 2 ? "yes" : "no";
  refill($("clock"), [seats, names, language], () =>
    (clock ? clockBoxes(clock, (seat) => names[seat] ?? seatName(seat)) : []));
  tick();
}

setInterval(tick, TICK_MS);
