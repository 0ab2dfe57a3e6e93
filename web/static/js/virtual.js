// Hands for the virtual table. Coins are dragged, turned, tossed and taken off here; the server renders what a camera
// would see, and only that picture reaches the referee. A dragged coin moves in the picture when it is let go, so the
// referee sees whole moves, as it does when a person's hand hides a real one.

import { call, get } from "./api.js";
import { CENTS, drawCoin, radius } from "./coin.js";
import { $, h, refill, s } from "./dom.js";
import { coinText, heapText, KINDS, language, named, t } from "./i18n.js";
import { freeSpots, homeOf, zoneLabel } from "./mat.js";

const DOUBLE_TAP_MS = 350;
const STILL_PX = 6;
const POLL_MS = 1000;
const CARRY_MS = 150; // between two looks while the computer's hands carry coins, or are about to
const NUDGE_MM = 5; // how far an arrow key moves a coin
const GOLDEN_ANGLE_DEG = 137.508; // 360° × (2 − φ): its multiples never come close to one another

export class VirtualTable {
  constructor(table) {
    this.table = table;
    /** @type {any} */ // Api.VirtualState, once `begin` has loaded it
    this.state = null;
    /** @type {any} */
    this.dragging = null; // the coin under the pointer
    /** @type {number | null} */
    this.picked = null; // index of the coin for Turn over and Take off
    /** @type {Api.Face} */
    this.face = "heads";
    /** @type {Record<string, Api.Heap>} */
    this.due = {}; // zone -> heap that the referee waits to see tossed there
    /** @type {Api.Heap} */
    this.toToss = {}; // the heap a person picked to toss instead
    this.lastTap = { at: -Infinity, index: -1 };
    this.writing = 0;
    this.carries = false; // the referee waits for the table to be set
    this.flight = s("g", { class: "flight", "aria-hidden": "true" }); // the coin that is carried
    this.flying = ""; // which one that is
    /** @type {Promise<any>} */
    this.asked = Promise.resolve(); // settles when the newest change is answered
  }

  async begin() {
    const state = await get("/api/virtual");
    if (!state) return false;
    this.state = state;
    document.body.dataset.virtual = "yes";
    this.table.svg.append(this.flight);
    this.draw();
    this.watch();
    return true;
  }

  async watch() {
    if (!document.hidden) await this.refresh();
    setTimeout(() => this.watch(), this.carries && this.state.sets_itself ? CARRY_MS : POLL_MS);
  }

  async refresh() {
    if (this.dragging || this.writing) return;
    const state = await get("/api/virtual");
    if (state && !this.dragging && !this.writing) {
      this.state = state;
      this.draw();
    }
  }

  // Changes the coins on the page at once, then on the server, whose answer counts.
  async put(change) {
    this.state = { ...this.state, ...change };
    this.draw();
    await this.ask("PUT", "/api/virtual", change);
  }

  // One call after the other: two at once could reach the server in the wrong order.
  async ask(method, path, body) {
    this.writing++;
    this.asked = this.asked.then(() => call(method, path, body));
    const answer = await this.asked;
    this.writing--;
    if (answer && !this.writing) {
      this.state = answer;
      this.draw();
    }
    if (!answer) this.refresh();
  }

  // -- the coins on the mat ---------------------------------------------------------------------------------------

  draw() {
    const { coins } = this.state;
    if (this.picked !== null && !coins[this.picked]) this.picked = null;
    refill(this.table.hands, [coins, this.picked, language], () => coins.map((coin, at) => this.handle(coin, at)));
    this.fly();
    this.drawBox();
  }

  // The coin that the computer's hands carry, over all others; it glides from one look to the next.
  fly() {
    const { carried = null, coins } = this.state, coin = coins[carried ?? -1];
    const which = coin ? `${coin.denomination} ${coin.face}` : "";
    if (which !== this.flying) this.flight.replaceChildren(...(coin ? drawCoin(coin.denomination, coin.face) : []));
    this.flying = which;
    if (coin) this.flight.style.transform = `translate(${coin.x_mm}px, ${coin.y_mm}px)`;
  }

  handle(coin, at) {
    const r = radius(coin.denomination);
    return s("g", {
      class: `handle ${at === this.picked ? "picked" : ""}`,
      transform: `translate(${coin.x_mm} ${coin.y_mm})`,
      "data-testid": `virtual-coin-${at}`, "data-denomination": coin.denomination, "data-face": coin.face,
      onpointerdown: (event) => this.lift(event, { at, coin }),
      onkeydown: (event) => this.key(event, at),
    },
    s("g", { class: "lifted" }, drawCoin(coin.denomination, coin.face, r)),
    s("circle", { class: "grip", r: r + 1.2, tabindex: 0, role: "button", "data-testid": `hold-${at}`,
      "aria-label": t("virtual.coin", { coin: coinText(coin) }) }));
  }

