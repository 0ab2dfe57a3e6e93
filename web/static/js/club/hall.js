// The hall: every table live, the biggest game large, tournaments and their clocks. It is read from across the room.

import { timeText } from "../clock.js";
import { clockSaid } from "../clock_rule.js";
import { $, h, refill, say } from "../dom.js";
import { counted, language, t } from "../i18n.js";
import { begin, follow, inWords, left, points, reachable, whoSits } from "./club.js";

/** @type {any} */
let now = null;
let away = false; // the club does not answer

const game = (table) => (table.game ? inWords(table.title) || table.game : t("club.free"));

// What a side has left of its chess clock.
const sideClock = ({ left_s: seconds, zero_at: zero }) =>
  (zero ? h("span", { class: "side-clock runs", "data-ends": zero }, left(zero))
    : seconds === null ? null : h("span", { class: "side-clock" }, timeText(seconds)));

function people(table) {
  return h("ul", { class: "who-plays" }, table.seats.map((one) => h("li", {
    class: [table.turn.includes(one.seat) && table.winners === null ? "to-act" : "",
      table.winners?.includes(one.seat) ? "winner" : ""].join(" ").trim() },
  h("b", null, whoSits(one)), sideClock(one),
  one.score === null ? null : h("span", { class: "score" }, String(one.score)))));
}

function condition(table) {
  if (!table.up) return h("p", { class: "away" }, t("club.away"));
  return h("div", null, table.faults.map((fault) => h("p", { class: "fault" }, inWords(fault.said))),
    table.missing ? h("p", { class: "hint" }, counted("club.missing", table.missing)) : null);
}

const picture = (table) => (table.picture ? h("img", { class: "picture", alt: t("club.picture", { table: table.name }),
  src: `/api/tables/${encodeURIComponent(table.id)}/picture.jpg?n=${table.picture}` }) : null);

const named = (table) => (reachable(table.url) ? h("a", { href: table.url }, table.name) : table.name);

function card(table) {
  return h("article", { class: `card club-table${table.up ? "" : " off"}`, "data-testid": `table-${table.id}` },
    h("h2", null, named(table), " ", h("small", null, game(table))),
    people(table), condition(table),
    h("p", { class: "ruling" }, inWords(table.ruling)));
}

function big(table) {
  const turn = table.turn.filter((seat) => seat !== "table").map((seat) =>
    whoSits(table.seats.find((one) => one.seat === seat) ?? { seat, player: "person", name: "" }));
  return [h("h2", null, named(table), " ", h("small", null, game(table))),
    picture(table), people(table), condition(table),
    h("p", { class: "turn" }, table.winners ? t("club.over") : inWords(table.said) || turn.join(", ")),
    h("p", { class: "ruling" }, inWords(table.ruling))].filter(Boolean);
}

function brief(one) {
  return h("article", { class: "card" },
    h("h2", null, h("a", { href: `/tournaments/${one.number}` }, one.name)),
    h("p", null, one.round ? t("club.round.of", { n: one.round, of: one.rounds }) : t("club.soon"),
      one.open ? ` · ${counted("club.open", one.open)}` : "",
      one.ends ? h("b", { class: "clock", "data-ends": one.ends }, left(one.ends)) : null),
    one.clock_s ? h("p", { class: "hint" }, clockSaid({ each_s: one.clock_s, increment_s: one.increment_s,
      at_zero: one.at_zero })) : null,
    h("ol", { class: "leaders" }, one.leaders.map(([name, halves]) =>
      h("li", null, h("span", null, name), h("b", null, points(halves))))));
}

function draw() {
  document.title = `${t("club.hall")} – ${t("title")}`;
  const words = now?.rulings ? "club.rulings" : "club.tables.n"; // without a broker none are heard
  const count = now ? t(words, { n: now.rulings, tables: now.tables.length }) : t("connecting");
  say($("age"), away ? t("offline") : count);
  $("age").dataset.condition = away ? "offline" : now ? "live" : "connecting";
  if (!now) return;
  const largest = now.tables.find((table) => table.id === now.biggest);
  const others = now.tables.filter((table) => table !== largest);
  const wrong = now.notices.filter((each) => !each.table);
  refill($("notices"), [wrong, language], () => wrong.map((each) => h("p", { class: "fault" }, inWords(each.texts))));
  $("big").hidden = !largest;
  refill($("big"), [largest, language], () => (largest ? big(largest) : []));
  refill($("tables"), [others, language], () => (now.tables.length ? others.map(card)
    : [h("p", { class: "hint" }, t("club.tables.none"))]));
  const played = now.tournaments.filter((one) => !one.over);
  refill($("tournaments"), [played, language], () => played.map(brief));
}

setInterval(() => {
  for (const clock of document.querySelectorAll("[data-ends]")) say(clock, left(clock.getAttribute("data-ends") ?? ""));
}, 1000);
await begin(draw);
follow((state) => { away = !state; now = state ?? now; draw(); });
