// What Goes Around Comes Around: each phone takes a seat and chooses in secret. The table and the kiosk see only who
// has chosen; the choice itself reaches only the phone of its seat.

import { sitAt } from "../access.js";
import { act as send } from "../api.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { nameIn } from "../seat.js";
import { stepper } from "../stepper.js";
import { card, chip, hint } from "./part.js";

export const personal = true;
const USES = 3; // of each action, in a whole game (clause goes-around.commit.uses)
const ACTIONS = ["steal", "protect", "pass"];

/** @type {{ action: string | null, target: string | null, amount: number }} */
let draft = { action: null, target: null, amount: 1 };
/** @type {string | null} */
let drafted = null; // the game, round and seat that the draft is for

export function act(view) {
  const { game, seat, snapshot } = view;
  if (!seat || game.outcome || !(seat in game.banks)) return null;
  if (!game.alive.includes(seat)) return { key: ["out", seat], make: () => [card(null, hint(t("goes.out")))] };
  const now = `${snapshot.began}.${game.round}.${seat}`;
  if (drafted !== now) {
    drafted = now;
    draft = { action: null, target: null, amount: 1 };
  }
  if (game.yours) {
    return { key: ["sealed", game.yours, game.round, game.phase, seat], make: () => [sealed(game.yours, game.phase)] };
  }
  return { key: [now, game.banks, game.used[seat], draft], make: () => [form(view)] };
}

function sealed({ action, target, amount }, phase) {
  return card(t(phase === "reveal" ? "goes.allChosen" : "goes.sealed"), h("details", null,
    h("summary", { "data-testid": "peek" }, t("goes.peek")),
    h("p", { class: "big", "data-testid": "yours" }, t(`goes.yours.${action}`, { target: who(target), amount }))),
    h("button", { type: "button", class: "quiet", onclick: () => sitAt("") }, t("seat.leave")));
}

function form({ game, seat, redraw }) {
  const used = game.used[seat] ?? {}, left = (action) => USES - (used[action] ?? 0);
  const targets = game.alive.filter((each) => each !== seat && most(game, seat, each) > 0);
  const stuck = !left("pass") && !left("protect") && (!left("steal") || !targets.length);
  const open = (action) => {
    if (action === "pass") return left("pass") > 0 || stuck;
    return left(action) > 0 && (action !== "steal" || targets.length > 0);
  };
  const set = (change) => { draft = { ...draft, ...change }; redraw(); };
  const choose = async () => {
    const { action, target, amount } = draft;
    await send({ do: "commit", seat, action, ...(action === "steal" ? { target, amount } : {}) }, seat);
  };
  return card(t("goes.choose", { seat: who(seat) }),
    h("div", { class: "picks", role: "group", "aria-label": t("goes.action") }, ACTIONS.map((action) =>
      h("button", { type: "button", class: "pick", "aria-pressed": String(draft.action === action),
        disabled: !open(action), "data-testid": `pick-${action}`,
        onclick: () => set({ action, target: null, amount: 1 }) },
        h("b", null, t(`goes.${action}`)), h("small", null, t("goes.left", { n: Math.max(0, left(action)) }))))),
    draft.action === "steal" ? [
      h("p", null, t("goes.from")),
      h("div", { class: "picks", role: "group", "aria-label": t("goes.from") }, targets.map((each) =>
        h("button", { type: "button", class: "pick", "aria-pressed": String(draft.target === each),
          "data-testid": `target-${each}`,
          onclick: () => set({ target: each, amount: Math.min(draft.amount, most(game, seat, each)) }) },
          h("b", null, who(each)), h("small", null, t("goes.has", { n: game.banks[each] }))))),
      draft.target ? h("p", { class: "amount" }, h("span", null, t("goes.amount")),
        stepper({ name: "amount", label: t("goes.amount"), value: draft.amount, min: 1,
          max: most(game, seat, draft.target), onset: (amount) => set({ amount }) })) : null] : null,
    h("button", { type: "button", class: "go", "data-testid": "seal",
      disabled: !draft.action || (draft.action === "steal" && !draft.target), onclick: choose }, t("goes.seal")));
}

// A seat by its number, and its name beside it.
const who = (seat) => (nameIn(seat) ? `${seat} · ${nameIn(seat)}` : seat);

// How much `seat` may try to steal from `target`.
function most({ banks, options }, seat, target) {
  return options.stake_cap ? Math.min(banks[target], banks[seat]) : banks[target];
}

export function about({ game }) {
  const { round, options, alive, committed, last, left_game: gone, banks, outcome } = game;
  const key = (seat) =>
    (!alive.includes(seat) ? "goes.isOut" : committed.includes(seat) ? "goes.hasChosen" : "goes.thinks");
  return { key: [round, alive, committed, last, gone, outcome], make: () => [
    card(t("goes.round", { n: round, of: options.rounds }),
      outcome ? null : h("ul", { class: "chips", "data-testid": "chosen" }, Object.keys(banks).map((seat) =>
        chip(t(key(seat), { seat: who(seat) }), committed.includes(seat), `chosen-${seat}`))),
      gone ? hint(t("goes.gone", { n: gone })) : null),
    Object.keys(last).length ? card(t("goes.last"), h("ol", { class: "deeds", "data-testid": "deeds" },
      Object.entries(last).map(([seat, deed]) => deedRow(seat, deed)))) : null] };
}

function deedRow(seat, deed) {
  const how = deed.result === "success" ? "won" : deed.result ? "failed" : "";
  return h("li", { class: how, "data-testid": `deed-${seat}` },
    h("span", null, deedText(seat, deed)), deed.out ? h("b", null, t("goes.isOut", { seat: who(seat) })) : null);
}

const deedText = (seat, { action, target, amount, result, penalty }) =>
  t(result ? `goes.told.${result.replace(" ", "-")}` : `goes.told.${action}`,
    { seat: who(seat), target: who(target), amount, penalty });
