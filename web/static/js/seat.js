// Where this phone sits: at a seat of the game, nowhere ("watch"), or at the whole table ("").

const asked = new URLSearchParams(location.search).get("seat");
if (asked !== null) sessionStorage.setItem("seat", asked);

const listeners = [];
export const onSeat = (listener) => listeners.push(listener);

const kiosk = document.querySelector("main.kiosk") !== null; // speaks for everybody, even if this browser had a seat

export const mySeat = () => (kiosk ? "" : sessionStorage.getItem("seat") ?? "");
export const watching = () => mySeat() === "watch";

/** @type {string[] | null} */
let there = null; // the seats of the game under way; null before the first snapshot

// A seat of another game counts as none in this one, and counts again when a game with that seat is played.
/** @type {(snapshot: Api.Snapshot) => unknown} */
export const knowSeats = (snapshot) => (there = seatsOf(snapshot));

// The seat this phone speaks for, or null when it speaks for the whole table or only looks.
export const seatTaken = () => (mySeat() && !watching() && (there?.includes(mySeat()) ?? true) ? mySeat() : null);

export function sitAt(seat) {
  sessionStorage.setItem("seat", seat);
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
