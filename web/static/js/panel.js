// The buttons at the table, on the page: each says what it does now, and is grey while it does nothing.

import { once, post } from "./api.js";
import { $, h, say } from "./dom.js";
import { named, spoken, t } from "./i18n.js";
import { seatTaken, watching } from "./seat.js";

const BUTTONS = ["heads.choose", "heads.done", "referee", "tails.done", "tails.choose"];
const SIDES = ["heads", "tails"];
const HOLD_MS = 1500; // as long as the real REFEREE button is held

export function makePanel() {
  $("panel").replaceChildren(...BUTTONS.map((name) => {
    const [seat, button] = name.includes(".") ? name.split(".") : [null, name];
    const made = h("button", { type: "button", class: `press ${button}`, "data-seat": seat, "data-button": name,
      "data-testid": `press-${name}` },
      h("span", { class: "cap", "data-cap": seat ? t(`${seat}.letter`) : "★" }),
      h("span", { class: "does" }, t(`panel.${button}`)),
      ...(seat ? [] : [" ", h("small", { class: "held" })])); // the space keeps the two apart in what is read out
    wire(made, name, button);
    return made;
  }));
}

// A tap presses the button; REFEREE may be held.
function wire(made, name, button) {
  let held = 0;
  made.onclick = () => {
    if (held === -1) return void (held = 0); // it was held already
    navigator.vibrate?.(15);
    (button === "done" ? once : post)("/api/press", { button: name });
  };
  if (button !== "referee") return;
  made.onpointerdown = () => {
    held = setTimeout(() => { held = -1; navigator.vibrate?.(40); once("/api/press", { button: "referee.hold" }); },
      HOLD_MS);
  };
  const release = () => { if (held > 0) { clearTimeout(held); held = 0; } };
  made.onpointerup = made.onpointerleave = made.onpointercancel = release;
}

// The lamp in each DONE burns while it does something. Games without two sides leave the buttons of the sides dark.
/** @param {Api.Snapshot} snapshot */
export function lightPanel({ game, buttons }) {
  const sided = Boolean(game && SIDES.every((seat) => seat in (game.totals ?? game.score ?? {})));
  $("panel").hidden = !sided || watching();
  for (const button of $("panel").children) {
    const { seat, button: name } = button.dataset, now = buttons[name], held = buttons[`${name}.hold`];
    const words = now?.does ? spoken(now) : t(`panel.${seat ? name.split(".")[1] : name}`);
    const idle = !now?.does;
    say(button.querySelector(".does"), words);
    if (!seat) say(button.querySelector(".held"), held?.does ? spoken(held) : "");
    button.setAttribute("aria-label", nameOf(seat, words, idle, held?.does ? spoken(held) : ""));
    button.classList.toggle("lit", Boolean(seat) && !idle);
    button.classList.toggle("idle", idle);
    button.hidden = Boolean(seat) && SIDES.includes(seatTaken() ?? "") && seat !== seatTaken();
  }
}

// What a screen reader says of a button: its seat, what it does, and that it does nothing.
function nameOf(seat, words, idle, held) {
  const what = [words, held, idle ? t("panel.idle") : ""].filter(Boolean).join(t("list.between"));
  return seat ? t("panel.button", { seat: named("seat", seat), button: what }) : what;
}
