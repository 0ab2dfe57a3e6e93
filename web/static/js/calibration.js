// The wizard's page: the live picture with focus and exposure beside the step that is being done.

import { call, get, post } from "./api.js";
import { parseCoin } from "./coin.js";
import { $, h, refill, say } from "./dom.js";
import { beginLanguage, KINDS, language, onLanguage, t } from "./i18n.js";
import { noticeOffline } from "./notice.js";
import { Picture } from "./picture.js";
import { stepper } from "./stepper.js";

const AIM_MS = 700;
const MOST_OF_A_KIND = 9;
const BOARD = "charuco";
const INCHES = /-(US|CA|MX)$/; // browser languages of countries that print on Letter
const WIDEST_EDGE_PX = 9; // an edge this wide reads as zero on the sharpness meter

/** @type {any} */ // Api.WizardState, once it is loaded: nothing is shown before
let state = null;
let at = "aim";
/** @type {Api.VirtualState | null} */
let virtual = null; // null with a real camera
let boardTurn = 0;
/** @type {any} */ // Api.Tray, once it is loaded
let tray = null; // the own coins that lie on the mat
let running = false;

const picture = new Picture($("cal-live"), () => {});
const step = () => state.steps.find((each) => each.name === at);
const number = () => state.steps.findIndex((each) => each.name === at);

// -- showing ------------------------------------------------------------------------------------------------------

function show() {
  if (!state) return;
  const here = step();
  refill($("cal-steps"), [state.steps.map((each) => each.done), at, language], () => state.steps.map(stepButton));
  say($("cal-file"), [known(), state.left_coins_texts?.[language]].filter(Boolean).join(" "));
  const k = number() + 1, n = state.steps.length;
  say($("cal-number"), t("cal.number", { k, n }) + (here.optional ? ` · ${t("cal.optional")}` : ""));
  say($("cal-name"), t(`cal.${at}`));
  say($("cal-how"), t(`cal.${at}.how`));
  say($("cal-run"), runWords(here));
  $("cal-run").disabled = running;
  $("cal-set").hidden = !virtual || !["light", "lens", "sizes", "enrol", "pass"].includes(at);
  say($("cal-set"), t(`cal.set.${at}`));
  $("cal-asked").hidden = at !== "pass";
  const counted = ([name, many]) => `${many} × ${coin(name)}`.replaceAll(" ", "\u00a0"); // not broken over two lines
  say($("cal-asked"), Object.entries(state.asked).map(counted).join(" · "));
  showTray();
  showPrint();
  showResult(here.result);
  $("cal-back").hidden = number() === 0;
  $("cal-next").hidden = number() === state.steps.length - 1;
  $("cal-next").classList.toggle("go", Boolean(here.done || (here.optional && !here.result?.more)));
  $("cal-run").classList.toggle("go", !here.done);
  $("cal-play").hidden = !state.steps.at(-1).done;
  showPasses();
  showFaults();
}

function stepButton({ name, done }, k) {
  return h("li", null, h("button", { type: "button", "data-testid": `cal-step-${name}`,
    "data-done": done ? "yes" : "no", "aria-current": name === at ? "step" : null, onclick: () => go(name) },
    h("b", { "aria-hidden": "true" }, done ? "✓" : String(k + 1)), t(`cal.${name}`)));
}

// When the table was set up and for which camera, or why it counts as not set up.
function known() {
  if (!state.date) return state.left_aside_texts?.[language] ?? t("cal.unknown");
  return t("cal.known", { date: new Date(state.date).toLocaleDateString(language), camera: state.camera });
}

function runWords({ result }) {
  if (running) return t("cal.running");
  if (at === "enrol") return t("cal.enrol.run", { face: t(tray.face) });
  return t(result && !result.more ? "cal.again" : `cal.${at}.run`);
}

