// What to do: the prompt with its one-tap choices, the last ruling with its reason, and every seat's standing.

import { act, once } from "./api.js";
import { clauseOf } from "./clauses.js";
import { $, h, refill, say } from "./dom.js";
import { breadth, language, money, named, seatName, spoken, t } from "./i18n.js";
import { seatTaken, watching, whoIs } from "./seat.js";

const SHORT_NAME = 10, SHORT_OF_TWO = 6; // letters: a longer seat's name gets a wider box
const ASKING = ["question", "consent", "dispute", "break"]; // prompts whose choices are answers
const LONG = [45, 80, 130]; // letters beyond which the sentence is set smaller, step by step

/** @param {import("./games/part.js").View} view */
export function showPrompt({ snapshot, game, part, seat: mine }) {
  const { prompt } = snapshot, { kind } = prompt;
  const seat = prompt.seat && prompt.seat !== "table" ? whoIs(prompt.seat) : null;
  const box = $("prompt"), text = spoken(prompt) || t("waiting");
  box.dataset.kind = kind;
  box.dataset.seat = prompt.seat ?? "";
  say($("whose"), headline(kind, seat));
  say($("what"), text);
  $("what").dataset.long = LONG.filter((letters) => breadth(text) > letters).length;
  const others = (kind === "question" || kind === "turn") && !mayAct(game, mine);
  const elsewhere = kind === "over" && $("over"); // over.js offers what comes next
  const hidden = watching() || others || elsewhere || (!ASKING.includes(kind) && part?.ownChoices);
  const offered = hidden ? [] : prompt.choices;
  showAsked(snapshot);
  refill($("choices"), [offered, language, prompt.text, kind, mine], () =>
    offered.map((choice, k) => (mayChoose(choice, mine) ? choiceButton(choice, k, kind, { game, part }) : null))
      .filter(Boolean));
}

// The coin that the question is about, large. Each look at it is another picture.
/** @param {Api.Snapshot} snapshot */
function showAsked({ prompt, table, seq }) {
  const coin = table.coins[prompt.coin ?? -1];
  $("prompt").dataset.coin = coin ? "yes" : "no";
  $("asked").hidden = !coin;
  refill($("asked"), [language, prompt.text, coin?.center_px, coin?.face_confidence], () =>
    (coin ? [h("img", { src: `/api/coin.jpg?of=${seq}`, alt: t("asked.picture"), "data-testid": "asked-picture" })]
      : []));
}

// Whether this phone offers the choices: those of another seat are offered on that seat's phone, and on every phone
// that speaks for the whole table.
const mayAct = (game, mine) => !mine || !game || [mine, "table", "anyone"].some((seat) => game.to_act.includes(seat));

// While people are asked to agree, each seat's word is its own; the page of the whole table gives it for each in turn.
/** @type {(choice: Api.Choice, mine: string | null) => boolean} */
const mayChoose = ({ seat }, mine) => !seat || !mine || seat === mine;

// An answer is sent with its text, in case the choices have changed meanwhile; an offered act needs no such check.
/**
 * @param {Api.Choice} choice
 * @param {number} k
 * @param {Api.Prompt["kind"]} kind
 * @param {{ game: any, part: import("./games/part.js").Part | undefined }} view
 */
function choiceButton(choice, k, kind, { game, part }) {
  const action = ASKING.includes(kind) ? null : choice.action;
  const onclick = () => (action ? act(action) : once("/api/answer", { choice: k, text: choice.text }));
  const words = action ? part?.label?.(action, { game }) : null;
  return h("button", { class: `choice ${choice.highlighted ? "highlighted" : ""}`, type: "button",
    "data-does": choice.does,
    "data-testid": `choice-${k}`, "data-do": choice.action?.do, title: words ? spoken(choice) : null, onclick },
    words ?? spoken(choice));
}

/** @type {(kind: Api.Prompt["kind"], seat: string | null) => string} */
export function headline(kind, seat) {
  if (kind === "turn" || kind === "unfinished") return seat ? t("whose.turn", { seat }) : t("whose.together");
  if ((kind === "question" || kind === "consent") && seat) return t("whose.questionTo", { seat });
  return t(`whose.${kind}`);
}

