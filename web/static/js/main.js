// The page of the table: takes each snapshot from the live link and shows it, part by part.

import { refreshAccess, sitAt } from "./access.js";
import { once, post } from "./api.js";
import { Board } from "./board.js";
import { askWhatItIs } from "./correct.js";
import { $, h, refill, say } from "./dom.js";
import { Evidence } from "./evidence.js";
import { showEnding } from "./ending.js";
import { showFlips } from "./flips.js";
import { showHome, stands } from "./home.js";
import { beginLanguage, language, named, onLanguage, t } from "./i18n.js";
import { refreshJoin } from "./join.js";
import { listenToKeys } from "./keys.js";
import { Live } from "./live.js";
import { loadGames } from "./offered.js";
import { layOut, showLobby, watchLobby } from "./lobby.js";
import { showOver } from "./over.js";
import { Picture } from "./picture.js";
import { makePanel } from "./panel.js";
import { atTable, onSeat, seatsOf, seatTaken, standingNow, watching, whoIs } from "./seat.js";
import { rove } from "./roving.js";
import { Sound } from "./sound.js";
import { begin, makeStart, wishOf } from "./start.js";
import { lasting } from "./storage.js";
import { Table } from "./table.js";
import { go, showView } from "./views.js";
import { VirtualTable } from "./virtual.js";

const TO_BE_SET = ["arrange", "refused", "paused", "unfinished"]; // prompts that wait for hands to set the table

const table = new Table(askWhatItIs);
const board = new Board(table);
const virtual = new VirtualTable(table);
const evidence = new Evidence();
const sound = new Sound();
const picture = new Picture($("picture"), (there) => {
  document.body.dataset.picture = there ? "yes" : "no";
}, (corners, shape) => {
  document.body.dataset.seen = corners ? "yes" : "no";
  table.lieAt(corners, shape);
});

/** @param {Api.Snapshot} snapshot */
function show(snapshot) {
  const may = atTable() || (seatable() && (!snapshot.game || snapshot.prompt.kind === "over"));
  $("new-game").hidden = !may;
  $("start-back").hidden = !snapshot.game;
  const view = showView(snapshot, may);
  if (view === "home") showHome(snapshot, may);
  if (view === "lobby") showLobby();
  board.show(snapshot);
  picture.under(snapshot.mat);
  evidence.note(snapshot.ruling);
  showOver(snapshot, may);
  sound.hear(snapshot);
  showEnding(snapshot);
  const due = tossDue(snapshot);
  virtual.suggest(due);
  virtual.carries = snapshot.prompt.kind === "arrange";
  $("arrange").hidden = !virtual.state || !TO_BE_SET.includes(snapshot.prompt.kind) || Object.keys(due).length > 0;
  $("rules-link").href = snapshot.game ? `/rules/${snapshot.game.game}` : "/rules";
  showSeatChoice(snapshot);
  const shown = { home: "menu.home", start: "start.title", lobby: "seat.sit" }[view];
  document.title = `${shown ? t(shown) : $("whose").textContent} – ${t("title")}`;
}

const seatable = () => standingNow()?.role === "seat";

// {zone: heap} that the referee waits to see tossed, also after the wrong coins were tossed.
/** @type {(snapshot: Api.Snapshot) => Record<string, Api.Heap>} */
const tossDue = ({ prompt, table: seen }) => (["flip", "refused"].includes(prompt.kind) ? seen.flips : {});

/** @param {Api.Snapshot} snapshot */
function showSeatChoice(snapshot) {
  const mine = watching() ? "watch" : seatTaken() ?? "";
  const open = standingNow()?.role === "watch" ? [] : seatsOf(snapshot);
  const all = [...(atTable() ? [""] : []), "watch", ...open];
  $("join-hint").hidden = standingNow()?.role !== "watch";
  const words = (seat) => (seat === "" || seat === "watch" ? named("seat", seat || "table") : whoIs(seat));
  refill($("my-seat"), [all, mine, snapshot.names, language], () =>
    all.map((seat) => h("option", { value: seat, selected: seat === mine }, words(seat))));
}

