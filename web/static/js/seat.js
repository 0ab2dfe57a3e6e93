// Where this browser sits: at a seat of the game, nowhere ("watch"), or at the whole table ("").
// At a closed table, and among people who are all trusted, that is a plain choice. At an open table it is what the
// table says (access.js).

import { playerName } from "./i18n.js";
import { ofTab } from "./storage.js";

const asked = new URLSearchParams(location.search).get("seat");
if (asked !== null) ofTab.set("seat", asked);

const listeners = [];
export const onSeat = (listener) => listeners.push(listener);

// These pages are for everybody, even if this browser had a seat.
const kiosk = document.querySelector("main.kiosk, main.overlay") !== null;

/** @type {Api.AccessState | null} */
let standing = null; // how this browser stands; null until the table has told
export const standingNow = () => standing;

// The table told how this browser stands.
/** @param {Api.AccessState} told */
export function knowStanding(told) {
  const before = JSON.stringify(standing);
  standing = told;
  if (JSON.stringify(told) !== before) changed();
}

export function mySeat() {
  if (kiosk) return "";
  if (standing && !standing.chooses) return standing.seat ?? (atTable() ? "" : "watch");
  return ofTab.get("seat") ?? "";
}

// Whether it may do all for the whole table, undo and correct anything.
export const atTable = () => !standing || ["referee", "owner"].includes(standing.role);
// Whether it came in by the code and has no seat that counts: none, or one of another game, or by now the computer's.
export const seatless = () => !kiosk && standing?.role === "seat" && !standing.chooses
  && !(standing.seat && counts(standing.seat));
export const watching = () => mySeat() === "watch" || seatless();

/** @type {string[] | null} */
let there = null; // the seats of the game under way; null before the first snapshot
/** @type {(seat: string) => boolean} */
let counts = () => true; // whether the table lets a phone that holds this seat speak for it now

/** @type {Record<string, string>} */
let names = {}; // of the people who sit there

// Who sits in a seat of the game under way, by seat and name.
export const whoIs = (seat) => playerName(seat, names);

// The name of the person in a seat of the game under way; "" where none was given.
export const nameIn = (seat) => names[seat] ?? "";

// A seat of another game, or one that the computer plays, counts as none in this game, and counts again when a person
// plays there.
/** @param {Api.Snapshot} snapshot */
export function knowSeats(snapshot) {
  const { game, seats } = snapshot;
  there = seatsOf(snapshot);
  names = snapshot.names;
  const anybody = !game || (game.characters && !game.options.players?.length); // then people bring names of their own
  counts = (seat) => seats[seat] !== "computer" && Boolean(anybody || there?.includes(seat));
}

// The seat this phone speaks for, or null when it speaks for the whole table or only looks.
export const seatTaken = () => (mySeat() && !watching() && (there?.includes(mySeat()) ?? true) ? mySeat() : null);

/**
 * A name as the table keeps it, from what somebody typed: the same as tablecoin/rules/names.py makes of it.
 * @param {string} typed
 */
export const plainName = (typed) => typed.replace(/[\u200b\u200e\u200f]/g, "").replace(/\p{Zs}/gu, " ")
  .replace(/(^|[ -~])[\u200c\u200d]+|[\u200c\u200d]+(?=[ -~]|$)/g, "$1").trim();

export function chooseSeat(seat) {
  ofTab.set("seat", seat);
  changed();
}

function changed() {
  for (const listener of listeners) listener();
}

// Every seat of the game, whichever way it names them.
/**
 * @param {Api.Snapshot} snapshot
 * @returns {string[]}
 */
export function seatsOf({ game, seats }) {
  const named = Object.keys(game?.totals ?? game?.score ?? game?.banks ?? game?.characters ?? {});
  const invited = game?.options?.players?.map?.(String) ?? []; // names; elsewhere it is a number
  return [...new Set([...named, ...invited, ...Object.keys(seats)])];
}