// One refusal is told once: the prompt says what to do, this card says why. It goes when the table was put right.
/** @param {import("./games/part.js").View} view */
export function showRuling({ snapshot, seat }) {
  const { ruling, undo, prompt } = snapshot;
  const interrupted = ["consent", "dispute", "break"].includes(prompt.kind);
  const shown = ruling?.righted ? null : ruling, asks = mustAsk(snapshot, seat);
  $("ruling").hidden = !ruling && !undo;
  $("ruling").dataset.accepted = shown ? String(shown.accepted) : "";
  $("undo").disabled = !undo || watching() || interrupted;
  say($("undo"), t(asks.length ? "undo.ask" : "undo"));
  $("undo").title = asks.length ? t("undo.others", { seat: asks.map(whoIs).join(t("list.between")) }) : "";
  $("dispute").hidden = !ruling;
  say($("ruling-verdict"), shown ? t(shown.accepted ? "ruling.accepted" : "ruling.refused") : "");
  say($("ruling-text"), shown ? spoken(shown) : t(ruling ? "ruling.righted" : "ruling.none"));
  $("ruling-clause").hidden = !shown?.clause;
  nameClause($("ruling-clause"), shown?.clause ?? null);
  if (snapshot.game) $("ruling-clause").href = `/rules/${snapshot.game.game}#${shown?.clause}`;
}

// Whose word an undo takes. At the table an act of one person alone is taken back at once.
/** @type {(snapshot: Api.Snapshot, seat: string | null) => string[]} */
function mustAsk({ undo_asks: concerned }, seat) {
  if (!seat) return concerned.length > 1 ? concerned : [];
  return concerned.filter((other) => other !== seat);
}

// People know a clause by its number, as the rulebook prints it.
async function nameClause(link, id) {
  link.dataset.clause = id ?? "";
  const found = await clauseOf(id);
  if (link.dataset.clause === (id ?? "")) say(link, found ? t("ruling.clause", { clause: found.number }) : "");
}

// -- seats --------------------------------------------------------------------------------------------------------

// What each seat has, in the game's own measure: cents (`of`: the share of the goal), points, experience, or coins.
/** @param {any} game */
export function standings({ totals, score, characters, banks, alive, options }) {
  const each = (has, tell) => Object.entries(has).map(([seat, one]) => ({ seat, ...tell(one, seat) }));
  if (totals) return each(totals, (cents) => ({ text: money(cents), of: cents / (options?.goal ?? 100) }));
  if (score) return each(score, (points) => ({ text: String(points) }));
  if (characters) return each(characters, (one) => ({ text: `${one.twelfths ?? 0}/12` }));
  return each(banks ?? {}, (coins, seat) =>
    ({ text: typeof coins === "number" ? String(coins) : "", out: alive && !alive.includes(seat) }));
}

/** @param {Api.Snapshot} snapshot */
export function showSeats({ game, seats, names, colours, series }) {
  const acting = new Set(game?.to_act ?? []), winners = new Set(game?.outcome?.winners ?? []);
  const rows = game ? standings(game) : [];
  $("seats").hidden = !rows.length;
  const many = rows.length > 2;
  const longest = Math.max(0, ...rows.map(({ seat }) => breadth(names[seat] ?? seatName(seat))));
  $("seats").dataset.many = many ? "yes" : "no";
  $("seats").dataset.long = longest <= (many ? SHORT_NAME : SHORT_OF_TWO) ? "no" : many ? "yes" : "two";
  const noteOf = (seat, out) => {
    if (winners.has(seat)) return t("seat.wins");
    if (out) return t("seat.out");
    if (seats[seat] === "computer") return t("seat.computer");
    if (seat === seatTaken()) return t("seat.you");
    return acting.has(seat) ? t("seat.toAct") : "";
  };
  refill($("seats"), [rows, [...acting], [...winners], seats, names, colours, series, language, seatTaken()], () => [
    ...rows.map(({ seat, text, of, out }) => {
      const note = noteOf(seat, out);
      const side = names[seat] && names[seat] !== seat ? seatName(seat) : ""; // beside the name
      const state = `${acting.has(seat) ? "acting" : ""} ${winners.has(seat) ? "winner" : ""} ${out ? "out" : ""}`;
      return h("div", { class: `seat ${state}`, "data-seat": seat, "data-colour": colours[seat],
        "data-testid": `seat-${seat}` },
        h("span", { class: "token", "aria-hidden": "true" }, named("seat", seat).slice(0, 1)),
        h("span", { class: "name" }, h("span", null, names[seat] ?? seatName(seat)),
          side || note ? h("small", null, [side, note].filter(Boolean).join(" · ")) : null),
        h("b", { class: "total", "data-testid": `total-${seat}` }, text),
        of === undefined ? null : h("progress", { max: 1, value: Math.min(1, of), "aria-label": text }));
    }),
    series ? h("p", { class: "series", "data-testid": "series" }, seriesWords(series, rows)) : ""]);
}

/**
 * How a series of games stands.
 * @param {Api.Standing} series
 * @param {{ seat: string }[]} rows
 */
export function seriesWords({ best_of: n, wins, winner }, rows) {
  const each = rows.map(({ seat }) => t("series.wins", { seat: whoIs(seat), n: wins[seat] ?? 0 }));
  const facts = { n, wins: each.join(t("list.between")) };
  return winner ? t("series.won", { ...facts, seat: whoIs(winner) }) : t("series.stands", facts);
}