// The mat, or the lens board, as a PDF for people who have not printed it yet.
function showPrint() {
  $("cal-print").hidden = !["markers", "lens"].includes(at);
  const board = at === "lens";
  if (board !== ($("cal-mat").value === BOARD)) $("cal-mat").value = board ? BOARD : $("cal-mat").options[0].value;
  for (const each of $("cal-mat").options) {
    each.textContent = each.dataset[language] ?? each.dataset.en;
    each.hidden = each.disabled = board !== (each.value === BOARD);
  }
  $("cal-pdf").href = `/mat/${$("cal-mat").value}.pdf?paper=${$("cal-paper").value}`;
}

// The owner says which coins lie there and which side is up; the sides taken already have a tick.
function showTray() {
  $("cal-tray").hidden = at !== "enrol";
  const set = (change) => { tray = { ...tray, ...change }; show(); };
  refill($("cal-tray"), [tray, state.shown, language], () => [
    h("div", { class: "kinds" }, KINDS.map((kind) => h("div", null, h("span", null, t(kind)),
      stepper({ name: `tray-${kind}`, label: t(kind), value: tray.coins[kind] ?? 0, min: 1, max: MOST_OF_A_KIND,
        onset: (n) => set({ coins: { ...tray.coins, [kind]: n } }) })))),
    h("div", { class: "switcher", role: "group", "aria-label": t("cal.enrol.side") }, ["heads", "tails"].map((face) =>
      h("button", { type: "button", "aria-pressed": String(face === tray.face), "data-testid": `tray-${face}`,
        onclick: () => set({ face }) },
        (state.shown.includes(face) ? "✓ " : "") + t("cal.enrol.up", { face: t(face) }))))]);
}

function coin(name) {
  const { denomination, face } = parseCoin(name);
  return t("coin", { denomination: t(denomination), face: t(face) });
}

/** @param {Api.StepResult | null} result */
function showResult(result) {
  $("cal-result").hidden = !result || running;
  if (!result) return;
  $("cal-result").dataset.ok = result.ok ? "yes" : result.more ? "more" : "no";
  say($("cal-said"), result.said[language]);
  say($("cal-todo"), result.todo[language]);
  refill($("cal-figures"), [result.figures, language], () => Object.entries(result.figures).map(([name, value]) =>
    h("div", null, h("dt", null, t(`cal.figure.${name}`)), h("dd", null, String(value)))));
}

function showPasses() {
  $("cal-passes").hidden = !state.passes.length;
  const when = (date) => new Date(date).toLocaleString(language, { dateStyle: "short", timeStyle: "short" });
  const cells = ({ date, camera, right, coins, wrong, missed, invented, not_sure: unsure }) =>
    [when(date), camera, `${right} / ${coins}`, String(wrong + missed + invented), String(unsure)];
  refill($("cal-pass-rows"), [state.passes], () =>
    [...state.passes].reverse().map((pass) => h("tr", null, cells(pass).map((text) => h("td", null, text)))));
}

function showFaults() {
  $("cal-faults").hidden = !virtual;
  if (!virtual) return;
  const { faults = {} } = virtual;
  refill($("cal-fault-list"), [faults, language], () => Object.entries(faults).map(([name, on]) =>
    h("label", null, h("input", { type: "checkbox", checked: on, "data-testid": `fault-${name}`,
      onchange: (event) => setTable({ faults: { [name]: event.target.checked } }) }),
      h("span", null, t(`fault.${name}`)))));
}

// The picture that a step ruled on, with its marks, stands in place of the live one until people go on.
function showFound(name) {
  $("cal-found").hidden = !name;
  $("cal-live").hidden = Boolean(name);
  $("cal-see-live").hidden = !name;
  if (name) $("cal-found").src = `/api/calibrate/picture/${name}.jpg?${Date.now()}`;
}