  key(event, at) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step) this.move(at, step[0] * NUDGE_MM, step[1] * NUDGE_MM);
    else if (event.key === "Enter" || event.key === " " || event.key === "f") this.turn(at);
    else if (event.key === "Delete" || event.key === "Backspace") this.take(at);
    else return;
    event.preventDefault();
  }

  // Moves one coin, on the page at once. The page sends no other coin, because somebody else may have moved those
  // meanwhile. A coin that moves by less than its radius keeps its place in the pile. Any other comes to lie on top.
  /** @type {(lifted: Api.VirtualCoin | null, laid: Api.VirtualCoin | null) => Promise<void>} */
  async carry(lifted, laid) {
    const coins = [...this.state.coins], at = lifted ? coins.indexOf(lifted) : coins.length;
    if (at < 0) return this.ask("PATCH", "/api/virtual", { lifted, laid }); // it may be gone: the server knows
    if (lifted) coins.splice(at, 1);
    const pushed = lifted && laid
      && Math.hypot(laid.x_mm - lifted.x_mm, laid.y_mm - lifted.y_mm) < radius(laid.denomination);
    if (laid) coins.splice(pushed ? at : coins.length, 0, laid);
    this.state = { ...this.state, coins };
    this.draw();
    await this.ask("PATCH", "/api/virtual", { lifted, laid });
  }

  move(at, right_mm, down_mm) {
    const coin = this.state.coins[at];
    this.carry(coin, { ...coin, x_mm: coin.x_mm + right_mm, y_mm: coin.y_mm + down_mm });
  }

  turn(at) {
    const coin = this.state.coins[at];
    this.carry(coin, { ...coin, face: coin.face === "heads" ? "tails" : "heads" });
  }

  take(at) {
    this.picked = null;
    this.carry(this.state.coins[at], null);
  }

  // -- dragging: of a coin on the mat (`at` is its index) or out of the box (`at` is null) ------------------------

  lift(event, { at, coin }) {
    if (event.button) return;
    event.preventDefault();
    const ghost = s("g", { class: "handle dragged" }, drawCoin(coin.denomination, coin.face));
    this.dragging = { at, coin, ghost, from: [event.clientX, event.clientY], moved: false, id: event.pointerId };
    const move = (each) => each.pointerId === event.pointerId && this.drag(each);
    const end = (each) => {
      if (each.pointerId !== event.pointerId) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      this.drop(each);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  drag(event) {
    const { from, ghost } = this.dragging;
    if (!this.dragging.moved) {
      if (Math.hypot(event.clientX - from[0], event.clientY - from[1]) < STILL_PX) return;
      this.dragging.moved = true;
      this.table.hands.append(ghost);
    }
    const [x, y] = this.table.place(event);
    ghost.setAttribute("transform", `translate(${x} ${y})`);
    ghost.classList.toggle("leaving", !this.onMat(x, y));
  }

  onMat(x, y) {
    const { width_mm, height_mm } = this.table.mat;
    return x > 0 && y > 0 && x < width_mm && y < height_mm;
  }

  drop(event) {
    const { at, coin, ghost, moved } = this.dragging;
    this.dragging = null;
    ghost.remove();
    if (event.type === "pointercancel") return;
    if (!moved) return at === null ? this.addFromBox(coin) : this.tapped(at, event.timeStamp);
    const [x, y] = this.table.place(event);
    this.picked = null;
    const laid = this.onMat(x, y) ? { ...coin, x_mm: round(x), y_mm: round(y) } : null;
    if (laid || at !== null) this.carry(at === null ? null : coin, laid);
  }

  tapped(at, now) {
    const twice = this.lastTap.index === at && now - this.lastTap.at < DOUBLE_TAP_MS;
    this.lastTap = { at: twice ? -Infinity : now, index: at };
    this.picked = at;
    if (twice) this.turn(at);
    else this.draw();
  }

  // A tap on the box: the coin goes where something is missing, else to a free place in the middle of the mat.
  addFromBox(coin) {
    const { mat, wanted } = this.table;
    const lacks = (name) => wanted?.some(({ zone, missing }) => zone === name && missing?.[coin.denomination]);
    const zone = mat.zones.find(({ name }) => lacks(name));
    const box = zone ? homeOf(zone, CENTS[coin.denomination])
      : { x: 40, y: 20, w: mat.width_mm - 80, h: mat.height_mm - 40 };
    const here = this.state.coins.map((each) => ({ center_mm: [each.x_mm, each.y_mm] }));
    const [x, y] = freeSpots(box, here, 1)[0];
    this.carry(null, { ...coin, x_mm: round(x), y_mm: round(y) });
  }

  // -- the box, the toss, the hand, the faults --------------------------------------------------------------------

  // {zone: heap}: a button each throws the coins the referee waits for.
  /** @param {Record<string, Api.Heap>} due */
  suggest(due) {
    if (JSON.stringify(this.due) === JSON.stringify(due)) return;
    this.due = due;
    if (this.state) this.drawBox();
  }

  toss(zone, coins, testid) {
    const label = () => zoneLabel(this.table.mat.zones.find(({ name }) => name === zone));
    const one = t("virtual.toss", { heap: heapText(coins) });
    return h("button", { type: "button", class: "go", "data-testid": testid,
      onclick: () => this.ask("POST", "/api/virtual/toss", { coins, zone }) },
      Object.keys(this.due).length > 1 ? t("virtual.tossIn", { zone: label(), toss: one }) : one);
  }

  // Where coins are tossed: the zone that waits for it, else the mat's tray, else its first zone.
  get tossZone() {
    const names = (this.table.mat?.zones ?? []).map(({ name }) => name);
    return Object.keys(this.due)[0] ?? (names.includes("tray") ? "tray" : names[0]);
  }

  drawBox() {
    const { hand, faults = {}, sets_itself: helped } = this.state;
    refill($("virtual-box"), [this.face, this.due, language], () => [
      ...KINDS.map((kind) => h("span", { class: "boxed" },
        s("svg", { viewBox: "-13.5 -13.5 27 27", class: "icon", "aria-hidden": "true" }, drawCoin(kind, this.face)),
        h("button", { type: "button", "data-testid": `box-${kind}`,
          "aria-label": coinText({ denomination: kind, face: this.face }),
          onpointerdown: (event) => this.lift(event, { at: null, coin: this.fresh(kind) }),
          onclick: (event) => event.detail === 0 && this.addFromBox(this.fresh(kind)) }))), // 0: clicked by keyboard
      h("button", { type: "button", class: "plain", "data-testid": "box-face",
        onclick: () => { this.face = this.face === "heads" ? "tails" : "heads"; this.drawBox(); } },
        t("virtual.faceUp", { face: t(this.face) })),
      ...Object.entries(this.due).map(([zone, heap]) =>
        this.toss(zone, heap, zone === "scene" ? "toss-scene" : "toss")), // a tray that was read drops out
    ]);
    refill($("virtual-toss"), [this.toToss, this.tossZone, language], () => [
      h("details", null, h("summary", { "data-testid": "toss-pick" }, t("virtual.tossPick")),
        h("div", { class: "counts" }, KINDS.map((kind) => this.counter(kind))),
        count(this.toToss) ? this.toss(this.tossZone, this.toToss, "toss-picked") : null),
    ]);
    const open = $("virtual-toss").querySelector("details");
    open.open = this.tossOpen ?? false;
    open.ontoggle = () => { this.tossOpen = open.open; };
    const none = this.picked === null, empty = !this.state.coins.length;
    const button = (testid, disabled, words, onclick) =>
      h("button", { type: "button", disabled, "data-testid": testid, onclick }, words);
    refill($("virtual-hands"), [hand, helped, this.picked, empty, language], () => [
      helped === undefined ? null : h("button", { type: "button", class: "toggle quiet-toggle", "data-testid": "helped",
        "aria-pressed": String(helped), onclick: () => this.put({ sets_itself: !this.state.sets_itself }) },
        t("virtual.helped")),
      h("button", { type: "button", class: "toggle", "aria-pressed": String(Boolean(hand)), "data-testid": "hand",
        onclick: () => this.put({ hand: !this.state.hand }) }, t("virtual.hand")),
      button("turn-over", none, t("virtual.flip"), () => this.turn(this.picked)),
      button("take-off", none, t("virtual.remove"), () => this.take(this.picked)),
      button("clear", empty, t("virtual.clear"), () => this.put({ coins: [] })),
    ].filter(Boolean));
    refill($("virtual-faults"), [faults, language], () =>
      Object.entries(faults).map(([name, value]) => this.fault(name, value)));
  }

  counter(kind) {
    const denomination = t(kind);
    const step = (key, by, sign) => h("button", { type: "button", "aria-label": t(`virtual.${key}`, { denomination }),
      "data-testid": `toss-${key}-${kind}`, onclick: () => this.count(kind, by) }, sign);
    return h("span", { class: "count" }, step("fewer", -1, "−"),
      h("span", null, this.toToss[kind] ? heapText({ [kind]: this.toToss[kind] }) : t(`heap.${kind}`, { n: 0 })),
      step("more", 1, "+"));
  }

  fault(name, value) {
    const label = named("fault", name) === name ? name.replaceAll("_", " ") : named("fault", name);
    const set = (wanted) => this.put({ faults: { ...this.state.faults, [name]: wanted } });
    const testid = { "data-testid": `fault-${name}` };
    const input = typeof value === "boolean"
      ? h("input", { ...testid, type: "checkbox", checked: value, onchange: (event) => set(event.target.checked) })
      : h("input", { ...testid, type: "number", step: "any", value,
        onchange: (event) => set(Number(event.target.value)) });
    return h("label", null, input, h("span", null, label));
  }

  count(kind, by) {
    this.toToss = { ...this.toToss, [kind]: Math.max(0, (this.toToss[kind] ?? 0) + by) };
    this.drawBox();
  }

  // A coin out of the box, turned by the golden angle for each coin on the table: every coin lies otherwise, and the
  // same moves give the same picture each time.
  fresh(kind) {
    const angle_deg = Math.round(GOLDEN_ANGLE_DEG * this.state.coins.length) % 360;
    return { denomination: kind, face: this.face, x_mm: 0, y_mm: 0, angle_deg };
  }
}

const count = (heap) => KINDS.reduce((sum, kind) => sum + (heap[kind] ?? 0), 0);
const round = (mm) => Math.round(mm * 10) / 10;
