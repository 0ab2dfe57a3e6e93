// The organiser's page: what needs them, the tournaments, a new one, and who may organise.

import { get, post } from "../api.js";
import { clockAsked, clockFields } from "../clock_rule.js";
import { $, h, refill } from "../dom.js";
import { language, t } from "../i18n.js";
import { answered, noticeOffline } from "../notice.js";
import { begin, follow, inWords, reachable } from "./club.js";

const SYSTEMS = ["swiss", "round-robin", "knock-out", "ring"];
/** @type {Record<string, Record<string, string>>} */
const titles = JSON.parse(document.querySelector("main")?.dataset.titles ?? "{}");
/** @type {any} */
let now = null;
/** @type {any} */
let standing = null; // who we are
let calls = 0; // how many notices were shown: a new one makes the organiser's phone buzz

const field = (label, testid, attributes) =>
  h("label", null, t(label), h("input", { type: "text", "data-testid": testid, ...attributes }));
const choice = (label, testid, options) => h("label", null, t(label), h("select", { "data-testid": testid }, options));
/** @type {(testid: string) => string} */
const value = (testid) => /** @type {any} */ (document.querySelector(`[data-testid="${testid}"]`))?.value ?? "";

function access() {
  const { mode, role } = standing, owner = role === "owner";
  const pin = field(owner ? "access.newPin" : "access.pin", "pin", { type: "password", minlength: 6, maxlength: 200,
    required: true, autocomplete: owner ? "new-password" : "current-password" });
  const send = async (path, body) => { if (await post(path, body, null)) location.reload(); };
  const form = (path, key) => h("form", { onsubmit: (event) => {
    event.preventDefault();
    send(path, { pin: value("pin") });
  } }, pin, h("button", { class: "go", type: "submit", "data-testid": "pin-send" }, t(key)));
  if (mode === "closed") {
    return owner ? [h("p", null, t("club.closed")), form("/api/access/open", "club.let")]
      : [h("p", null, t("club.watch"))];
  }
  if (!owner) return [h("p", null, t("club.watch.open")), form("/api/access/sign-in", "access.signIn")];
  return [h("p", null, t("club.opened")), h("div", { class: "buttons" },
    h("button", { type: "button", onclick: () => send("/api/access/sign-out", {}) }, t("access.signOut")),
    h("button", { type: "button", onclick: () => send("/api/access/close", {}) }, t("access.close")))];
}

function call({ code, table, texts, url, match }) {
  const urgent = code === "club.dispute" ? " urgent" : "";
  const seen = h("button", { type: "button", onclick: () => post("/api/seen", { code, table }, null) }, t("club.seen"));
  return h("article", { class: `card call${urgent}`, "data-testid": "call" }, h("p", null, inWords(texts)),
    h("div", { class: "buttons" },
      match ? h("a", { "data-testid": "decide", href: `/tournaments/${match.tournament}#${match.id}` },
        t("club.decide")) : null,
      reachable(url) ? h("a", { "data-testid": "look", href: url }, t("club.look")) : null,
      standing?.role === "owner" ? seen : null));
}

function making() {
  return [h("h2", null, t("club.new")), field("club.name.of", "new-name", { required: true, maxlength: 40 }),
    choice("club.system", "new-system", SYSTEMS.map((each) => h("option", { value: each }, t(`club.system.${each}`)))),
    choice("club.game", "new-game", Object.entries(titles).map(([name, title]) =>
      h("option", { value: name }, title[language] ?? title.en))),
    h("label", null, t("club.names"), h("textarea", { rows: 8, required: true, "data-testid": "new-players" })),
    field("club.how.many", "new-rounds", { type: "number", min: 0, max: 64, value: 0 }),
    h("div", { class: "option" }, h("span", null, t("option.clock")),
      clockFields((_, first) => first, { "data-testid": "option-clock" })),
    h("fieldset", null, h("legend", null, t("club.tables.for")), now.tables.map((table) => h("label",
      { class: "switch" }, h("input", { type: "checkbox", name: "table", value: table.id, checked: table.up,
        "data-testid": `new-table-${table.id}` }),
      table.name))),
    h("button", { class: "go", type: "submit", "data-testid": "new-send" }, t("club.make"))];
}

// The clock as the club takes it.
function clockOf(form) {
  const asked = clockAsked(form);
  return asked ? { clock_minutes: Math.max(1, Math.round(asked.each_s / 60)), increment_s: asked.increment_s,
    at_zero: asked.at_zero } : {};
}

$("new").onsubmit = async (event) => {
  event.preventDefault();
  const names = value("new-players").split("\n").map((name) => name.trim()).filter(Boolean);
  const tables = [...$("new").querySelectorAll("[name=table]:checked")].map((each) => each.value);
  const made = await post("/api/tournaments", { name: value("new-name").trim(), system: value("new-system"),
    game: value("new-game"), rounds: Number(value("new-rounds")), players: names, tables,
    ...clockOf($("new")) }, null);
  if (made) location.assign(`/tournaments/${made.number}`);
};

$("new").onchange = ({ target }) => { // a ring is played with one game, and that game is played in rings alone
  /** @type {any} */
  const game = document.querySelector("[data-testid=new-game]"), ring = value("new-system") === "ring";
  if (target === game) return;
  if (ring !== (game.value === "goes-around")) game.value = ring ? "goes-around" : "steal";
};

function draw() {
  document.title = `${t("club.organise")} – ${t("title")}`;
  refill($("access"), [standing, language], () => (standing ? access() : []));
  if (!now) return;
  if (now.notices.length > calls && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(200);
  calls = now.notices.length;
  refill($("calls"), [now.notices, standing?.role, language], () => now.notices.map(call));
  refill($("list"), [now.tournaments, language], () => (now.tournaments.length ? now.tournaments.map((one) =>
    h("li", null, h("a", { href: `/tournaments/${one.number}` }, one.name), " ",
      one.over ? t("club.closed.tournament") : t("club.round.of", { n: one.round, of: one.rounds })))
    : [h("li", { class: "hint" }, t("club.none"))]));
  $("new").hidden = standing?.role !== "owner";
  if (standing?.role === "owner") refill($("new"), [now.tables.map(({ id, name }) => [id, name]), language], making);
}

await begin(draw);
standing = await get("/api/access");
follow((state) => {
  if (!state) return noticeOffline();
  answered();
  now = state;
  draw();
});
draw();
