// Which coin of one look at the table is which of the next, and so what moved between two rulings.

/** @typedef {import("./marks.js").Way} Way
 * @typedef {{ ways: Way[], new: Api.CoinSeen[] }} Moved coins that went from a place to another, and coins that came */

export const TOSSED = ["tray", "hero", "scene"]; // coins are tossed here, not moved
const SAME_MM = 6; // nearer than this a coin lies where it lay: noise of the camera, or a finger's touch

/** @type {(one: Api.CoinSeen, other: Api.CoinSeen) => number} */
const apart = ({ center_mm: a }, { center_mm: b }) => (a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : Infinity);

/**
 * For each coin of `after` the index of the same coin in `before`, -1 where it is new: first the coins that lie where
 * they lay, then each of the others the nearest of its denomination.
 * @type {(before: Api.CoinSeen[], after: Api.CoinSeen[]) => number[]}
 */
export function pairs(before, after) {
  const found = after.map(() => -1), left = new Set(before.keys());
  for (const limit_mm of [SAME_MM, Infinity]) {
    after.forEach((coin, k) => {
      if (found[k] >= 0) return;
      const near = [...left].filter((i) => before[i].denomination === coin.denomination
        && apart(before[i], coin) < limit_mm).sort((a, b) => apart(before[a], coin) - apart(before[b], coin))[0];
      if (near === undefined) return;
      found[k] = near;
      left.delete(near);
    });
  }
  return found;
}

/**
 * What went on between two looks at a table that was right each time. Coins that were tossed are left out.
 * @type {(before: Api.CoinSeen[], after: Api.CoinSeen[], tossed: Set<string>) => Moved}
 */
export function movedBetween(before, after, tossed) {
  const mine = after.filter((coin) => coin.center_mm && coin.denomination && !tossed.has(coin.zone ?? ""));
  const of = pairs(before, mine);
  const ways = mine.flatMap((coin, k) => {
    const from = before[of[k]];
    return from && coin.denomination && apart(from, coin) >= SAME_MM && from.zone !== coin.zone
      ? [{ kind: coin.denomination, from: from.center_mm ?? [0, 0], to: coin.center_mm ?? [0, 0] }] : [];
  });
  return { ways, new: mine.filter((_, k) => of[k] < 0) };
}

/** The last move, from one ruling to the next: it is shown until the next is whole. */
export class LastMove {
  constructor() {
    /** @type {{ ruling: number | undefined, began: number | null | undefined, coins: Api.CoinSeen[] } | null} */
    this.stood = null; // the table when it was last right
    /** @type {Moved} */
    this.moved = { ways: [], new: [] };
  }

  /** What is to be shown as the last move. @type {(snapshot: Api.Snapshot) => Moved} */
  see({ began, ruling, table, prompt }) {
    const right = table.settled && !table.differences.length && ["turn", "flip", "over"].includes(prompt.kind);
    if (!right) return this.moved;
    const { stood } = this, now = { ruling: ruling?.seq, began, coins: table.coins };
    if (stood && stood.began === now.began && stood.ruling !== now.ruling && now.ruling !== undefined) {
      this.moved = movedBetween(stood.coins, now.coins, new Set([...Object.keys(table.flips), ...TOSSED]));
    } else if (stood?.began !== now.began) {
      this.moved = { ways: [], new: [] };
    }
    this.stood = now;
    return this.moved;
  }
}
