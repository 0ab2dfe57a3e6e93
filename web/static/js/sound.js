// Sound, off until a person switches it on: the referee's words, spoken by the browser, and the tunes of what the
// owner lets people hear.

import { $ } from "./dom.js";
import { language, seatName, spoken, t } from "./i18n.js";
import { lasting } from "./storage.js";

// The panel's own, without those that the owner silenced: name -> [[hz, seconds], …]
const TUNES = JSON.parse(document.body.dataset.tunes ?? "{}");
const TUNE_OF = { question: "question", consent: "question", dispute: "question", flip: "toss", paused: "pause",
  over: "over", turn: "turn" };
const SENTENCE = /[^.!?。！？]+[.!?。！？]*/g;

export class Sound {
  constructor() {
    /** @type {{ ruling: number | undefined, prompt: string, kind: string, over: string[] } | null} */
    this.heard = null; // the ruling and prompt of the last snapshot; null before the first, which makes no sound
    /** @type {AudioContext | null} */
    this.audio = null;
  }

  wire() {
    for (const what of ["speak", "tones"]) {
      const input = $(what);
      input.checked = lasting.get(what) === "yes";
      input.closest("label").hidden = what === "speak" && !("speechSynthesis" in window);
      input.onchange = () => {
        lasting.set(what, input.checked ? "yes" : "no");
        if (what === "speak" && !input.checked) speechSynthesis.cancel();
        if (what === "tones" && input.checked) this.play("press"); // a tap is what lets a browser make sound
      };
    }
  }

  /** @param {Api.Snapshot} snapshot */
  hear({ ruling, prompt, clock }) {
    const before = this.heard;
    const kind = `${prompt.kind} ${prompt.seat}`;
    this.heard = { ruling: ruling?.seq, prompt: `${kind} ${prompt.text}`, kind, over: clock?.over ?? [] };
    if (!before) return;
    const ruled = ruling && ruling.seq !== before.ruling, asked = this.heard.prompt !== before.prompt;
    if ($("speak").checked && (ruled || asked)) this.say([ruled ? spoken(ruling) : "", asked ? spoken(prompt) : ""]);
    const over = this.heard.over.filter((seat) => !before.over.includes(seat));
    if ($("speak").checked && over.length && !ruled) {
      this.say(over.map((seat) => t("clock.said", { seat: seatName(seat) })));
    }
    const happened = [over.length && "time", ruled && !ruling.accepted && "refused", // what matters most first
      this.heard.kind !== before.kind && TUNE_OF[prompt.kind],
      ruled && ruling.accepted && (ruling.action?.do === "flip" ? "tossed" : "accepted")];
    if ($("tones").checked) this.play(happened.find((name) => name && name in TUNES));
  }

  // Speaks sentence by sentence, and drops what was still to be said before.
  say(texts) {
    speechSynthesis.cancel();
    for (const sentence of texts.flatMap((text) => text.match(SENTENCE) ?? [])) {
      const words = new SpeechSynthesisUtterance(sentence.trim());
      words.lang = language === "zh" ? "zh-CN" : "en-US";
      speechSynthesis.speak(words);
    }
  }

  // A browser makes no sound before the first touch or key on a page; what was due until then is not made up for.
  /** @param {string | false | undefined} name */
  play(name) {
    if (!name || !(name in TUNES) || navigator.userActivation?.hasBeenActive === false) return;
    try {
      this.audio ??= new AudioContext();
    } catch {
      return; // no sound device
    }
    let at = this.audio.currentTime;
    for (const [hz, seconds] of TUNES[name]) {
      if (hz) beep(this.audio, hz, at, seconds);
      at += seconds;
    }
  }

}

/** @type {(audio: AudioContext, hz: number, at: number, seconds: number) => void} */
function beep(audio, hz, at, seconds) {
  const tone = audio.createOscillator(), loudness = audio.createGain();
  tone.frequency.value = hz;
  loudness.gain.setValueAtTime(0.12, at);
  loudness.gain.setTargetAtTime(0, at + seconds * 0.8, 0.015); // without a soft end it clicks
  tone.connect(loudness).connect(audio.destination);
  tone.start(at);
  tone.stop(at + seconds + 0.08);
}
