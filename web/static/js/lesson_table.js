// The table of a lesson: the mat, its coins, and a box of new coins. A coin is dragged, or tapped and then put down
// with a tap on the mat; with keys, Enter picks a coin up and puts it down in a zone.

import { drawCoin, radius } from "./coin.js";
import { $, h, refill, s } from "./dom.js";
import { coinText, KINDS, language, t } from "./i18n.js";
import { drawLast } from "./marks.js";
import { boxOf, drawMat, fitTitles, middleOf, zoneLabel } from "./mat.js";
import { movedBetween } from "./moves.js";

const STILL_PX = 6; // a pointer that moves less taps
const EDGE_MM = 2; // between a coin and the outline of its zone
const GAP_MM = 2; // between two coins that are put down beside each other
const STEP_MM = 3; // between places that are tried

export class LessonTable {
  /** @param {(coins: Api.VirtualCoin[]) => void} onMove the person moved coins: they lie so now */
  constructor(onMove) {
    this.onMove = onMove;
    this.svg = $("mat");
    this.zones = s("g", { class: "zones" });
    this.coins = s("g", { class: "coins" });
    this.arrows = s("g", { class: "arrows" });
    this.svg.append(this.zones, this.coins, this.arrows);
    /** @type {any} */
    this.mat = null;
    /** @type {Api.VirtualCoin[]} */
    this.lies = [];
    /** @type {{ at: number | null, coin: Api.VirtualCoin } | null} */
    this.picked = null; // `at`: its index on the table; null: it comes from the box
    /** @type {Api.Denomination[]} */
    this.wanted = [];
    /** @type {Api.Face} */
    this.face = "heads"; // of coins from the box
    new ResizeObserver(() => this.measure()).observe(this.svg);
    /** @type {[number, number] | null} */
    this.pressed = null; // where a pointer was pressed beside the coins
    this.svg.addEventListener("pointerdown", (event) => { this.pressed = [event.clientX, event.clientY]; });
    this.svg.addEventListener("pointerup", (event) => this.tapped(event));
  }

  measure() {
    if (this.mat && this.svg.clientWidth) {
      const mmPerPx = this.mat.width_mm / this.svg.clientWidth;
      this.svg.style.setProperty("--mm", String(mmPerPx));
      fitTitles(this.zones, mmPerPx);
    }
  }

  /**
   * `lit`: zones to light up; `wanted`: coins of the box to light up; `moving`: others moved coins, to be shown.
   * @param {{ mat: any, coins: Api.VirtualCoin[], lit: string[], wanted: Api.Denomination[], moving: boolean }} shown
   */
  show({ mat, coins, lit, wanted, moving }) {
    const before = this.mat?.name === mat.name ? this.lies : [];
    const same = JSON.stringify(before) === JSON.stringify(coins);
    this.mat = mat;
    this.lies = coins;
    this.wanted = wanted;
    this.picked = null;
    if (refill(this.zones, [mat, language], () => drawMat(mat))) {
      this.svg.setAttribute("viewBox", `0 0 ${mat.width_mm} ${mat.height_mm}`);
      $("stage").style.setProperty("--aspect", String(mat.width_mm / mat.height_mm));
      this.svg.classList.toggle("wide", mat.width_mm > 500 || this.svg.clientWidth < 500);
    }
    this.measure();
    for (const zone of this.areas()) zone.classList.toggle("lit", lit.includes(zone.dataset.zone));
    if (!same) {
      const moved = movedBetween(this.seen(before), this.seen(coins), new Set());
      this.arrows.replaceChildren(...(moving ? drawLast(moved) : []));
    }
    this.draw();
  }

  // Virtual coins as a camera tells of them.
  /** @type {(coins: Api.VirtualCoin[]) => any[]} */
  seen(coins) {
    return coins.map(({ denomination, face, x_mm: x, y_mm: y }) => ({ denomination, face, center_mm: [x, y],
      zone: this.zoneAt(x, y)?.name ?? null }));
  }

  areas() {
    return this.zones.querySelectorAll(".zone");
  }

