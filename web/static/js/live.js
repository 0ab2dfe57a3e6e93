// The live link: server-sent events, and a watch over them. A phone that slept, or whose connection broke unnoticed,
// hears nothing: after SILENCE_MS the state is fetched, and if it is newer the stream is opened again.

import { get } from "./api.js";
import { mySeat, watching } from "./seat.js";

const SILENCE_MS = 2000;
const STALE_S = 5;

export class Live {
  /**
   * @param {(snapshot: Api.Snapshot) => void} onSnapshot
   * @param {() => unknown} onRefused the table did not answer, or it refused: this seat may be somebody else's now
   */
  constructor(onSnapshot, onRefused) {
    this.onSnapshot = onSnapshot;
    this.onRefused = onRefused;
    /** @type {Api.Snapshot | null} */
    this.snapshot = null;
    this.broken = false; // the table did not answer when it was asked last
    /** @type {EventSource | undefined} */
    this.stream = undefined;
    this.openedAt = 0;
    this.heardAt = 0; // performance.now() when the table was last heard
    this.asking = false;
    this.open();
    document.addEventListener("visibilitychange", () => document.hidden || this.open());
    addEventListener("online", () => this.open());
    setInterval(() => this.watch(), 500);
  }

  open() {
    this.stream?.close();
    const seat = watching() ? "" : mySeat(); // sent unchecked: the first snapshot tells whether the game has this seat
    this.stream = new EventSource(`/api/stream${seat ? `?seat=${encodeURIComponent(seat)}` : ""}`);
    this.openedAt = performance.now();
    this.stream.onmessage = (event) => this.take(JSON.parse(event.data));
  }

  /** @param {Api.Snapshot} snapshot */
  take(snapshot) {
    this.snapshot = snapshot;
    this.heardAt = performance.now();
    this.onSnapshot(snapshot);
  }

  async watch() {
    if (document.hidden || this.asking || performance.now() - this.heardAt < SILENCE_MS) return;
    this.asking = true;
    /** @type {Api.Snapshot | null} */
    const state = await get("/api/state");
    this.asking = false;
    if (!state) {
      this.stream?.close(); // EventSource gives up for good on some errors; `watch` opens it again
      this.broken = true;
      this.onRefused();
      return;
    }
    const behind = this.snapshot && state.seq !== this.snapshot.seq && performance.now() - this.openedAt > SILENCE_MS;
    if (this.broken || behind || this.stream?.readyState === EventSource.CLOSED) {
      this.broken = false;
      this.open();
    }
    this.take(state);
  }

  // Seconds since the picture behind what is shown was taken; null before the first snapshot.
  age() {
    return this.snapshot && this.snapshot.age_s + (performance.now() - this.heardAt) / 1000;
  }

  // "connecting", "live", "stale" (it answers, but its picture is old) or "offline" (it does not answer).
  condition() {
    if (!this.snapshot) return this.broken ? "offline" : "connecting";
    if (this.broken || performance.now() - this.heardAt > STALE_S * 1000) return "offline";
    return (this.age() ?? 0) < STALE_S ? "live" : "stale";
  }
}
