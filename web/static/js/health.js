// The health page: what the checks found, what is wrong first. It looks again now and then while somebody watches.

import { get, post } from "./api.js";
import { $, h, refill, say } from "./dom.js";
import { beginLanguage, language, onLanguage, t } from "./i18n.js";

const AGAIN_MS = 15_000;
const ORDER = ["fail", "warn", "ok"];

/** @type {Api.HealthReport | null} */
let report = null;

function show() {
  if (!report) return;
  const wrong = report.findings.filter(({ status }) => status !== "ok").length;
  const verdict = wrong === 0 ? "checks.fine" : wrong === 1 ? "checks.wrong.one" : "checks.wrong";
  say($("checks-verdict"), t(verdict, { wrong }));
  const sorted = ORDER.flatMap((wanted) => report?.findings.filter(({ status }) => status === wanted) ?? []);
  const last = sorted.findLastIndex(({ what }) => what === "journal");
  refill($("checks"), [report, language], () => sorted.map(({ what, status, title, said, todo }, at) =>
    h("li", { class: "card", "data-status": status, "data-testid": `check-${what}` },
      h("h2", null, title[language] ?? title.en, h("span", { class: "hidden" }, ` – ${t(`checks.${status}`)}`)),
      h("p", null, said[language] ?? said.en),
      todo ? h("p", { class: "todo" }, todo[language] ?? todo.en) : null,
      at === last && report?.may_read
        ? h("button", { type: "button", "data-testid": "read", onclick: read }, t("checks.read")) : null)));
}

async function read() {
  report = (await post("/api/health/read", {}, null)) ?? report;
  show();
}

async function look() {
  report = (await get("/api/health")) ?? report;
  show();
}

onLanguage(show);
await beginLanguage();
await look();
setInterval(() => { if (!document.hidden) look(); }, AGAIN_MS);
