// A clip played: the seconds before a ruling, with a scrubber and slow motion. The file is a line of JSON and small
// JPEGs behind it (tablecoin/journal/clip.py). A page that uses this needs css/games.css.

import { h, say } from "./dom.js";
import { spoken, t } from "./i18n.js";

const SPEEDS = [1, 0.5, 0.25];
const LONGEST_S = 1; // a still is shown no longer: nothing was filmed while nothing moved

/** @typedef {{ at_s: number, picture: ImageBitmap }} Still `at_s` counts from the picture that was ruled on */

/**
 * An element that plays the clip at `url`, or says in one sentence why there is none.
 * @param {string} url
 * @returns {any}
 */
export function clipPlayer(url) {
  const box = h("section", { class: "clip", "data-testid": "clip", "aria-label": t("clip.title") },
    h("p", { class: "hint" }, t("clip.loading")));
  load(url).then(
    (stills) => box.replaceChildren(...new Player(stills).parts),
    (error) => box.replaceChildren(h("p", { class: "hint", "data-testid": "clip-none" }, error.message)));
  return box;
}

/**
 * The stills of a clip, oldest first. The error's message is a sentence for people.
 * @param {string} url
 * @returns {Promise<Still[]>}
 */
async function load(url) {
  const answer = await fetch(url).catch(() => null);
  if (!answer) throw new Error(t("error.offline"));
  if (!answer.ok) {
    const told = await answer.json().catch(() => null);
    throw new Error(spoken(told) || told?.error || t("clip.damaged"));
  }
  try {
    const clip = await answer.blob();
    let end = new Uint8Array(await clip.arrayBuffer()).indexOf(10) + 1; // the first line's
    /** @type {{ stills: { at_s: number, bytes: number }[] }} */
    const { stills } = JSON.parse(await clip.slice(0, end).text());
    return await Promise.all(stills.map(async ({ at_s, bytes }) =>
      ({ at_s, picture: await createImageBitmap(clip.slice(end, end += bytes, "image/jpeg")) })));
  } catch {
    throw new Error(t("clip.damaged"));
  }
}

class Player {
  /** @param {Still[]} stills at least one */
  constructor(stills) {
    this.stills = stills;
    this.now = 0; // which still is shown
    this.speed = 1;
    this.timer = 0; // runs while it plays
    const [{ picture }] = stills;
    this.canvas = h("canvas", { width: picture.width, height: picture.height, role: "img",
      "aria-label": t("clip.title"), "data-testid": "clip-picture" });
    this.scrubber = h("input", { type: "range", min: 0, max: stills.length - 1, step: 1, value: 0,
      "aria-label": t("clip.scrub"), "data-testid": "clip-scrubber",
      oninput: () => { this.pause(); this.show(Number(this.scrubber.value)); },
      onkeydown: (event) => { if (event.key === " ") { event.preventDefault(); this.toggle(); } } });
    this.button = h("button", { type: "button", class: "go", "data-testid": "clip-play",
      onclick: () => this.toggle() }, t("clip.play"));
    this.speeds = SPEEDS.map((speed) => h("button", { type: "button", "aria-pressed": String(speed === 1),
      "data-testid": `clip-speed-${speed}`, onclick: () => this.run(speed) }, t(`clip.speed.${speed}`)));
    this.told = h("output", { class: "hint", "data-testid": "clip-at" });
    this.show(0);
  }

  get parts() {
    return [this.canvas, this.scrubber,
      h("div", { class: "row" }, this.button,
        h("div", { class: "switcher", role: "group", "aria-label": t("clip.speed") }, this.speeds), this.told)];
  }

  /** @param {number} number */
  show(number) {
    this.now = number;
    const { at_s, picture } = this.stills[number];
    this.canvas.getContext("2d").drawImage(picture, 0, 0, this.canvas.width, this.canvas.height);
    this.scrubber.value = String(number);
    const told = t("clip.at", { s: Math.max(0, -at_s).toFixed(1) });
    this.scrubber.setAttribute("aria-valuetext", told);
    say(this.told, told);
  }

  get playing() {
    return this.timer !== 0;
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.now === this.stills.length - 1) this.show(0);
    say(this.button, t("clip.pause"));
    this.next();
  }

  // Shows the next still when it is due, and pauses at the last one, or when the page shows something else.
  next() {
    const [here, after] = this.stills.slice(this.now, this.now + 2);
    if (!after) return this.pause();
    const wait_s = Math.min(LONGEST_S, after.at_s - here.at_s) / this.speed;
    this.timer = window.setTimeout(() => {
      if (!this.canvas.isConnected) return this.pause();
      this.show(this.now + 1);
      this.next();
    }, 1000 * wait_s);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = 0;
    say(this.button, t("clip.play"));
  }

  /** @param {number} speed */
  run(speed) {
    this.speed = speed;
    this.speeds.forEach((button, k) => button.setAttribute("aria-pressed", String(SPEEDS[k] === speed)));
  }
}
