// The lobby: the game that is laid out, its house rules in one sentence, and who sits at its seats. Each person sits
// down, says a name and a colour once, and is ready; whoever laid the game out begins it.

import { sitAt } from "./access.js";
import { call, get, post } from "./api.js";
import { $, h, refill } from "./dom.js";
import { COMMON, sentence } from "./house_rules.js";
import { language, named, seatName, t } from "./i18n.js";
import { loadGames, titleOf } from "./offered.js";
import { atTable, mySeat, plainName, standingNow } from "./seat.js";
import { lasting } from "./storage.js";

const LOOK_MS = 1500;
const LONGEST_NAME = 40;
const COLOURS = ["copper", "blue", "green", "gold", "violet", "teal", "rose", "olive", "slate"];

/** @type {Api.LobbyState | null} */
let laid = null; // the newest answer with a game in it
/** @type {Api.GameOffered[]} */
let games = [];
let came = ""; // the seat that this browser said its name for
let saying = Promise.resolve();
const sat = new Set(); // every seat that it spoke for: two people may share one screen

// Whether a game is laid out.
export const isLaid = () => laid !== null;

/** @param {Api.LobbyState | null} told */
function take(told) {
  if (told) laid = told.game ? told : null;
}

/**
 * Look at the lobby again and again; `changed` is called when it is another one than before.
 * @param {() => void} changed
 */
export async function watchLobby(changed) {
  games = await loadGames();
  const look = async () => {
    if (document.hidden) return;
    const before = JSON.stringify(laid);
    take(await get("/api/lobby"));
    if (JSON.stringify(laid) !== before) changed();
  };
  setInterval(look, LOOK_MS);
  await look();
}

/**
 * Lay out the game that a form asks for; true when that was accepted.
 * @param {unknown} wish
 */
export async function layOut(wish) {
  const told = await call("PUT", "/api/lobby", wish, null);
  take(told);
  return told !== null;
}

const change = async (path, body, seat = null) => {
  take(await post(path, body, seat));
  if (laid) draw();
};

/** @type {() => { name: string, colour: string | null }} */
function me() {
  try {
    const kept = JSON.parse(lasting.get("me") ?? "{}");
    return { name: kept.name ?? "", colour: COLOURS.includes(kept.colour) ? kept.colour : null };
  } catch {
    return { name: "", colour: null };
  }
}

// The same without what somebody at another seat is called or wears already: two people may share one phone.
/** @param {Api.LobbySeat[]} others */
function freeOf(others) {
  const { name, colour } = me(), called = others.map((each) => each.name.toLowerCase());
  return { name: called.includes(name.toLowerCase()) ? "" : name,
    colour: others.some((each) => each.colour === colour) ? null : colour };
}

// Say who sits at `seat`, and remember it on this phone.
function say(seat, mine) {
  sat.add(seat);
  lasting.set("me", JSON.stringify({ name: mine.name || me().name, colour: mine.colour }));
  saying = saying.then(() => change("/api/lobby/me", mine, seat)); // one after the other, so that the last one stands
}

// The part of the page that shows the lobby; hidden while no game is laid out.
export function showLobby() {
  $("lobby").hidden = !laid;
  if (laid) draw();
}

function draw() {
  const { game, options, seats, host, named: byName, open } = /** @type {Api.LobbyState} */ (laid);
  const held = mySeat(), seat = held === "watch" ? "" : held, table = $("lobby").dataset.reads === "only";
  const mine = table ? undefined : seats.find((each) => each.seat === seat && each.player === "person");
  if (came !== seat && (mine || (open && seat && !table))) {
    came = seat;
    if (byName) say(seat, { name: "", colour: freeOf(seats).colour, ready: false });
    else if (!mine?.name) say(seat, { ...freeOf(seats.filter((each) => each.seat !== seat)), ready: false });
  }
  const asked = standingNow()?.asked ?? null, mayHost = host && !table;
  const [list, form, foot] = parts();
  refill(list, [laid, seat, asked, language], () => [
    h("p", { class: "whose" }, t("lobby.title")), h("h1", { class: "what" }, titleOf(game ?? "")),
    h("p", { class: "rules-line" }, h("span", { "data-testid": "lobby-rules" }, rulesOf(game, options)),
      mayHost ? h("a", { class: "change", href: "#start" }, t("rules.change")) : null),
    h("ul", { class: "lobby-seats" }, seats.map((each) => row(each, each === mine, asked, table)))]);
  const comes = open && !mine && !table && !asked && standingNow()?.role !== "watch";
  const theirs = seats.map((each) => each.colour);
  refill(form, [mine && [seat, mine.ready], comes, theirs, language], () =>
    (mine ? [whoAmI(mine, seats)] : comes ? [comeIn()] : []));
  refill(foot, [mayHost, table, seats.map(({ ready }) => ready), language], () =>
    (mayHost ? [beginRow(seats)] : table ? [] : [h("p", { class: "hint" }, t("lobby.host"))]));
}

// Three parts, each built anew only where it changed: a finger on a colour is not disturbed by what others do.
function parts() {
  const box = $("lobby");
  if (!box.children.length) box.append(h("div"), h("div"), h("div", { class: "lobby-foot" }));
  return box.children;
}

