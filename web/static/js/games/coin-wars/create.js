// A new character: twelve points over five traits, a Strong trait or a power, a name for the fifth trait; or a saved
// sheet.

import { sitAt } from "../../access.js";
import { act as send } from "../../api.js";
import { h } from "../../dom.js";
import { language, t } from "../../i18n.js";
import { notice } from "../../notice.js";
import { atTable, mySeat, plainName, standingNow } from "../../seat.js";
import { stepper } from "../../stepper.js";
import { card } from "../part.js";
import { book, heroes, said } from "./book.js";
import { LINKED, POWERS, START_POINTS, TRAITS, traitWord } from "./words.js";

const STRONG = TRAITS.slice(0, 4); // the fifth trait cannot be Strong
const LINKABLE = TRAITS.filter((each) => each !== "coolness"); // traits that a rank of a linked power may belong to

const fresh = () => ({
  name: "", misc_name: "",
  ratings: { bodiness: 3, braininess: 3, personality: 2, coolness: 2, misc: 2 },
  gift: "strong", strong: "bodiness", power: "luck", trait: "bodiness",
});
let draft = fresh();

const total = () => TRAITS.reduce((sum, trait) => sum + draft.ratings[trait], 0);

// `expected`: the names the table waits for, empty when anybody may join; `joined(name)` is called when it is made.
export function newCharacter({ game, seat, redraw }, { expected, joined }) {
  const open = expected.filter((name) => !game.characters[name]);
  if (expected.length && !open.includes(draft.name)) draft.name = open.includes(seat) ? seat : open[0] ?? "";
  const set = (change) => { draft = { ...draft, ...change }; redraw(); };
  const create = async (made) => {
    const name = plainName(draft.name);
    // A phone must have sat down by that name before it may act.
    const sits = !atTable() && !standingNow()?.chooses && mySeat() !== name;
    if (sits) await sitAt(name);
    // A page at an open table speaks for everybody, and for no seat that it does not hold.
    const speaks = sits || (expected.length && (standingNow()?.chooses ?? true));
    if (!await send({ do: "create", name, ...made }, speaks ? name : null)) return;
    draft = fresh();
    joined(name);
  };
  const { ratings, gift, strong, power, trait } = draft;
  const takeHero = (hero) => {
    draft.name ||= said(hero.title);
    create({ ratings: hero.ratings, strong: hero.strong, misc_name: said(hero.misc) });
  };
  const free = heroes(game, takeHero);
  const own = (...rows) => (free.length
    ? h("details", null, h("summary", { "data-testid": "wars-own" }, t("wars.book.own")), rows.flat()) : rows.flat());
  const shown = ["create", ratings, gift, strong, power, trait, open, game.tale, game.book, language];
  return { key: shown, make: () => [book(game, seat), card(game.tale ? said(game.tale.title) : t("wars.create"),
    game.tale ? h("p", null, said(game.tale.blurb)) : null,
    option(t("wars.name"), expected.length ? choose("wars-name", open, draft.name, String, (name) => set({ name }))
      : text("wars-name", draft.name, (name) => { draft.name = name; })),
    free.length ? h("div", { class: "choices" }, h("h3", null, t("wars.book.heroes")), free) : null,
    own(h("p", { class: "hint", "data-testid": "points-left" }, t("wars.pointsLeft", { n: START_POINTS - total() })),
    TRAITS.map((each) => ratingRow(each, set)),
    option(t("wars.miscName"), text("wars-misc", draft.misc_name, (name) => { draft.misc_name = name; })),
    game.options.powers === "none" ? null : giftRow(set),
    gift === "strong" ? traitRow("wars-strong", "wars.strong", STRONG, "strong", set) : powerRows(set),
    h("button", { type: "button", class: "go", disabled: total() !== START_POINTS, "data-testid": "wars-create",
      onclick: () => create(body()) }, t("wars.join")),
    option(t("wars.load"), h("input", { type: "file", accept: ".json,application/json", "data-testid": "wars-load",
      onchange: (event) => load(event.target.files[0], create) }))))] };
}

const option = (words, input, what) =>
  h("label", { class: "option" }, h("span", null, words, what ? h("small", null, what) : null), input);

const text = (testid, value, onset) => h("input", { type: "text", maxlength: 40, value, autocomplete: "off",
  "data-testid": testid, oninput: (event) => onset(event.target.value.trim()) });

const choose = (testid, values, chosen, words, onset) =>
  h("select", { "data-testid": testid, onchange: (event) => onset(event.target.value) },
    values.map((value) => h("option", { value, selected: value === chosen }, words(value))));

function ratingRow(trait, set) {
  const value = draft.ratings[trait], max = value + START_POINTS - total();
  const onset = (rating) => set({ ratings: { ...draft.ratings, [trait]: rating } });
  return h("div", { class: "option" },
    h("span", null, t(`wars.${trait}`), h("small", null, t(`wars.${trait}.what`))),
    stepper({ name: `rating-${trait}`, label: t(`wars.${trait}`), value, max, onset }));
}

const giftRow = (set) => option(t("wars.gift"),
  choose("wars-gift", ["strong", "power"], draft.gift, (each) => t(`wars.gift.${each}`), (gift) => set({ gift })));

const powerRows = (set) => [
  option(t("wars.power"), choose("wars-power", POWERS, draft.power, (each) => t(`wars.${each}`),
    (power) => set({ power })), t(`wars.${draft.power}.what`)),
  LINKED.includes(draft.power) ? traitRow("wars-power-trait", "wars.powerTrait", LINKABLE, "trait", set) : null,
];

const traitRow = (testid, key, traits, field, set) => option(t(key),
  choose(testid, traits, draft[field], (each) => traitWord(each, draft.misc_name), (each) => set({ [field]: each })));

function body() {
  const { ratings, misc_name, gift: kind, strong, power, trait } = draft;
  if (kind === "strong") return { ratings, misc_name, strong };
  return { ratings, misc_name, power: LINKED.includes(power) ? { name: power, trait } : { name: power } };
}

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

export const saveLink = (name, sheet) => h("button", { type: "button", class: "quiet", "data-testid": `save-${name}`,
  onclick: () => {
    const url = URL.createObjectURL(new Blob([JSON.stringify({ name, sheet }, null, 1)], { type: "application/json" }));
    h("a", { href: url, download: `${name}.coin-wars.json` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  } }, t("wars.save"));
