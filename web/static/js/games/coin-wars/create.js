// A new character: twelve points over five traits, a Strong trait or a power, and a name for the fifth. Or a saved sheet.

import { act as send, notice } from "../../api.js";
import { h } from "../../dom.js";
import { t } from "../../i18n.js";
import { stepper } from "../../stepper.js";
import { card } from "../part.js";
import { LINKED, POWERS, START_POINTS, TRAITS, traitWord } from "./words.js";

const fresh = () => ({ name: "", ratings: { bodiness: 3, braininess: 3, personality: 2, coolness: 2, misc: 2 }, misc_name: "",
  gift: "strong", strong: "bodiness", power: "luck", trait: "bodiness" });
let draft = fresh();

const total = () => TRAITS.reduce((sum, trait) => sum + draft.ratings[trait], 0);

// `expected`: the names the table waits for, empty when anybody may join; `joined(name)` is called when it stands.
export function newCharacter({ game, seat, redraw }, { expected, joined }) {
  const open = expected.filter((name) => !game.characters[name]);
  if (expected.length && !open.includes(draft.name)) draft.name = open.includes(seat) ? seat : open[0] ?? "";
  const set = (change) => { draft = { ...draft, ...change }; redraw(); };
  const create = async (body) => {
    const { name } = draft;
    if (await send({ do: "create", name, ...body }, expected.length ? name : null)) { draft = fresh(); joined(name); }
  };
  return { key: ["create", draft.ratings, draft.gift, draft.strong, draft.power, draft.trait, open], make: () => [card(t("wars.create"),
    h("label", { class: "option" }, h("span", null, t("wars.name")), expected.length
      ? h("select", { "data-testid": "wars-name", onchange: (event) => set({ name: event.target.value }) },
        open.map((name) => h("option", { value: name, selected: name === draft.name }, name)))
      : h("input", { type: "text", maxlength: 40, value: draft.name, autocomplete: "off", "data-testid": "wars-name", oninput: (event) => (draft.name = event.target.value.trim()) })),
    h("p", { class: "hint", "data-testid": "points-left" }, t("wars.pointsLeft", { n: START_POINTS - total() })),
    TRAITS.map((trait) => h("div", { class: "option" }, h("span", null, t(`wars.${trait}`), h("small", null, t(`wars.${trait}.what`))),
      stepper({ name: `rating-${trait}`, label: t(`wars.${trait}`), value: draft.ratings[trait],
        max: draft.ratings[trait] + START_POINTS - total(), onset: (rating) => set({ ratings: { ...draft.ratings, [trait]: rating } }) }))),
    h("label", { class: "option" }, h("span", null, t("wars.miscName")),
      h("input", { type: "text", maxlength: 40, value: draft.misc_name, "data-testid": "wars-misc", oninput: (event) => (draft.misc_name = event.target.value.trim()) })),
    game.options.powers === "none" ? null : h("label", { class: "option" }, h("span", null, t("wars.gift")),
      choose("wars-gift", ["strong", "power"], draft.gift, (each) => t(`wars.gift.${each}`), (gift) => set({ gift }))),
    draft.gift === "strong" ? gift("wars-strong", "wars.strong", TRAITS.slice(0, 4), "strong", set)
      : [h("label", { class: "option" }, h("span", null, t("wars.power"), h("small", null, t(`wars.${draft.power}.what`))),
        choose("wars-power", POWERS, draft.power, (each) => t(`wars.${each}`), (power) => set({ power }))),
        LINKED.includes(draft.power) ? gift("wars-power-trait", "wars.powerTrait", TRAITS.filter((each) => each !== "coolness"), "trait", set) : null],
    h("button", { type: "button", class: "go", disabled: total() !== START_POINTS, "data-testid": "wars-create", onclick: () => create(body()) }, t("wars.join")),
    h("label", { class: "option" }, h("span", null, t("wars.load")),
      h("input", { type: "file", accept: ".json,application/json", "data-testid": "wars-load", onchange: (event) => load(event.target.files[0], create) })))] };
}

function body() {
  const { ratings, misc_name, gift: kind, strong, power, trait } = draft;
  if (kind === "strong") return { ratings, misc_name, strong };
  return { ratings, misc_name, power: LINKED.includes(power) ? { name: power, trait } : { name: power } };
}

const gift = (testid, words, traits, field, set) => h("label", { class: "option" }, h("span", null, t(words)),
  choose(testid, traits, draft[field], (trait) => traitWord(trait, draft.misc_name), (value) => set({ [field]: value })));

const choose = (testid, values, chosen, words, onset) => h("select", { "data-testid": testid, onchange: (event) => onset(event.target.value) },
  values.map((value) => h("option", { value, selected: value === chosen }, words(value))));

async function load(file, create) {
  let saved;
  try {
    saved = JSON.parse(await file.text());
  } catch {
    return notice(t("wars.load.broken"));
  }
  if (!saved?.sheet) return notice(t("wars.load.broken"));
  draft.name ||= String(saved.name ?? "");
  await create({ sheet: saved.sheet });
}

export const saveLink = (name, sheet) => h("button", { type: "button", class: "quiet", "data-testid": `save-${name}`, onclick: () => {
  const url = URL.createObjectURL(new Blob([JSON.stringify({ name, sheet }, null, 1)], { type: "application/json" }));
  h("a", { href: url, download: `${name}.coin-wars.json` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
} }, t("wars.save"));