/** @param {Api.StepResult} seen */
function showAim({ figures, said, todo }) {
  if (figures.white === undefined) { // there is no picture
    refill($("cal-meters"), [said, language], () => [
      h("span", { class: "wide" }, `${said[language]} ${todo[language]}`)]);
    return;
  }
  const sharpness = Math.max(0, WIDEST_EDGE_PX - (figures.edge_px ?? WIDEST_EDGE_PX)).toFixed(1);
  refill($("cal-meters"), [figures, language], () => [
    h("label", null, t("cal.sharpness"), h("meter", { min: 0, max: WIDEST_EDGE_PX - 2, low: WIDEST_EDGE_PX - 5,
      high: WIDEST_EDGE_PX - 4, optimum: WIDEST_EDGE_PX - 2, value: sharpness, "data-testid": "cal-sharpness" })),
    h("label", null, t("cal.brightness"), h("meter", { min: 0, max: 255, low: 90, high: 252, optimum: 200,
      value: figures.white, "data-testid": "cal-brightness" })),
    h("span", null, t("cal.edge", { px: figures.edge_px?.toFixed(1) ?? "–" })),
    h("span", null, t("cal.white", { white: figures.white })),
  ]);
}

// -- doing --------------------------------------------------------------------------------------------------------

function go(name) {
  at = name;
  showFound(null);
  show();
  if (virtual && name !== "lens" && virtual.board !== null) setTable({ board: null });
  $("cal-name").scrollIntoView({ block: "nearest" });
}

async function run() {
  running = true;
  show();
  const name = at;
  const answer = await post("/api/calibrate/run", name === "enrol" ? { step: name, tray } : { step: name });
  running = false;
  await refresh();
  if (answer && at === name) showFound(name);
  show();
}

async function refresh() {
  state = (await get("/api/calibrate")) ?? state;
  tray = state.tray;
}

async function setTable(change) {
  virtual = (await call("PUT", "/api/virtual", change)) ?? virtual;
  show();
}

// The coins that a step wants on the mat: "penny:heads" each.
function wantedCoins() {
  switch (at) {
    case "sizes": return KINDS.map((kind) => `${kind}:heads`);
    case "pass": return Object.keys(state.asked);
    case "enrol": return KINDS.flatMap((kind) => Array(tray.coins[kind] ?? 0).fill(`${kind}:${tray.face}`));
    default: return [];
  }
}

// Sets the virtual table for a step, as a person would with real coins and a real board: rows of eight, coins turned.
function setForStep() {
  showFound(null);
  const across_mm = virtual?.mat.startsWith("coin-age") ? 34 : 36;
  const laid = wantedCoins().map((name, k) => {
    const { denomination, face } = parseCoin(name);
    const x_mm = 75 + across_mm * (k % 8), y_mm = 34 + 34 * Math.floor(k / 8);
    return { denomination, face, x_mm, y_mm, angle_deg: (47 * k) % 360 };
  });
  return setTable({ coins: laid, hand: false, board: at === "lens" ? boardTurn++ : null });
}

async function aim() {
  if (!document.hidden && !running) {
    const seen = await get("/api/calibrate/aim");
    if (seen) showAim(seen);
  }
  setTimeout(aim, AIM_MS);
}

await beginLanguage();
onLanguage(show);
$("cal-run").onclick = run;
$("cal-set").onclick = setForStep;
$("cal-mat").onchange = showPrint;
$("cal-paper").onchange = showPrint;
$("cal-paper").value = INCHES.test(navigator.language) ? "letter" : "a4";
$("cal-see-live").onclick = () => showFound(null);
$("cal-next").onclick = () => go(state.steps[number() + 1].name);
$("cal-back").onclick = () => go(state.steps[number() - 1].name);
$("cal-restart").onclick = async () => {
  const fresh = await post("/api/calibrate/restart");
  if (fresh) { state = fresh; tray = state.tray; go("aim"); }
};
[state, virtual] = await Promise.all([get("/api/calibrate"), get("/api/virtual")]);
if (!state) noticeOffline();
tray = state?.tray;
at = state?.steps.find((each) => !each.done && !each.optional)?.name ?? at;
show();
picture.show("camera");
aim();