function showAge() {
  const condition = live.condition();
  const s = (live.age() ?? 0).toFixed(1);
  $("age").dataset.condition = condition;
  say($("age"), condition === "live" ? t("live", { s }) : condition === "stale" ? t("stale", { s }) : t(condition));
}

function pick(group, name, value) {
  document.body.dataset[name] = value;
  for (const button of $(group).querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.dataset.value === value));
  }
}

function look(view) {
  pick("view", "view", view);
  lasting.set("view", view);
  picture.show(view === "drawn" ? null : view);
}

function wire() {
  $("undo").onclick = () => post("/api/undo");
  $("arrange").onclick = () => virtual.ask("POST", "/api/virtual/arrange", {});
  $("view").onclick = (event) => event.target.dataset.value && look(event.target.dataset.value);
  $("mode").onclick = (event) => event.target.dataset.value && pick("mode", "mode", event.target.dataset.value);
  $("my-seat").onchange = (event) => sitAt(event.target.value);
  $("start-form").onsubmit = (event) => {
    event.preventDefault();
    if (event.submitter?.value === "lobby") invite();
    else start();
  };
  $("ends-yes").onclick = () => { $("ends").close(); beginGame(); };
  $("open-join").onclick = () => { $("menu").open = false; $("join").showModal(); refreshJoin(); };
  $("open-rulings").onclick = () => { $("menu").open = false; evidence.list(); };
  $("open-flips").onclick = () => { $("menu").open = false; showFlips(); };
  $("dispute").onclick = () => evidence.dispute(live.snapshot);
  $("pause").onclick = () => { $("menu").open = false; once("/api/pause", {}); };
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", ({ target }) => { // the dialog itself is clicked beside its box
      if (target === dialog || (target instanceof Element && target.closest(".close"))) dialog.close();
    });
  }
  // The menu closes by a tap on one of its links or beside it, not by a new page: the table may begin while it is read.
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Element && $("menu").contains(target)) || target.closest("a")) $("menu").open = false;
  });
}

// A new game ends the one under way: that is asked first.
function start() {
  const { game, prompt } = live.snapshot ?? {};
  if (!game || prompt?.kind === "over") return beginGame();
  say($("ends-what"), t("start.ends", { game: stands(game) }));
  $("ends").showModal();
}

// The game of the form is laid out in the lobby, so that people sit down before it begins.
async function invite() {
  if (await layOut(wishOf($("start-form")))) go("lobby");
}

async function beginGame() {
  if ((await begin($("start-form")))?.ok) go("table");
}

// A screen at the table stays awake where the browser lets it (only over localhost or https).
async function stayAwake() {
  if (document.hidden || !navigator.wakeLock) return;
  try { await navigator.wakeLock.request("screen"); } catch { /* a low battery may say no */ }
}

await Promise.all([beginLanguage(), refreshAccess(), loadGames()]);
makePanel();
wire();
listenToKeys();
rove($("mat"), () => (document.body.dataset.mode === "move" ? ".handle [role=button]" : ".coin [role=button]"));
rove($("virtual-box"), () => ".boxed button");
sound.wire();
pick("mode", "mode", "read");
makeStart();
look(lasting.get("view") ?? "mat");
const live = new Live(show, refreshAccess);
setInterval(showAge, 200);
addEventListener("hashchange", () => { if (live.snapshot) show(live.snapshot); });
onLanguage(() => {
  makePanel();
  makeStart();
  if (live.snapshot) show(live.snapshot);
  if (virtual.state) virtual.draw();
});
onSeat(() => { live.open(); if (live.snapshot) show(live.snapshot); }); // the stream brings what the new seat may see
watchLobby(() => { if (live.snapshot) show(live.snapshot); });
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
if (await virtual.begin()) {
  pick("mode", "mode", "move");
  if (live.snapshot) show(live.snapshot);
}