  draw() {
    refill(this.coins, [this.lies, this.picked?.at ?? -1, language], () =>
      this.lies.map((coin, at) => this.handle(coin, at)));
    for (const zone of this.areas()) this.opens(zone);
    const fresh = (kind) => ({ denomination: kind, face: this.face, x_mm: 0, y_mm: 0, angle_deg: 0 });
    refill($("box"), [this.picked, this.wanted, this.face, language], () => [
      ...KINDS.map((kind) => h("span", { class: `boxed ${this.wanted.includes(kind) ? "lit" : ""}` },
        s("svg", { viewBox: "-13.5 -13.5 27 27", class: "icon", "aria-hidden": "true" }, drawCoin(kind, this.face)),
        h("button", { type: "button", "data-testid": `box-${kind}`, // it holds no letters: "H25" is not its name
          "aria-pressed": String(this.picked?.at === null && this.picked.coin.denomination === kind),
          "aria-label": coinText({ denomination: kind, face: this.face }),
          onpointerdown: (event) => this.lift(event, { at: null, coin: fresh(kind) }),
          onclick: (event) => event.detail === 0 && this.pick({ at: null, coin: fresh(kind) }) }))),
      ...this.pickedButtons(),
    ]);
  }

  // What else may be done with the picked coin.
  pickedButtons() {
    const { picked } = this;
    if (!picked) return [h("span", { class: "hint" }, t("learn.hands"))];
    const button = (testid, words, onclick) => h("button", { type: "button", "data-testid": testid, onclick }, words);
    /** @type {Api.Face} */
    const other = picked.coin.face === "heads" ? "tails" : "heads";
    const turned = { ...picked.coin, face: other };
    return [
      picked.at === null ? null : button("take-off", t("virtual.remove"),
        () => this.move(this.lies.filter((_, k) => k !== picked.at))),
      button("turn-over", t("virtual.flip"), () => {
        if (picked.at === null) this.pick({ at: null, coin: turned });
        else this.move(this.lies.map((coin, k) => (k === picked.at ? turned : coin)));
      }),
    ].filter(Boolean);
  }

  handle(coin, at) {
    const r = radius(coin.denomination);
    return s("g", { class: `coin ${at === this.picked?.at ? "picked" : ""}`, tabindex: 0, role: "button",
      transform: `translate(${coin.x_mm} ${coin.y_mm})`, "aria-label": coinText(coin), "data-at": at,
      "data-testid": `coin-${at}`, "data-denomination": coin.denomination, "data-face": coin.face,
      onpointerdown: (event) => this.lift(event, { at, coin }),
      onkeydown: (event) => this.key(event, () => this.pick({ at, coin })) },
    s("title", null, coinText(coin)), drawCoin(coin.denomination, coin.face, r),
    s("circle", { class: "ring", r: r + 2 }));
  }

  // While a coin is picked, each zone can be reached with keys.
  opens(zone) {
    const open = Boolean(this.picked) && zone.dataset.zone;
    for (const name of ["tabindex", "role", "aria-label"]) zone.removeAttribute(name);
    zone.onkeydown = null;
    if (!open) return;
    const own = this.mat.zones.find(({ name }) => name === zone.dataset.zone);
    zone.setAttribute("tabindex", "0");
    zone.setAttribute("role", "button");
    zone.setAttribute("aria-label", t("learn.putIn", { zone: zoneLabel(own) }));
    zone.onkeydown = (event) => this.key(event, () => this.put(...middleOf(own)));
  }

