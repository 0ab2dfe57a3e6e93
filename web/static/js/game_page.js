// The page of one game of history: its replay, the pictures of its rulings, and its analysis once it is worked out.

import { get } from "./api.js";
import { $, say } from "./dom.js";
import { Evidence } from "./evidence.js";
import { beginLanguage, language, onLanguage, spoken, t } from "./i18n.js";
import { Replay } from "./replay.js";

const ASK_MS = 2000; // how often the page asks whether the analysis is there
const { number } = $("replay").dataset;
const address = `/api/history/${number}`;
const evidence = new Evidence();

/** @type {{ replay: Replay | null, problem: Api.Problem | null, analysis: Api.Analysis | null }} */
const shown = { replay: null, problem: null, analysis: null };

// The evidence of the table's page takes a ruling: the step says the same.
/** @param {Api.ReplayStep} step */
const pictures = (step) => evidence.open(/** @type {any} */ ({ seq: step.evidence, evidence: step.evidence,
  accepted: step.kind !== "refused", clause: step.clause ?? null, text: step.said.en, texts: step.said }));

function draw() {
  $("download-picture").href = `${address}/picture.png?lang=${language}`;
  if (!shown.replay) return say($("replay-said"), shown.problem ? spoken(shown.problem) : t("replay.loading"));
  shown.replay.draw();
  tell();
}

// One line below the graph while there is no analysis.
function tell() {
  const { analysis } = shown;
  const waiting = analysis?.running ? t("replay.analysing") : "";
  say($("analysis"), analysis?.problem ? spoken({ texts: analysis.problem }) : waiting);
}

async function follow() {
  shown.analysis = await get(`${address}/analysis`);
  const report = shown.analysis?.report;
  if (report && Object.keys(report.players).length) shown.replay?.know(report);
  tell();
  if (!shown.analysis || shown.analysis.running) setTimeout(follow, ASK_MS);
}

async function open() {
  const answer = await fetch(address, { cache: "no-store" }).catch(() => null);
  const told = await answer?.json();
  if (!answer?.ok) {
    shown.problem = told ?? { error: "", texts: { [language]: t("error.offline") } };
    return draw();
  }
  shown.replay = new Replay(told, pictures);
  $("downloads").hidden = false;
  draw();
  await follow();
}

$("evidence-close").onclick = () => $("evidence").close();
onLanguage(draw);
await beginLanguage();
await open();
