// One tournament: where I play, its rounds and standings; for the organiser everything that is to be done.

import { get, post } from "../api.js";
import { clockSaid } from "../clock_rule.js";
import { $, h, refill, say } from "../dom.js";
import { counted, language, t } from "../i18n.js";
import { begin, follow, inWords, left, points } from "./club.js";
import { lasting } from "../storage.js";

const main = /** @type {HTMLElement} */ (document.querySelector("main"));
const number = Number(main.dataset.number), organises = main.dataset.organises === "true";
const CHOSEN = `club.player.${number}`; // who this phone's owner is
/** @type {any} */
let told = null;
/** @type {Record<string, string>} */
let tables = {}; // names by id
let editing = location.hash.slice(1); // the match whose result is being told: a dispute's card leads to it

const name = (player) => told.players[player] ?? player;
const tableName = (id) => (id ? tables[id] ?? id : "");
const button = (key, body, testid, more = {}) => h("button", { type: "button", "data-testid": testid,
  onclick: typeof body === "function" ? body : () => act(body), ...more }, t(key));

// What was written into the field `sent` is dealt with when the act is, and the field is empty again.
async function act(body, sent = "") {
  const open = editing;
  const after = await post(`/api/tournaments/${number}/act`, body, null);
  if (!after) return;
  const field = sent && document.querySelector(`[data-testid="${sent}"]`);
  if (field instanceof HTMLInputElement) field.value = "";
  if (editing === open) editing = ""; // a form that was opened since stays open
  take(after);
}

function mine() {
  const me = lasting.get(CHOSEN) ?? "";
  const line = told.standings.find(({ player }) => player === me);
  const round = told.rounds.at(-1), match = round?.matches.find((each) => each.players.includes(me));
  const pick = h("label", null, t("club.me"), h("select", { "data-testid": "me", onchange: ({ target }) => {
    lasting.set(CHOSEN, target.value);
    draw();
  } }, h("option", { value: "" }, t("club.nobody")), Object.entries(told.players).map(([player, each]) =>
    h("option", { value: player, selected: player === me }, each))));
  if (!line) return [pick];
  return [pick, match ? h("p", { class: "go-to", "data-testid": "go-to" }, placeOf(match, me)) : null,
    h("p", null, counted("club.my.standing", line.halves / 2,
      { place: line.place, of: told.standings.length, points: points(line.halves) }))].filter(Boolean);
}

function placeOf(match, me) {
  const others = match.players.filter((player) => player !== me).map(name).join(", ");
  if (!others) return t("club.my.bye");
  if (match.halves) return t("club.my.done", { points: points(match.halves[match.players.indexOf(me)]), others });
  const where = match.table ? t("club.my.table", { table: tableName(match.table), others })
    : t("club.my.match", { others });
  const n = before(match);
  return n ? `${where} ${t("club.my.wave", { n })}` : where;
}

function lead() {
  const round = told.rounds.at(-1);
  const input = h("input", { type: "number", min: 1, max: 1440, "data-testid": "minutes" });
  const clock = h("label", null, t("club.minutes"), input);
  const timed = (what) => () => act({ do: what, minutes: Number(input.value) || null }, "minutes");
  const doing = [];
  if (told.over) return [h("p", null, t("club.closed.tournament"))];
  if (told.may_pair) doing.push(button("club.pair", { do: "pair" }, "pair", { class: "go" }));
  if (round && !round.published) {
    doing.push(clock, button("club.publish", timed("publish"), "publish", { class: "go" }),
      button("club.unpair", { do: "unpair" }, "unpair"));
  } else if (round && round.matches.some((match) => !match.halves)) {
    doing.push(clock, button("club.time", timed("time"), "time"));
  }
  return [h("h2", null, t("club.lead")), h("div", { class: "buttons" }, doing),
    h("details", { "data-testid": "field" }, h("summary", null, t("club.field")),
      told.may_enter ? h("form", { class: "inline", onsubmit: (event) => {
        event.preventDefault();
        act({ do: "enter", name: event.target.querySelector("input").value.trim() }, "enter");
      } }, h("label", null, t("club.enter"),
        h("input", { type: "text", required: true, maxlength: 40, "data-testid": "enter" })),
      h("button", { type: "submit" }, t("club.enter.send"))) : null,
      h("ul", { class: "plain-list" }, Object.keys(told.players).map((player) => h("li", null, name(player),
        told.gone.includes(player) ? button("club.return", { do: "return", player }, `return-${player}`)
          : button("club.withdraw", { do: "withdraw", player }, `withdraw-${player}`)))),
      button("club.end", { do: "close" }, "end")),
    h("details", { "data-testid": "at-tables" }, h("summary", null, t("club.tables.change")),
      h("fieldset", null, h("legend", null, t("club.tables.for")), atTables()))];
}

// Every table of the hall, and those of the tournament that are not there any more.
function atTables() {
  return [...new Set([...Object.keys(tables), ...told.tables])].map((id) => h("label", { class: "switch" },
    h("input", { type: "checkbox", checked: told.tables.includes(id), "data-testid": `at-${id}`,
      onchange: ({ target }) => act({ do: "tables", tables: target.checked ? [...told.tables, id]
        : told.tables.filter((each) => each !== id) }) }), tableName(id)));
}

