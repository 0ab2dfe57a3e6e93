// The coins that the table remembers, on the set-up page: the owner's consent, their pictures, reset and carrying.

import { get, post, request } from "./api.js";
import { $, h, refill, say } from "./dom.js";
import { language, onLanguage, spoken, t } from "./i18n.js";
import { hush, notice, noticeOffline } from "./notice.js";

const SURE_MS = 4000; // a second tap within this time forgets everything

/** @type {Api.KnownCoins | null} */
let known = null;
let asked = 0; // the timer that runs while a second tap forgets

const name = ({ denomination, face }) =>
  face ? t("coin", { denomination: t(denomination), face: t(face) }) : t(denomination);

function show() {
  if (!known) return;
  const { learn, fixed, coins } = known;
  say($("known-said"), t(`known.${learn}`) + (fixed ? ` ${t("known.fixed")}` : ""));
  $("known-trouble").hidden = !known.trouble_texts;
  say($("known-trouble"), known.trouble_texts?.[language] ?? "");
  $("known-consent").hidden = fixed;
  for (const choice of ["on", "off"]) $(`known-${choice}`).setAttribute("aria-pressed", String(learn === choice));
  const faces = new Set(coins.map((coin) => `${coin.denomination} ${coin.face}`)).size;
  say($("known-count"), coins.length ? t("known.count", { coins: coins.length, faces }) : t("known.none"));
  $("known-download").hidden = $("known-forget").hidden = !coins.length;
  $("known-add").hidden = learn !== "on";
  say($("known-forget"), t(asked ? "known.sure" : "known.forget"));
  const now = Date.now(); // the pictures' numbers change when coins are forgotten
  refill($("known-coins"), [coins, language], () => coins.map((coin) =>
    h("img", { src: `${coin.picture}?${now}`, alt: name(coin), title: name(coin), loading: "lazy" })));
}

function take(answer) {
  known = answer ?? known;
  show();
}

function forget() {
  clearTimeout(asked);
  if (!asked) {
    asked = setTimeout(() => { asked = 0; show(); }, SURE_MS);
    return show();
  }
  asked = 0;
  return post("/api/known/forget").then(take);
}

async function add(event) {
  const [file] = event.target.files;
  event.target.value = "";
  if (!file) return;
  const form = new FormData();
  form.append("coins", file);
  try {
    const answer = await request("/api/known/coins", { method: "POST", body: form });
    const json = await answer.json();
    if (answer.ok) {
      hush();
      take(json);
    } else notice(spoken(json) || json.error);
  } catch {
    noticeOffline();
  }
}

onLanguage(show);
$("known-on").onclick = async () => take(await post("/api/known/learn", { learn: "on" }));
$("known-off").onclick = async () => take(await post("/api/known/learn", { learn: "off" }));
$("known-forget").onclick = forget;
$("known-file").onchange = add;
take(await get("/api/known"));
