// How this browser stands at the table, and taking a seat there.

import { get, once } from "./api.js";
import { chooseSeat, knowStanding, plainName, standingNow } from "./seat.js";

const ASKED_MS = 1000; // between two looks while a seat waits for its DONE

let looking = 0;

/** @param {Api.AccessState | null} told */
function take(told) {
  if (!told) return;
  knowStanding(told);
  clearTimeout(looking);
  if (told.asked) looking = setTimeout(refreshAccess, ASKED_MS);
}

// Ask the table anew. It tells the listeners of seat.js when something has changed.
export async function refreshAccess() {
  take(await get("/api/access"));
}

// Sit at a seat; "" or "watch": at none. At an open table the table decides, and its answer may be to press DONE.
/** @param {string} seat */
export async function sitAt(seat) {
  seat = plainName(seat);
  if (standingNow()?.chooses ?? true) return chooseSeat(seat);
  if (!seat || seat === "watch") return take(await once("/api/access/leave", {}, null));
  return take(await once("/api/access/seat", { seat }, null));
}