/** How many matches are still to be played at its table first. */
const before = (match) => told.rounds.at(-1).matches.filter((each) => match.table && each.table === match.table
  && each.wave < match.wave && !each.halves).length;

function result(match) {
  if (!match.halves && match.players.length > 1) return t(before(match) ? "club.waiting" : "club.playing");
  if (!match.halves) return "";
  if (match.players.length === 1) return t("club.bye");
  return match.halves.map(points).join(" : ");
}

function telling(match) {
  const wins = (player) => button("club.wins.now", { do: "result", match: match.id, winners: [player] },
    `wins-${match.id}-${player}`);
  return h("div", { class: "telling" },
    match.players.map((player) => h("p", null, h("b", null, name(player)), wins(player))),
    button("club.draw", { do: "result", match: match.id, winners: match.players }, `draw-${match.id}`),
    match.halves ? button("club.reopen", { do: "reopen", match: match.id }, `reopen-${match.id}`) : null,
    told.tables.length ? h("label", null, t("club.move"), h("select", { onchange: ({ target }) =>
      act({ do: "move", match: match.id, table: target.value }) },
    [...new Set([match.table ?? "", ...told.tables])].map((id) => // also its own, where that left the tournament
      h("option", { value: id, selected: id === (match.table ?? "") }, tableName(id))))) : null);
}

function row(match) {
  const me = lasting.get(CHOSEN) ?? "";
  const correct = organises && match.players.length > 1 && !told.over;
  return h("li", { class: `match${match.players.includes(me) ? " is-mine" : ""}`, "data-testid": `match-${match.id}` },
    h("span", { class: "table" }, tableName(match.table), match.wave ? ` (${match.wave + 1})` : ""),
    h("span", { class: "players" }, match.players.map(name).join(" – ") || t("club.nobody")),
    h("b", { class: "result" }, result(match),
      match.by === "organiser" ? h("small", null, ` ${t("club.by.organiser")}`) : null),
    correct ? h("button", { type: "button", "aria-expanded": String(editing === match.id),
      "data-testid": `tell-${match.id}`, onclick: () => { editing = editing === match.id ? "" : match.id; draw(); } },
    t("club.tell")) : null,
    match.left ? h("p", { class: "fault" }, inWords(match.left)) : null,
    correct && editing === match.id ? telling(match) : null);
}

function rounds() {
  return [...told.rounds].reverse().map((round, i) => h("details", { class: "round", open: i === 0,
    "data-testid": `round-${round.number}`, "data-kept": "rounds" },
    h("summary", null, h("h2", null, t("club.round", { n: round.number })),
      round.published ? null : h("small", null, t("club.draft")),
      round.ends && !i ? h("b", { class: "clock", "data-ends": round.ends }, left(round.ends)) : null),
    h("ul", { class: "matches" }, round.matches.filter((match) => match.players.length).map(row))));
}

function standings() {
  const heads = ["club.place", "club.name", "club.points", "club.buchholz", "club.berger", "club.wins"];
  const quarters = (n) => String(n / 4);
  return [h("thead", null, h("tr", null, heads.map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", null, told.standings.map((line) => h("tr", { class: told.gone.includes(line.player) ? "gone" : "" },
      h("td", null, String(line.place)), h("th", { scope: "row" }, name(line.player)),
      h("td", { class: "number" }, points(line.halves)), h("td", { class: "number" }, points(line.buchholz)),
      h("td", { class: "number" }, quarters(line.sonneborn)), h("td", { class: "number" }, String(line.wins)))))];
}

function draw() {
  if (!told) return;
  const me = lasting.get(CHOSEN);
  document.title = `${told.name} – ${t("title")}`;
  say($("name"), told.name);
  const round = t("club.round.of", { n: told.rounds.length, of: told.planned });
  say($("where"), [t(`club.system.${told.system}`), round, told.clock ? clockSaid(told.clock) : ""]
    .filter(Boolean).join(" · "));
  refill($("mine"), [told, tables, me, language], mine);
  $("lead").hidden = !organises;
  if (organises) refill($("lead"), [told, tables, language], lead);
  refill($("rounds"), [told, tables, me, editing, language], rounds);
  refill($("standings"), [told.standings, told.players, told.gone, language], standings);
}

function take(after) {
  told = after;
  draw();
}

setInterval(() => {
  for (const clock of document.querySelectorAll("[data-ends]")) say(clock, left(clock.getAttribute("data-ends") ?? ""));
}, 1000);
await begin(draw);
let seen = "";
follow(async (state) => {
  if (!state) return;
  tables = Object.fromEntries(state.tables.map(({ id, name: called }) => [id, called]));
  const key = JSON.stringify(state.tournaments.find((one) => one.number === number) ?? null);
  if (key !== seen || !told) {
    seen = key;
    const newest = await get(`/api/tournaments/${number}`);
    if (newest) take(newest);
  } else draw();
});
