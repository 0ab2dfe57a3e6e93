// The page of the table: takes each snapshot from the live link and shows it, room by room.

import { mySeat, post, sitAt } from "./api.js";
import { askWhatItIs } from "./correct.js";
import { $, h, refill, say } from "./dom.js";
import { firstLanguage, language, loadLanguage, named, onLanguage, spoken, switchLanguage, t } from "./i18n.js";
import { Live } from "./live.js";
import { Picture } from "./picture.js";
import { lightPanel, makePanel, showPrompt, showRuling, showSeats } from "./play.js";
import { begin, makeStart } from "./start.js";
import { flipDue, Table } from "./table.js";
import { VirtualTable } from "./virtual.js";

const table = new Table(askWhatItIs);
const virtual = new VirtualTable(table);
const picture = new Picture($("picture"), (there) => {
  document.body.dataset.picture = there ? "yes" : "no";
});
let live = null;
let choosing = false; // the person opened the start screen while a game is on

function show(snapshot) {
  const lobby = !snapshot.game || choosing;
  document.body.dataset.lobby = lobby ? "yes" : "no";
  $("start").hidden = !lobby;
  $("start-back").hidden = !snapshot.game;
  showPrompt(snapshot);
  showRuling(snapshot);
  showSeats(snapshot);
  lightPanel(snapshot);
  table.show(snapshot);
  virtual.suggest(tossDue(snapshot));
  showHealth(snapshot.health ?? {});
  showSeatChoice(snapshot);
  document.title = `${$("whose").textContent} – ${t("title")}`;
}

const tossDue = ({ game, prompt }) => (prompt?.kind === "flip" ? flipDue(game).tray ?? {} : {});

function showHealth({ camera, warnings = [] }) {
  const lines = [...(camera ? [] : [t("health.camera")]), ...warnings.map((each) => spoken(each) || String(each))];
  $("health").hidden = !lines.length;
  refill($("health"), [lines], () => lines.map((line) => h("p", null, line)));
}

function showSeatChoice({ game }) {
  const seats = Object.keys(game?.totals ?? game?.score ?? game?.banks ?? game?.characters ?? {});
  const all = [...new Set(["", "watch", ...seats, mySeat()])];
  refill($("my-seat"), [all, language], () => all.map((seat) =>
    h("option", { value: seat, selected: seat === mySeat() }, named("seat", seat || "table"))));
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
  localStorage.setItem("view", view);
  picture.show(view === "drawn" ? null : view);
}

function wire() {
  $("language").onclick = switchLanguage;
  $("undo").onclick = () => post("/api/undo");
  $("view").onclick = (event) => event.target.dataset.value && look(event.target.dataset.value);
  $("mode").onclick = (event) => event.target.dataset.value && pick("mode", "mode", event.target.dataset.value);
  $("my-seat").onchange = (event) => { sitAt(event.target.value); show(live.snapshot); };
  $("new-game").onclick = () => { choosing = true; $("menu").open = false; show(live.snapshot); $("start").scrollIntoView(); };
  $("start-back").onclick = () => { choosing = false; show(live.snapshot); };
  $("start-form").onsubmit = async (event) => {
    event.preventDefault();
    if ((await begin(event.target))?.ok) {
      choosing = false;
      if (live.snapshot) show(live.snapshot);
      scrollTo({ top: 0 });
    }
  };
  $("open-join").onclick = () => { $("menu").open = false; $("join").showModal(); };
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => (event.target === dialog || event.target.closest(".close")) && dialog.close());
  }
  document.addEventListener("click", (event) => $("menu").contains(event.target) || ($("menu").open = false));
}

// A screen at the table stays awake where the browser lets it (only over localhost or https).
async function stayAwake() {
  if (document.hidden || !navigator.wakeLock) return;
  try { await navigator.wakeLock.request("screen"); } catch { /* a low battery may say no */ }
}

await loadLanguage(firstLanguage());
makePanel();
wire();
pick("mode", "mode", "read");
makeStart();
look(localStorage.getItem("view") ?? "mat");
live = new Live(show);
setInterval(showAge, 200);
onLanguage(() => { makePanel(); makeStart(); if (live.snapshot) show(live.snapshot); if (virtual.state) virtual.draw(); });
document.addEventListener("visibilitychange", stayAwake);
stayAwake();
if (await virtual.begin()) pick("mode", "mode", "move");
