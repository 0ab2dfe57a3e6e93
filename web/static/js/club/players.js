// Everybody's rating. The organiser joins names of one person.

import { get, post } from "../api.js";
import { $, h, refill } from "../dom.js";
import { language, t } from "../i18n.js";
import { begin } from "./club.js";
import { remark } from "../notice.js";

/** @type {any[]} */
let players = [];
const organises = document.querySelector("main")?.dataset.organises === "true";

function row(one, i) {
  const others = one.names.filter((name) => name !== one.name);
  return h("tr", null, h("td", null, String(i + 1)),
    h("th", { scope: "row" }, one.name, others.length ? h("small", null, ` ${others.join(", ")}`) : null),
    h("td", { class: "number" }, one.rating.toFixed(1)), h("td", { class: "number" }, `± ${one.sigma.toFixed(1)}`),
    h("td", { class: "number" }, String(one.games)), h("td", { class: "number" }, String(one.wins)));
}

function table() {
  const heads = ["club.place", "club.name", "club.rating", "club.unsure", "club.games", "club.wins"];
  return [h("thead", null, h("tr", null, heads.map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", null, players.map(row))];
}

function joining() {
  const pick = (testid, key) => h("label", null, t(key), h("select", { "data-testid": testid, required: true },
    players.flatMap((one) => one.names).map((name) => h("option", { value: name }, name))));
  return [h("h2", null, t("club.join")), h("p", { class: "hint" }, t("club.join.means")),
    pick("join-name", "club.join.name"), pick("join-person", "club.join.person"),
    h("button", { class: "go", type: "submit", "data-testid": "join-send" }, t("club.join.send"))];
}

function draw() {
  document.title = `${t("club.players")} – ${t("title")}`;
  $("none").hidden = players.length > 0;
  refill($("players"), [players, language], () => (players.length ? table() : []));
  $("join").hidden = !organises || players.length < 2;
  refill($("join"), [players, language], joining);
}

$("join").onsubmit = async (event) => {
  event.preventDefault();
  const [name, person] = [...$("join").querySelectorAll("select")].map((each) => each.value);
  const told = await post("/api/players/join", { name, person }, null);
  if (told) { players = told.players; remark(t("club.joined", { name, person })); draw(); }
};
await begin(draw);
players = (await get("/api/players"))?.players ?? [];
draw();
