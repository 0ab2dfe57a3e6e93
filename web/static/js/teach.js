// Teach a map: a photo, four corners, the spaces and their neighbours. All places are pixels of the photo.

import { post, request } from "./api.js";
import { $, h, s } from "./dom.js";
import { beginLanguage, onLanguage, spoken, t } from "./i18n.js";
import { hush, notice, noticeOffline } from "./notice.js";

const INKS = ["#9a6a3f", "#3f7d4e", "#b8912f", "#a8475e", "#3f6fa0", "#75569b", "#4c8f8f", "#6b6f76"];
const TAP_PX = 6; // a finger that moved less has tapped

/** @type {Blob | null} */
let file = null;
let size = [0, 0];
let corners = [];
let spaces = []; // {at: [x, y], region: index}
const regions = [{ name: "" }];
let region = 0;
let mode = "corners";
/** @type {number | null} */
let chosen = null; // index of a space
let guessed = []; // pairs of indices
let changed = new Set(); // "i-j": pairs that a person joined or parted against the guess
let ratio = 0; // width over height of the card, as guessed
let ownHeight = false;
let asked = 0;

const key = (i, j) => (i < j ? `${i}-${j}` : `${j}-${i}`);
const letter = (k) => String.fromCharCode(65 + k);

function neighbours() {
  const pairs = new Set(guessed.map(([i, j]) => key(i, j)));
  for (const pair of changed) pairs.has(pair) ? pairs.delete(pair) : pairs.add(pair);
  return [...pairs].map((pair) => pair.split("-").map(Number)).filter(([, j]) => j < spaces.length);
}

async function guess() {
  const mine = ++asked;
  const body = { size_px: size, corners_px: corners, spaces_px: spaces.map((space) => space.at) };
  const answer = await post("/api/teach/guess", body);
  if (!answer || mine !== asked) return;
  guessed = answer.neighbours;
  ratio = answer.aspect;
  fillHeight();
  draw();
}

function fillHeight() {
  const width = Number($("width").value);
  if (!ownHeight && width > 0 && ratio > 0) $("height").value = String(Math.round((2 * width) / ratio) / 2);
}

// -- drawing --------------------------------------------------------------------------------------------------------

function handle(kind, number, [x, y], ink, label) {
  const r = Math.max(...size) / 48;
  const group = s("g", {
    class: `handle ${kind} ${kind === "space" && number === chosen ? "chosen" : ""}`,
    transform: `translate(${x} ${y})`,
    tabindex: "0", role: "button", "aria-label": `${t(`teach.${kind}`)} ${label}`,
    "data-kind": kind, "data-number": number, "data-testid": `${kind}-${number}`,
  }, s("circle", { class: "reach", r: 1.9 * r }), s("circle", { r, fill: ink ?? null }),
  s("text", { "font-size": r }, label));
  group.addEventListener("keydown", (event) => nudge(event, kind, number));
  return group;
}

function draw() {
  const paths = neighbours().map(([i, j]) => path(i, j));
  const counts = regions.map(() => 0);
  const marks = spaces.map(({ at, region: own }, k) =>
    handle("space", k, at, INKS[own], `${letter(own)}${++counts[own]}`));
  const edge = s("polygon", { class: "edge", points: corners.map((corner) => corner.join(",")).join(" ") });
  const grips = corners.map((at, k) => handle("corner", k, at, null, String(k + 1)));
  $("taps").replaceChildren(edge, ...paths, ...marks, ...(mode === "corners" ? grips : []));
  $("how").textContent = t(`teach.how.${mode}`, { count: spaces.length });
  for (const button of $("mode").children) {
    button.setAttribute("aria-pressed", String(button.dataset.value === mode));
  }
  $("regions").hidden = mode !== "spaces";
  $("remove").hidden = mode !== "spaces" || chosen === null;
}

function path(i, j) {
  const [x1, y1] = spaces[i].at, [x2, y2] = spaces[j].at;
  return s("line", { class: "path", x1, y1, x2, y2, "data-testid": `path-${key(i, j)}` });
}

function drawRegions() {
  const rows = regions.map((own, k) => h("div", { class: "teach-region" },
    h("button", { type: "button", "aria-pressed": String(k === region), "data-testid": `region-${k}`,
      onclick: () => choose(k) },
      s("svg", { viewBox: "0 0 18 18", "aria-hidden": "true" }, s("circle", { cx: 9, cy: 9, r: 8, fill: INKS[k] })),
      letter(k)),
    h("input", { type: "text", maxlength: 40, value: own.name, placeholder: t("teach.region"),
      "aria-label": t("teach.region"), "data-testid": `region-name-${k}`,
      oninput: (event) => { own.name = event.target.value; } })));
  const more = h("button", { type: "button", "data-testid": "region-more",
    onclick: () => { regions.push({ name: "" }); choose(regions.length - 1); } }, t("teach.more"));
  $("regions").replaceChildren(...rows, ...(regions.length < INKS.length ? [more] : []));
}

function choose(k) {
  region = k;
  if (chosen !== null) spaces[chosen].region = k;
  chosen = null;
  drawRegions();
  draw();
}

// -- fingers --------------------------------------------------------------------------------------------------------

function place(event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform($("taps").getScreenCTM().inverse());
  const inside = (at, length) => Math.round(Math.min(Math.max(at, 0), length - 1) * 10) / 10;
  return [inside(x, size[0]), inside(y, size[1])];
}

/** @type {{ kind?: string, number: number, start: number[], moved: boolean } | null} */
let held = null; // what the finger holds down: {kind, number, start, moved}