function rulesOf(name, options) {
  const game = games.find((each) => each.game === name);
  const common = Object.fromEntries(COMMON.map((option) => [option.name, laid?.[option.name]])
    .filter(([key, value]) => value !== COMMON.find((option) => option.name === key)?.default));
  const computer = laid?.seats.some(({ player }) => player === "computer");
  if (!computer) delete common.level;
  return sentence([...(game?.options ?? []), ...COMMON], { ...options, ...common });
}

/** @type {(each: Api.LobbySeat, mine: boolean, asked: string | null, table: boolean) => any} */
function row({ seat, player, name, colour, ready }, mine, asked, table) {
  const byName = laid?.named;
  const nobody = byName ? seatName(seat) : mine ? t("seat.you") : ready ? "" : t("lobby.free");
  const sits = player === "computer" ? t("seat.computer") : name || nobody;
  const state = player === "computer" ? named("choice", `level.${laid?.level}`)
    : asked === seat ? t("seat.press", { seat: seatName(seat) })
      : ready ? t("lobby.ready") : name || mine || laid?.open ? t("lobby.notReady") : byName ? t("lobby.free") : "";
  const may = !table && !mine && !laid?.open && player === "person" && !ready && asked !== seat
    && standingNow()?.role !== "watch";
  return h("li", { "data-seat": seat, "data-colour": colour, "data-testid": `lobby-${seat}`,
    class: ready || player === "computer" ? "is-ready" : "" },
  h("span", { class: "token", "aria-hidden": "true" }, named("seat", seat).slice(0, 1)),
  h("b", null, sits), h("small", null, [sits === seatName(seat) ? "" : seatName(seat), mine && byName ? t("seat.you")
    : "", state].filter(Boolean).join(" · ")),
  may ? h("button", { type: "button", "data-testid": `lobby-sit-${seat}`, onclick: () => sitAt(seat) },
    t("seat.sit")) : null);
}

// My name, my colour, and whether I am ready.
/** @type {(mine: Api.LobbySeat, seats: Api.LobbySeat[]) => any} */
function whoAmI({ seat, name, colour, ready }, seats) {
  const others = seats.filter((each) => each.seat !== seat).map((each) => each.colour);
  const field = h("input", { type: "text", maxlength: LONGEST_NAME, autocomplete: "off", value: name,
    "data-testid": "lobby-name", "data-kept": seat, onchange: () => send({}) });
  const now = { colour, ready }; // also what was said a moment ago and is not answered yet
  const send = (more) => say(seat, { name: plainName(field.value), ...Object.assign(now, more) });
  const swatch = (each) => h("label", { "data-colour": each, title: t(`colour.${each}`) },
    h("input", { type: "radio", name: "colour", value: each, checked: each === colour, disabled: others.includes(each),
      "aria-label": t(`colour.${each}`), "data-testid": `colour-${each}`, onchange: () => send({ colour: each }) }));
  const onsubmit = (event) => { event.preventDefault(); send({ ready: !ready }); };
  return h("form", { class: "card who-am-i", onsubmit },
    laid?.named ? null : h("label", null, h("span", null, t("seat.name")), field),
    h("fieldset", { class: "swatches" }, h("legend", null, t("lobby.colour")), COLOURS.map(swatch)),
    h("button", { class: ready ? "" : "go", type: "submit", "data-testid": "lobby-ready" },
      t(ready ? "lobby.wait" : "lobby.iAmReady")));
}

// Where people bring names of their own: the name by which I sit down.
function comeIn() {
  const field = h("input", { type: "text", required: true, maxlength: LONGEST_NAME, autocomplete: "off",
    value: me().name, "data-testid": "lobby-own-name", "data-kept": "lobby" });
  const onsubmit = (event) => { event.preventDefault(); if (plainName(field.value)) sitAt(field.value); };
  return h("form", { class: "card who-am-i", onsubmit },
    h("label", null, h("span", null, t("seat.name")), field),
    h("button", { class: "go", type: "submit", "data-testid": "lobby-come" }, t("seat.sit")));
}

// Whoever spoke for several seats here speaks for the whole table from now on.
async function begin() {
  if ((await post("/api/lobby/begin", {}, null))?.ok && sat.size > 1 && atTable()) await sitAt("");
}

// What only the host sees: how many are ready, and the button that begins the game.
/** @param {Api.LobbySeat[]} seats */
function beginRow(seats) {
  const people = seats.filter(({ player }) => player === "person"), there = people.filter(({ ready }) => ready);
  const all = there.length === people.length;
  return h("div", { class: "begin" },
    h("p", { "data-testid": "lobby-count" }, t("lobby.count", { n: there.length, of: people.length })),
    h("div", { class: "buttons" },
      h("button", { type: "button", class: "quiet", "data-testid": "lobby-close",
        onclick: () => change("/api/lobby/close", {}) }, t("lobby.close")),
      h("button", { type: "button", class: "go", "data-testid": "lobby-begin",
        onclick: begin }, t(all ? "start.begin" : "lobby.beginAnyway"))));
}
