// The screen at the table: large, read from a chair, seldom touched. It speaks for the whole table and sees no secret.

import { refreshAccess } from "./access.js";
import { Board } from "./board.js";
import { $, say } from "./dom.js";
import { beginLanguage, onLanguage, t } from "./i18n.js";
import { refreshJoin } from "./join.js";
import { listenToKeys } from "./keys.js";
import { Live } from "./live.js";
import { isLaid, showLobby, watchLobby } from "./lobby.js";
import { Picture } from "./picture.js";
import { makePanel } from "./panel.js";
import { atTable, standingNow } from "./seat.js";
import { showSitting } from "./sitting.js";
import { Sound } from "./sound.js";
import { Table } from "./table.js";

const board = new Board(new Table(null));
const sound = new Sound();
const picture = new Picture($("picture"), (there) => {
  document.body.dataset.picture = there ? "yes" : "no";
});

const JOIN_MS = 3000; // a code that was used is replaced this soon
const SIZES = [1, 0.92, 0.84, 0.77, 0.7, 0.64, 0.58];

/** @param {Api.Snapshot} snapshot */
function show(snapshot) {
  document.body.dataset.lobby = snapshot.game ? "no" : "yes";
  const laid = isLaid() && (!snapshot.game || snapshot.prompt.kind === "over");
  document.body.dataset.laid = laid ? "yes" : "no"; // then nothing is shown of the game before, nor of choosing one
  board.show(snapshot);
  picture.under(snapshot.mat);
  if (laid) showLobby();
  else $("lobby").hidden = true;
  fit();
  sound.hear(snapshot);
}

// Nobody scrolls a screen on the wall: the game's part is drawn smaller until all of it fits.
function fit() {
  const side = $("about").parentElement;
  SIZES.find((size) => {
    $("about").style.zoom = size;
    return side.scrollHeight <= side.clientHeight;
  });
}

await Promise.all([beginLanguage(), refreshAccess()]);
makePanel();
listenToKeys();
sound.wire();
document.body.dataset.view = "mat";
picture.show("mat");
const live = new Live(show, refreshAccess);
addEventListener("resize", fit);
onLanguage(() => { makePanel(); if (live.snapshot) show(live.snapshot); });
watchLobby(() => { if (live.snapshot) show(live.snapshot); });
setInterval(refreshJoin, JOIN_MS);
if (standingNow()?.mode === "open" && atTable()) showSitting($("sitting"));
setInterval(() => {
  const condition = live.condition();
  $("age").dataset.condition = condition;
  say($("age"), t(condition === "live" ? "kiosk.live" : condition, { s: (live.age() ?? 0).toFixed(1) }));
}, 500);
