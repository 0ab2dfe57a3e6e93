// The live link: server-sent events, watched over. A phone that slept, or whose link died without a word, is noticed
// by silence: after two seconds without news the state is fetched, and if it had moved on the stream is opened anew.

import { get } from "./api.js";
import { mySeat, watching } from "./seat.js";

const SILENCE_MS = 2000;
const STALE_S = 5;

export class Live {
  constructor(onSnapshot) {
    this.onSnapshot = onSnapshot;
    this.snapshot = null;
    this.heardAt = 0; // performance.now() of the last word from the house
    this.asking = false;
    this.open();
    document.addEventListener("visibilitychange", () => document.hidden || this.open());
    addEventListener("online", () => this.open());
    setInterval(() => this.watch(), 500);
  }

  open() {
    this.stream?.close();
    const seat = watching() ? "" : mySeat(); // wished for: whether the game has it, the stream's first snapshot tells
    this.stream = new EventSource(`/api/stream${seat ? `?seat=${encodeURIComponent(seat)}` : ""}`);
    this.openedAt = performance.now();
    this.stream.onmessage = (event) => this.take(JSON.parse(event.data));
  }

  take(snapshot) {
    this.snapshot = snapshot;
    this.heardAt = performance.now();
    this.onSnapshot(snapshot);
  }

  async watch() {
    if (document.hidden || this.asking || performance.now() - this.heardAt < SILENCE_MS) return;
    this.asking = true;
    const state = await get("/api/state");
    this.asking = false;
    if (!state) {
      this.stream.close(); // EventSource gives up for good on some errors; `reopen` below does not
      this.broken = true;
      return;
    }
    const behind = this.snapshot && state.seq !== this.snapshot.seq && performance.now() - this.openedAt > SILENCE_MS;
    if (this.broken || behind || this.stream.readyState === EventSource.CLOSED) {
      this.broken = false;
      this.open();
    }
    this.take(state);
  }

  // Seconds since the picture behind what is shown was taken; null before the first snapshot.
  age() {
    return this.snapshot && (this.snapshot.age_s ?? 0) + (performance.now() - this.heardAt) / 1000;
  }

  // "connecting", "live", "stale" (it answers, with old news) or "offline" (it does not answer).
  condition() {
    if (!this.snapshot) return this.broken ? "offline" : "connecting";
    if (this.broken || performance.now() - this.heardAt > STALE_S * 1000) return "offline";
    return this.age() < STALE_S ? "live" : "stale";
  }
}
