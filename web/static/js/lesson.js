// A lesson: what the coach says, the table to practise at, and the ways on. The server decides what is shown; here it
// is only drawn, and what the person does is sent.

import { post } from "./api.js";
import { clauseOf } from "./clauses.js";
import { drawCoin, parseCoin } from "./coin.js";
import { $, h, refill, s, say } from "./dom.js";
import { beginLanguage, coinText, heapText, language, onLanguage, spoken, t } from "./i18n.js";
import { LessonTable } from "./lesson_table.js";
import { lasting } from "./storage.js";

const { game } = $("lesson").dataset;
const AGAIN_MS = 5000; // until a lesson that could not begin is asked for again

/** @type {any} */ // Api.LessonShown, once there is one
let shown = null;
let asking = ""; // what is asked: one call after the other
/** @type {Api.VirtualCoin[] | null} */
let later = null; // coins that were moved on while the referee looked at the move before

const table = new LessonTable(put);

// By which the table knows this lesson again: a text of this browser's own.
function learner() {
  const kept = lasting.get("learner");
  if (kept) return kept;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"));
  lasting.set("learner", made.join(""));
  return made.join("");
}

/** @type {(what: string, more?: Record<string, any>) => Promise<void>} */
async function step(what, more = {}) {
  if (asking) return;
  asking = what;
  document.body.dataset.asking = "yes";
  const answer = await post(`/api/learn/${game}`, { learner: learner(), do: what, ...more });
  asking = "";
  document.body.dataset.asking = "no";
  if (answer) shown = answer;
  const coins = later;
  later = null;
  if (coins && answer && lieAs(answer.lies, more.coins)) return step("put", { coins });
  if (shown) return show();
  say($("said"), t("learn.away")); // the notice says why
  setTimeout(() => shown || step("look"), AGAIN_MS);
}

// Who moves one coin after another does not wait for the referee's look at each.
/** @param {Api.VirtualCoin[]} coins */
function put(coins) {
  if (asking === "put") later = coins;
  else if (asking) show();
  else step("put", { coins });
}

/** Whether the coins lie as they were put. @type {(lie: Api.VirtualCoin[], were: Api.VirtualCoin[]) => boolean} */
const lieAs = (lie, were) => lie.length === were.length && lie.every((coin, k) =>
  ["denomination", "face", "x_mm", "y_mm"].every((name) => coin[name] === were[k][name]));

function show() {
  const { snapshot, kind, step: at, steps, title, lit, coins, lies, told, fell } = shown;
  const over = kind === "over";
  document.title = `${t("learn.me")}: ${spoken({ texts: title })} – ${t("title")}`;
  say($("lesson-title"), spoken({ texts: title }));
  say($("lesson-step"), over ? "" : t("learn.step", { n: at + 1, of: steps }));
  $("lesson-progress").value = at / steps;
  say($("said"), over ? t("learn.over") : spoken({ texts: shown.texts }));
  refill($("fell"), [fell, language], () => fell.map(tossedCoin));
  refill($("told"), [told, language], () => told.map((texts) => h("li", null, spoken({ texts }))));
  showAside();
  refill($("ways"), [shown, language], ways);
  table.show({ mat: snapshot.mat, coins: lies, lit, wanted: coins, moving: told.length > 0 && !fell.length });
  $("referee").hidden = !$("aside").hidden && shown.aside !== "other"; // a refusal is told in one place
  say($("ruling"), snapshot.ruling?.accepted ? spoken(snapshot.ruling) : "");
  say($("prompt-said"), over ? "" : spoken(snapshot.prompt));
  document.body.dataset.step = String(at); // for tests
  document.body.dataset.aside = shown.aside ?? "";
}

// What else happened than the step asks for: the referee's own words first, then the coach's.
function showAside() {
  const { aside, beside, snapshot } = shown;
  const refused = aside === "refused" || aside === "mistaken";
  const question = snapshot.prompt.kind === "question";
  const words = spoken({ texts: beside }) || (aside && !question ? t(`learn.${aside}`) : "");
  $("aside").hidden = !aside && !question;
  $("aside").dataset.aside = aside ?? "";
  refill($("aside"), [aside, words, snapshot.ruling, snapshot.prompt, language], () => [
    refused ? h("p", { class: "refusal", "data-testid": "refusal" }, h("b", null, t("ruling.refused")), " ",
      spoken(snapshot.ruling), " ", clauseLink(snapshot.ruling?.clause)) : null,
    question || aside === "unsettled" ? h("p", null, spoken(snapshot.prompt)) : null,
    h("p", null, words),
  ].filter(Boolean));
}

// A coin of the last toss as it fell.
function tossedCoin(name) {
  const { denomination, face } = parseCoin(name);
  return s("svg", { viewBox: "-13.5 -13.5 27 27", class: "coin-icon", role: "img",
    "aria-label": coinText({ denomination, face }) }, drawCoin(denomination, face));
}

// People know a clause by its number, as the rulebook prints it.
function clauseLink(id) {
  const link = h("a", { class: "clause", href: `/rules/${game}#${id}` });
  clauseOf(id).then((found) => { if (found) say(link, t("ruling.clause", { clause: found.number })); });
  return id ? link : null;
}

// The buttons: what leads on, and what the referee offers.
function ways() {
  const { act, aside, kind, nexts, offers, snapshot, you } = shown;
  const { prompt, table: { flips } } = snapshot;
  const way = (name, words, does, main) => h("button", { type: "button", class: main ? "go" : "", onclick: does,
    "data-testid": `way-${name}` }, words);
  if (kind === "over") {
    return [h("a", { class: "go as-button", href: "/#start", "data-testid": "way-play" }, t("learn.play")),
      way("again", t("learn.again"), () => step("begin"), false)];
  }
  const tosses = Object.values(flips);
  const acts = !nexts || kind === "mistake";
  return [
    nexts ? way("next", t("learn.next"), () => step("next"), true) : null,
    acts && tosses.length ? way("toss", t("virtual.toss", { heap: tosses.map(heapText).join(t("list.between")) }),
      () => step("toss"), true) : null,
    prompt.kind === "question" ? prompt.choices.map((choice, k) =>
      way(`answer-${k}`, spoken(choice), () => step("answer", { choice: k }), false)) : null,
    acts && kind !== "read" ? offers.map((offer, k) =>
      way(`offer-${k}`, spoken(offer), () => step("act", { action: offer.action }), false)) : null,
    aside && !nexts ? way("put-back", t("learn.putBack"), () => step("put-back"), aside !== "other") : null,
    aside === "other" ? way("go-on", t("learn.goOn"), () => step("go-on"), true) : null,
    acts && kind !== "read" && sided(you) && prompt.seat === you && !tosses.length
      ? way("done", t("panel.done"), () => step("press", { button: `${you}.done` }), act === "done") : null,
  ].flat().filter(Boolean);
}

const sided = (seat) => seat === "heads" || seat === "tails";

$("again").onclick = () => step("begin");
onLanguage(() => shown && show());
await beginLanguage();
await step("look");
