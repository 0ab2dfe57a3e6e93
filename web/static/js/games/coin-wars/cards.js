// Scene cards: written in secret within one's points, seen by their author alone until the draw.

import { sitAt } from "../../access.js";
import { act as send } from "../../api.js";
import { h } from "../../dom.js";
import { language, t } from "../../i18n.js";
import { stepper } from "../../stepper.js";
import { card, hint } from "../part.js";
import { book } from "./book.js";
import { CLASSES, COMPONENTS } from "./words.js";

const MOST_OF_A_COMPONENT = 9;

const fresh = () => ({
  title: "", text: "", misc_name: "",
  components: { bodiness: 2, braininess: 1, personality: 0, misc: 0 },
});
let draft = fresh();
let drawing = null; // how many cards to draw; null: all

const total = () => COMPONENTS.reduce((sum, each) => sum + draft.components[each], 0);
const cost = () => total() + (draft.components.misc > 0 ? 1 : 0); // a miscellaneous component costs one point more

export function writeCards(view) {
  const { game, seat } = view;
  const mine = game.scenes.map((scene, at) => ({ ...scene, at }))
    .filter((scene) => scene.author === seat && !scene.hidden);
  const left = game.scene_points[seat] ?? 0;
  return {
    key: ["cards", seat, draft.components, mine, game.scenes.length, left, game.ready, drawing, language],
    make: () => [book(game, seat), newCard(view, left), pile(view, mine)],
  };
}

function newCard({ game, seat, redraw }, left) {
  const set = (change) => { draft = { ...draft, ...change }; redraw(); };
  const level = CLASSES[game.options.misc_cost === "inside" ? cost() : total()];
  const write = async () => {
    const { title, text, misc_name: misc } = draft;
    const components = Object.fromEntries(Object.entries(draft.components).filter(([, n]) => n));
    const scene = { do: "scene", name: seat, title, text, components, misc_name: components.misc ? misc : "" };
    if (await send(scene, seat)) {
      draft = fresh();
      redraw();
    }
  };
  const field = (words, input) => h("label", { class: "field" }, h("span", null, words), input);
  return card(t("wars.card"), hint(t("wars.cardPoints", { n: left })),
    field(t("wars.cardTitle"), h("input", { type: "text", maxlength: 120, value: draft.title,
      "data-testid": "card-title", oninput: (event) => { draft.title = event.target.value; } })),
    field(t("wars.cardText"), h("textarea", { rows: 2, maxlength: 2000, "data-testid": "card-text",
      oninput: (event) => { draft.text = event.target.value; } }, draft.text)),
    COMPONENTS.map((each) => componentRow(each, (n) => set({ components: { ...draft.components, [each]: n } }))),
    draft.components.misc ? field(t("wars.cardMisc"), h("input", { type: "text", maxlength: 40, value: draft.misc_name,
      "data-testid": "card-misc", oninput: (event) => { draft.misc_name = event.target.value; } })) : null,
    h("p", { "data-testid": "card-class" }, level
      ? t("wars.cardClass", { level: t(`wars.${level}`), cost: cost() })
      : t("wars.cardNoClass", { n: total() })),
    h("button", { type: "button", class: "go", "data-testid": "card-write", disabled: !level || cost() > left,
      onclick: write }, t("wars.cardWrite")));
}

function componentRow(component, onset) {
  const words = t(`wars.component.${component}`);
  return h("div", { class: "option" }, h("span", null, words), stepper({
    name: `card-${component}`, label: words, value: draft.components[component], max: MOST_OF_A_COMPONENT, onset,
  }));
}

function pile({ game, seat, redraw }, mine) {
  const own = mine.map((scene) => h("li", { class: "title-row" },
    h("span", null, scene.title || t("wars.untitled"), h("small", { class: "hint" }, ` ${t(`wars.${scene.class}`)}`)),
    h("button", { type: "button", class: "quiet", "data-testid": `tear-${scene.at}`,
      onclick: () => send({ do: "tear", name: seat, scene: scene.at }, seat) }, t("wars.tear"))));
  return card(t("wars.cards"),
    game.scenes.length ? h("ul", { class: "bare" }, own, others(game, seat)) : hint(t("wars.noCards")),
    game.ready.includes(seat) ? null : h("button", { type: "button", "data-testid": "wars-ready",
      onclick: () => send({ do: "ready", name: seat }, seat) }, t("wars.ready")),
    game.scenes.length ? draw(game, redraw) : null,
    h("button", { type: "button", class: "quiet", onclick: () => sitAt("") }, t("seat.leave")));
}

// What others wrote stays face down.
function others({ scenes }, seat) {
  const count = scenes.filter((scene) => scene.author !== seat).length;
  return count ? h("li", { class: "hint" }, t("wars.faceDown", { n: count })) : null;
}

function draw({ scenes }, redraw) {
  const many = Math.min(drawing ?? scenes.length, scenes.length);
  const onset = (n) => { drawing = n; redraw(); };
  return h("div", { class: "draw" }, h("span", null, t("wars.drawHow")),
    stepper({ name: "draw", label: t("wars.drawHow"), value: many, min: 1, max: scenes.length, onset }),
    h("button", { type: "button", class: "go", "data-testid": "wars-draw",
      onclick: () => send({ do: "draw", order: shuffled(scenes.length).slice(0, many) }) }, t("wars.draw")));
}

// The Fisher-Yates shuffle of 0…n-1, from the browser's cryptographic generator: nobody can know the first card.
function shuffled(n) {
  const order = Array.from({ length: n }, (_, at) => at);
  for (let at = n - 1; at > 0; at--) {
    const other = Math.floor((crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32) * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}