  key(event, does) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    does();
  }

  /** @param {{ at: number | null, coin: Api.VirtualCoin } | null} coin */
  pick(coin) {
    this.picked = coin;
    this.arrows.replaceChildren();
    this.draw();
  }

  // -- with a pointer ---------------------------------------------------------------------------------------------

  lift(event, coin) {
    if (event.button) return;
    event.preventDefault();
    event.stopPropagation();
    const from = [event.clientX, event.clientY];
    const ghost = s("g", { class: "handle dragged" }, drawCoin(coin.coin.denomination, coin.coin.face));
    let moved = false;
    const drag = (each) => {
      if (each.pointerId !== event.pointerId) return;
      moved ||= Math.hypot(each.clientX - from[0], each.clientY - from[1]) >= STILL_PX;
      if (!moved) return;
      if (!ghost.parentNode) this.svg.append(ghost);
      ghost.setAttribute("transform", `translate(${this.place(each)})`);
    };
    const end = (each) => {
      if (each.pointerId !== event.pointerId) return;
      for (const [name, heard] of Object.entries(heards)) removeEventListener(name, heard);
      ghost.remove();
      if (each.type === "pointercancel") return;
      if (!moved) return this.touched(coin);
      this.picked = coin;
      const [x, y] = this.place(each);
      this.put(x, y);
    };
    const heards = { pointermove: drag, pointerup: end, pointercancel: end };
    for (const [name, heard] of Object.entries(heards)) addEventListener(name, heard);
  }

  /** A pointer's place on the mat in millimetres. @returns {[number, number]} */
  place(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = this.mat.width_mm / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  }

  // A coin was tapped: it is picked, or let go. In another zone, and on a map's space, the picked coin is put there:
  // a bank may be so full that a tap on it meets a coin.
  touched(coin) {
    const { picked } = this, { x_mm: x, y_mm: y } = coin.coin;
    if (picked && picked.at === coin.at && picked.coin.denomination === coin.coin.denomination) return this.pick(null);
    const zone = coin.at === null ? undefined : this.zoneAt(x, y);
    const from = picked && picked.at !== null ? this.zoneAt(picked.coin.x_mm, picked.coin.y_mm) : undefined;
    if (picked && zone && (zone !== from || boxOf(zone).round)) return this.put(x, y);
    this.pick(coin);
  }

  /** @type {(x: number, y: number) => Api.Zone | undefined} */
  zoneAt(x, y) {
    return this.mat.zones.find((each) => within(boxOf(each), x, y));
  }

  tapped(event) {
    const from = this.pressed;
    this.pressed = null;
    if (!this.picked || !from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) >= STILL_PX) return;
    const [x, y] = this.place(event);
    this.put(x, y);
  }

  // The picked coin is put down here, or as near as there is room in the zone; off the mat it is taken away.
  put(x, y) {
    const { picked, mat } = this;
    if (!picked) return;
    const others = this.lies.filter((_, k) => k !== picked.at); // a coin put down lies on top: it comes last
    if (x < 0 || y < 0 || x > mat.width_mm || y > mat.height_mm) {
      if (picked.at === null) return this.pick(picked);
      return this.move(others);
    }
    const [x_mm, y_mm] = this.roomNear(x, y, picked.coin, others);
    this.move([...others, { ...picked.coin, x_mm, y_mm }]);
  }

  move(coins) {
    this.picked = null;
    this.lies = coins; // shown at once; the server's answer counts
    this.draw();
    this.onMove(coins);
  }

  /** @returns {[number, number]} */
  roomNear(x, y, coin, others) {
    const r = radius(coin.denomination);
    const zone = this.zoneAt(x, y);
    if (!zone) return [round(x), round(y)];
    const box = boxOf(zone);
    if (box.round) return [round(box.x + box.w / 2), round(box.y + box.h / 2)]; // in a circle coins are stacked
    const edge = r + EDGE_MM;
    const free = (px, py) => others.every((other) =>
      Math.hypot(other.x_mm - px, other.y_mm - py) >= r + radius(other.denomination) + GAP_MM);
    let best = [Math.min(Math.max(x, box.x + edge), box.x + box.w - edge),
      Math.min(Math.max(y, box.y + edge), box.y + box.h - edge)];
    if (!free(best[0], best[1])) {
      let nearest = Infinity;
      for (let py = box.y + edge; py <= box.y + box.h - edge; py += STEP_MM) {
        for (let px = box.x + edge; px <= box.x + box.w - edge; px += STEP_MM) {
          const away = Math.hypot(px - x, py - y);
          if (away < nearest && free(px, py)) [nearest, best] = [away, [px, py]];
        }
      }
    }
    return [round(best[0]), round(best[1])];
  }
}

const round = (mm) => Math.round(mm * 10) / 10;
/** @type {(box: ReturnType<typeof boxOf>, x: number, y: number) => boolean} */
const within = ({ x, y, w, h: height, round: circle }, px, py) => (circle
  ? Math.hypot(px - x - w / 2, py - y - height / 2) <= w / 2 : px >= x && py >= y && px <= x + w && py <= y + height);
