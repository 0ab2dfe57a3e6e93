// The chances to win: a bar while the game goes on, and how they went once it is over.

import { $, h, refill, s } from "./dom.js";
import { GAMES } from "./games/index.js";
import { language, t } from "./i18n.js";
import { leadText } from "./lead.js";
import { whoIs } from "./seat.js";

const WIDE = 100, HIGH = 30; // of the drawing of a whole game, in its own units
const percent = (p) => Math.round(100 * p);

/** @param {Api.Snapshot} snapshot */
export function showOdds({ game, odds, ruling }) {
  const box = $("odds");
  box.hidden = !game || !odds;
  if (!game || !odds) return;
  const together = Boolean(GAMES[game.game]?.together);
  const parts = shares(odds.chance, together), over = Boolean(game.outcome);
  const course = odds.course.map((each) => shares(each, together));
  box.dataset.pending = ruling?.accepted && ruling.seq > odds.seq ? "yes" : "no"; // newer ones are on their way
  box.dataset.many = parts.length > 2 ? "yes" : "no";
  const lead = leadText(game.game, odds.lead, whoIs);
  refill(box, [parts, odds.error, course, lead, language], () => [
    h("h2", null, t(over && course.length ? "odds.course" : "odds"), about(odds.error)),
    over && course.length > 1 ? drawCourse(course) : parts.length > 2 ? rows(parts) : bar(parts, lead)]);
}

/**
 * Who wins how often: the seats in their order; where all play together, whether they win.
 * @typedef {{ seat: string, name: string, p: number }} Share
 * @type {(chance: Record<string, number>, together: boolean) => Share[]}
 */
export function shares(chance, together) {
  const each = Object.entries(chance).map(([seat, p]) => ({ seat, name: whoIs(seat), p }));
  if (!together) return each;
  const won = Math.min(1, each.reduce((sum, { p }) => sum + p, 0));
  return [{ seat: "together", name: t("odds.together"), p: won },
    { seat: "nobody", name: t("odds.nobody"), p: 1 - won }];
}

const about = (error) =>
  (error >= 0.005 ? h("small", null, " ", t("odds.about", { percent: percent(error) })) : null);

const told = ({ name, p }) => t("odds.of", { seat: name, percent: percent(p) });

// One bar for two: the first from the left, the second from the right, striped.
/** @type {(parts: Share[], lead: string) => any} */
function bar(parts, lead) {
  const said = [...parts.map(told), lead].filter(Boolean).join(", ");
  return h("div", { class: "odds-two", role: "img", "aria-label": said, title: lead || null },
    h("div", { class: "odds-ends" }, parts.map((part) => h("b", { "data-seat": part.seat,
      "data-testid": `odds-${part.seat}`, "data-percent": percent(part.p) }, told(part)))),
    h("div", { class: "odds-bar" }, parts.map((part) => long(h("span", { "data-seat": part.seat }), part.p))));
}

// A bar for each of many.
/** @param {Share[]} parts */
function rows(parts) {
  return h("ul", { class: "odds-rows" }, parts.map((part) =>
    h("li", { "data-seat": part.seat, "data-testid": `odds-${part.seat}`, "data-percent": percent(part.p) },
      h("span", null, part.name),
      h("span", { class: "odds-bar" }, long(h("span", { "data-seat": part.seat }), part.p),
        long(h("span", { class: "rest" }), 1 - part.p)),
      h("b", null, `${percent(part.p)} %`))));
}

// The page's rules allow no style in a tag, so the length is set on the element.
function long(element, share) {
  element.style.flexGrow = String(share);
  return element;
}

// A line for each seat from the first state to the last. Of two seats the second mirrors the first.
/** @param {Share[][]} course */
function drawCourse(course) {
  const seats = course[0], drawn = seats.length > 2 ? seats.map((_, k) => k) : [0];
  const x = (at) => (WIDE * at) / (course.length - 1), y = (p) => HIGH * (1 - p);
  const line = (k) => course.map((each, at) => `${x(at).toFixed(2)},${y(each[k].p).toFixed(2)}`).join(" ");
  const words = drawn.map((k) => {
    const all = course.map((each) => percent(each[k].p));
    return t("odds.course.of", { seat: seats[k].name, first: all[0], last: all[all.length - 1],
      low: Math.min(...all), high: Math.max(...all) });
  });
  return h("div", { class: "odds-course", "data-testid": "odds-course" },
    h("span", { class: "top" }, "100 %"), h("span", { class: "bottom" }, "0 %"),
    s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img",
      "aria-label": words.join(" ") },
      s("line", { class: "middle", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
      drawn.length === 1 ? s("polygon", { "data-seat": seats[0].seat,
        points: `0,${HIGH} ${line(0)} ${WIDE},${HIGH}` }) : null,
      drawn.map((k) => s("polyline", { "data-seat": seats[k].seat, "data-line": k % 3, points: line(k) }))),
    h("p", null, words.map((each) => h("span", null, each))));
}