$("taps").onpointerdown = (event) => {
  const group = event.target.closest(".handle");
  const { kind, number } = group?.dataset ?? {};
  held = { kind, number: Number(number), start: [event.clientX, event.clientY], moved: false };
  $("taps").setPointerCapture(event.pointerId);
};
$("taps").onpointermove = (event) => {
  if (!held) return;
  held.moved ||= Math.hypot(event.clientX - held.start[0], event.clientY - held.start[1]) > TAP_PX;
  if (!held.moved || mode === "paths") return;
  if (held.kind === "corner") corners[held.number] = place(event);
  else if (held.kind === "space" && mode === "spaces") spaces[held.number].at = place(event);
  draw();
};
$("taps").onpointerup = (event) => {
  const was = held;
  held = null;
  if (was && !was.moved) tap(was, place(event));
  else if (was?.kind) guess();
};
$("taps").onpointercancel = () => { held = null; };

/** @type {(what: { kind?: string, number: number }, at: number[]) => void} */
function tap({ kind, number }, at) {
  if (mode === "corners" && kind !== "corner") {
    const far = corners.map(([x, y]) => Math.hypot(x - at[0], y - at[1]));
    corners[far.indexOf(Math.min(...far))] = at;
    guess();
  } else if (mode === "spaces" && kind === "space") {
    chosen = chosen === number ? null : number;
  } else if (mode === "spaces") {
    spaces.push({ at, region });
    chosen = null;
    guess();
  } else if (mode === "paths" && kind === "space") {
    if (chosen === null || chosen === number) chosen = chosen === null ? number : null;
    else {
      const pair = key(chosen, number);
      changed.has(pair) ? changed.delete(pair) : changed.add(pair);
      chosen = null;
    }
  }
  draw();
}

function nudge(event, kind, number) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const at = kind === "corner" ? corners[number] : spaces[number].at;
  if (event.key === "Enter" || event.key === " ") tap({ kind, number }, at);
  else if (step && mode !== "paths") {
    at[0] += (step[0] * size[0]) / 400;
    at[1] += (step[1] * size[0]) / 400;
    guess();
    draw();
  } else return;
  event.preventDefault();
  $("taps").querySelector(`[data-testid="${kind}-${number}"]`)?.focus();
}

$("remove").onclick = () => {
  const old = neighbours();
  const gone = chosen;
  if (gone === null) return;
  const renumbered = (k) => (k > gone ? k - 1 : k); // later spaces move up by one
  spaces.splice(gone, 1);
  changed = new Set(); // set below: where people's pairs differ from the new guess
  const kept = new Set(old.filter((pair) => !pair.includes(gone)).map(([i, j]) => key(renumbered(i), renumbered(j))));
  chosen = null;
  guess().then(() => {
    const fresh = new Set(guessed.map(([i, j]) => key(i, j)));
    changed = new Set([...kept].filter((pair) => !fresh.has(pair)));
    draw();
  });
  draw();
};

// -- photo and saving -----------------------------------------------------------------------------------------------

async function show(picture) {
  file = picture;
  URL.revokeObjectURL($("card-picture").src);
  $("card-picture").src = URL.createObjectURL(picture);
  try {
    await $("card-picture").decode();
  } catch {
    notice(t("teach.unreadable"));
    return;
  }
  size = [$("card-picture").naturalWidth, $("card-picture").naturalHeight];
  const [w, hgt] = size;
  corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]].map(([x, y]) => [Math.round(x * w), Math.round(y * hgt)]);
  spaces = [];
  guessed = [];
  changed = new Set();
  chosen = null;
  $("taps").setAttribute("viewBox", `0 0 ${w} ${hgt}`);
  $("work").hidden = $("save").hidden = false;
  $("done").hidden = true;
  mode = "corners";
  drawRegions();
  draw();
  guess();
}

$("photo").onchange = () => $("photo").files[0] && show($("photo").files[0]);
$("live").onclick = async () => {
  const answer = await fetch("/frame.jpg?view=camera", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) show(await answer.blob());
  else if (answer) notice(t("teach.noCamera"));
  else noticeOffline();
};
for (const button of $("mode").children) {
  button.onclick = () => { mode = button.dataset.value; chosen = null; draw(); };
}
$("width").oninput = fillHeight;
$("height").oninput = () => { ownHeight = $("height").value !== ""; };

// A file name for a map: "Our Café" becomes "our-cafe".
function slug(text) {
  const plain = text.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return plain.slice(0, 30) || "my-map";
}

$("save").onsubmit = async (event) => {
  event.preventDefault();
  if (!file) return;
  const used = regions.map((own, k) => ({ id: letter(k), name: own.name || letter(k) }))
    .filter((_, k) => spaces.some((space) => space.region === k));
  const title = $("title").value;
  const lesson = {
    name: slug(title), title, size_mm: [Number($("width").value), Number($("height").value)],
    corners_px: corners, regions: used, neighbours: neighbours(),
    spaces: spaces.map(({ at, region: own }) => ({ region: letter(own), at_px: at })),
  };
  const form = new FormData();
  form.append("photo", file, "card");
  form.append("lesson", JSON.stringify(lesson));
  $("go").disabled = true;
  $("wait").hidden = false;
  try {
    const answer = await request("/api/teach", { method: "POST", body: form });
    const json = await answer.json();
    if (!answer.ok) return notice(spoken(json) || json.error);
    hush();
    $("done").hidden = false;
    $("done").replaceChildren(h("h2", null, t("teach.learnt", { name: title })),
      h("p", null, t("teach.known", { name: json.map, spaces: json.spaces })));
    $("done").scrollIntoView({ block: "center" });
  } catch {
    noticeOffline();
  } finally {
    $("go").disabled = false;
    $("wait").hidden = true;
  }
};

onLanguage(() => size[0] && (drawRegions(), draw()));
await beginLanguage();
if ($("photo").files[0]) show($("photo").files[0]); // chosen before this script was loaded
