// Who may play: the owner opens and closes the table, and everybody sees how it stands.

import { get, post } from "./api.js";
import { $, h, refill } from "./dom.js";
import { beginLanguage, language, onLanguage, seatName, t } from "./i18n.js";
import { refreshJoin } from "./join.js";
import { showSitting } from "./sitting.js";

const JOIN_MS = 3000; // how often the code is asked for anew
const OPENED_MS = 1500; // the server listens at the network's addresses by then

/** @type {Api.AccessState | null} */
let standing = null;
let sitting = false; // who sits where is shown

/** @param {Api.AccessState | null} told */
function show(told) {
  if (!told) return;
  standing = told;
  const { mode, role, seat } = told, atTable = role === "owner" || role === "referee";
  $("standing").textContent = t(`access.mode.${mode}`);
  $("you").textContent = t(`access.you.${role}`, { seat: seat ? seatName(seat) : "" });
  $("phones").hidden = mode === "closed" || !atTable;
  refill($("owner"), [mode, role, language], () => owner(mode, role));
  $("owner").hidden = !$("owner").children.length;
  if (atTable && mode === "open" && !sitting) { sitting = true; showSitting($("sitting")); }
}

function owner(mode, role) {
  if (mode === "closed") return role === "owner" ? [openForm()] : [];
  if (role !== "owner") return [signIn()];
  const trusted = mode === "trusted";
  return [h("h2", null, t("access.owner")), ...trust(trusted),
    h("div", { class: "buttons" }, button("close-table", "access.close", () => change("/api/access/close", {})),
      button("sign-out", "access.signOut", () => change("/api/access/sign-out", {}))),
    pinForm("access.newPin", "change-pin", "access.changePin", (pin) => change("/api/access/pin", { pin }), true)];
}

const button = (testid, words, onclick) =>
  h("button", { type: "button", "data-testid": testid, onclick }, t(words));

// Everybody here is trusted: what that means stands beside it.
function trust(trusted) {
  return [h("label", { class: "switch" }, h("input", { type: "checkbox", checked: trusted, "data-testid": "trusted",
    onchange: ({ target }) => change("/api/access/trust", { trusted: target.checked }) }),
    h("b", null, t("access.trust"))),
  h("p", { class: "meaning", "data-testid": "trust-means" }, t("access.trust.means"))];
}

function openForm() {
  const trusted = h("input", { type: "checkbox", "data-testid": "trusted" });
  return h("div", null, h("h2", null, t("access.open.title")), h("p", { class: "hint" }, t("access.open.means")),
    pinForm("access.newPin", "open-table", "access.open",
      (pin) => change("/api/access/open", { pin, trusted: trusted.checked }), true,
      [h("label", { class: "switch" }, trusted, h("b", null, t("access.trust"))),
        h("p", { class: "meaning", "data-testid": "trust-means" }, t("access.trust.means"))]));
}

const signIn = () => h("div", null, h("h2", null, t("access.owner")),
  pinForm("access.pin", "sign-in", "access.signIn", async (pin) => {
    if (await change("/api/access/sign-in", { pin }) && location.pathname !== "/access") location.reload();
  }));

// A form for the PIN; a new one is typed twice.
function pinForm(label, testid, words, send, twice = false, more = []) {
  const field = (name, key) => h("label", null, t(key), h("input", { type: "password", required: true, minlength: 6,
    maxlength: 200, autocomplete: twice ? "new-password" : "current-password", "data-testid": name }));
  const pin = field("pin", label), again = twice ? field("pin-again", "access.pinAgain") : null;
  const value = (each) => each.querySelector("input").value;
  return h("form", { onsubmit: (event) => {
    event.preventDefault();
    const differ = again && value(again) !== value(pin);
    again?.querySelector("input").setCustomValidity(differ ? t("access.differ") : "");
    if (event.target.reportValidity()) send(value(pin));
  }, oninput: () => again?.querySelector("input").setCustomValidity("") },
  pin, again, more, h("button", { class: "go", type: "submit", "data-testid": testid }, t(words)));
}

async function change(path, body) {
  const told = await post(path, body, null);
  show(told);
  if (told) setTimeout(refreshJoin, OPENED_MS);
  return told;
}

await beginLanguage();
onLanguage(() => show(standing));
show(await get("/api/access"));
setInterval(() => $("phones").hidden || refreshJoin(), JOIN_MS);
