// What to do: the prompt with its one-tap choices, the last ruling with its reason, and every seat's standing.

import { act, once, post } from "./api.js";
import { $, h, refill, say } from "./dom.js";
import { breadth, language, money, named, seatName, spoken, t } from "./i18n.js";
import { seatTaken, watching } from "./seat.js";

const SHORT_NAME = 10; // letters of a seat's name that need no more room than "Seat 9"
const LONG = [45, 80, 130]; // letters from which the headline is set smaller, step by step

export function showPrompt({ snapshot, game, part, seat: mine }) {
  const { prompt } = snapshot;
  const kind = prompt?.kind ?? (game ? "turn" : "lobby");
  const seat = prompt?.seat && prompt.seat !== "table" ? seatName(prompt.seat) : null;
  const box = $("prompt"), text = spoken(prompt) || t("waiting");
  box.dataset.kind = kind;
  box.dataset.seat = prompt?.seat ?? "";
  say($("whose"), headline(kind, seat));
  say($("what"), text);
  $("what").dataset.long = LONG.filter((letters) => breadth(text) > letters).length;
  const hidden = watching() || (kind !== "question" && part?.ownChoices) || ((kind === "question" || kind === "turn") && !mayAct(game, mine));
  const offered = hidden ? [] : prompt?.choices ?? [];
  refill($("choices"), [offered, language, prompt?.text, kind], () => offered.map((choice, k) => choiceButton(choice, k, kind, { game, part })));
}

// What is another seat's to do or to say is offered on its own phone, and wherever nobody sits: there all may speak.
const mayAct = (game, mine) => !mine || !game || [mine, "table", "anyone"].some((seat) => game.to_act.includes(seat));

// An answer counts among the choices of this moment, and says which it meant; an offered act stands for itself, whatever
// happened meanwhile.
function choiceButton(choice, k, kind, { game, part }) {
  const done = kind === "question" || !choice.action ? () => once("/api/answer", { choice: k, text: choice.text }) : () => act(choice.action);
  const words = kind === "question" || !choice.action ? null : part?.label?.(choice.action, { game });
  return h("button", { class: `choice ${choice.highlighted ? "highlighted" : ""}`, type: "button", "data-testid": `choice-${k}`,
    "data-do": choice.action?.do, title: words ? spoken(choice) : null, onclick: done }, words ?? spoken(choice));
}

function headline(kind, seat) {
  if (kind === "turn" || kind === "unfinished") return seat ? t("whose.turn", { seat }) : t("whose.together");
  if (kind === "question" && seat) return t("whose.questionTo", { seat });
  return t(`whose.${kind}`);
}

export function showRuling({ snapshot, seat }) {
  const { ruling, undo, undo_seat: whose } = snapshot;
  const box = $("ruling"), mine = !seat || !whose || whose === seat;
  box.hidden = !ruling && !undo;
  box.dataset.accepted = ruling ? String(ruling.accepted) : "";
  $("undo").disabled = !undo || !mine || watching();
  $("undo").title = mine ? "" : t("undo.others", { seat: seatName(whose) });
  $("dispute").hidden = !ruling;
  if (!ruling) return say($("ruling-text"), t("ruling.none"));
  say($("ruling-verdict"), t(ruling.accepted ? "ruling.accepted" : "ruling.refused"));
  say($("ruling-text"), spoken(ruling));
  $("ruling-clause").hidden = !ruling.clause;
  say($("ruling-clause"), ruling.clause ? t("ruling.clause", { clause: ruling.clause }) : "");
}

// -- seats --------------------------------------------------------------------------------------------------------

// {seat: what it has}, whichever way the game counts: cents, points, coins in the bank or experience.
function standings(game) {
  if (game.totals) return Object.entries(game.totals).map(([seat, cents]) => ({ seat, text: money(cents), of: cents / (game.options?.goal ?? 100) }));
  if (game.score) return Object.entries(game.score).map(([seat, points]) => ({ seat, text: String(points) }));
  if (game.characters) return Object.entries(game.characters).map(([seat, one]) => ({ seat, text: `${one.twelfths ?? 0}/12` }));
  return Object.entries(game.banks ?? {}).map(([seat, has]) => ({ seat, text: typeof has === "number" ? String(has) : "",
    out: game.alive && !game.alive.includes(seat) }));
}

export function showSeats({ game, seats }) {
  const acting = new Set(game?.to_act ?? []), winners = new Set(game?.outcome?.winners ?? []);
  const rows = game ? standings(game) : [];
  $("seats").hidden = !rows.length;
  $("seats").dataset.many = rows.length > 2 ? "yes" : "no";
  $("seats").dataset.long = rows.some(({ seat }) => breadth(seatName(seat)) > SHORT_NAME) ? "yes" : "no";
  refill($("seats"), [rows, [...acting], [...winners], seats, language, seatTaken()], () =>
    rows.map(({ seat, text, of, out }) => {
      const note = winners.has(seat) ? t("seat.wins") : out ? t("seat.out") : seat === seatTaken() ? t("seat.you")
        : seats?.[seat] === "computer" ? t("seat.computer") : acting.has(seat) ? t("seat.toAct") : "";
      return h("div", { class: `seat ${acting.has(seat) ? "acting" : ""} ${winners.has(seat) ? "winner" : ""} ${out ? "out" : ""}`,
        "data-seat": seat, "data-testid": `seat-${seat}` },
        h("span", { class: "token", "aria-hidden": "true" }, named("seat", seat).slice(0, 1)),
        h("span", { class: "name" }, h("span", null, seatName(seat)),
          note ? h("small", null, note) : null),
        h("b", { class: "total", "data-testid": `total-${seat}` }, text),
        of === undefined ? null : h("progress", { max: 1, value: Math.min(1, of), "aria-label": text }));
    }));
}

// -- the buttons at the table -------------------------------------------------------------------------------------

const BUTTONS = ["heads.choose", "heads.done", "referee", "tails.done", "tails.choose"];
const SIDES = ["heads", "tails"];

export function makePanel() {
  $("panel").replaceChildren(...BUTTONS.map((name) => {
    const [seat, button] = name.includes(".") ? name.split(".") : [null, name];
    const label = t(`panel.${button}`);
    return h("button", { type: "button", class: `press ${button}`, "data-seat": seat, "data-testid": `press-${name}`,
      "aria-label": seat ? t("panel.button", { seat: named("seat", seat), button: label }) : label,
      onclick: () => { navigator.vibrate?.(15); (button === "done" ? once : post)("/api/press", { button: name }); } },
      h("span", { class: "cap", "aria-hidden": "true" }, seat ? t(`${seat}.letter`) : "★"), h("span", null, label));
  }));
}

// The lamp in each DONE burns while its side is to act. Games without two sides leave the buttons of the sides dark.
export function lightPanel({ game, prompt }) {
  const acting = new Set(prompt?.seat ? [prompt.seat] : game?.to_act);
  const sided = Boolean(game && SIDES.every((seat) => seat in (game.totals ?? game.score ?? {})));
  $("panel").hidden = !sided || watching();
  for (const button of $("panel").children) {
    const { seat } = button.dataset;
    button.classList.toggle("lit", Boolean(seat) && acting.has(seat));
    button.hidden = Boolean(seat) && SIDES.includes(seatTaken()) && seat !== seatTaken();
  }
}
