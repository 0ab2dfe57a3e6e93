// One tab stop for a whole group, and arrow keys within it: the pattern that ARIA calls a roving tabindex.

const WAY = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 2; // how much farther away a thing counts for each pixel that it lies beside the way

/**
 * Make the shown buttons of `group` one tab stop. Keys with Shift, Ctrl or Alt stay the buttons' own.
 * @param {Element} group
 * @param {() => string} which the buttons that count now; the others are no tab stop
 */
export function rove(group, which) {
  /** @type {Element | null} */
  let current = null;
  const shown = () => [...group.querySelectorAll(which())].filter((each) => each.checkVisibility());

  function settle() {
    const all = shown();
    if (!current || !all.includes(current)) current = all[0] ?? null;
    for (const each of group.querySelectorAll(`[tabindex], ${which()}`)) {
      const wanted = each === current ? "0" : "-1";
      if (each.getAttribute("tabindex") !== wanted) each.setAttribute("tabindex", wanted);
    }
  }

  group.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element && target.matches(which())) current = target;
    settle();
  });
  group.addEventListener("keydown", (event) => {
    if (!(event instanceof KeyboardEvent) || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    const from = event.target, way = WAY[event.key];
    if (!(from instanceof Element) || !from.matches(which())) return;
    const all = shown();
    const next = way ? nearest(from, all, way) : { Home: all[0], End: all.at(-1) }[event.key];
    if (!way && !next) return;
    event.preventDefault();
    event.stopPropagation();
    if (next instanceof HTMLElement || next instanceof SVGElement) next.focus();
  }, true);
  new MutationObserver(settle).observe(group, { childList: true, subtree: true });
  new MutationObserver(settle).observe(document.body, { attributeFilter: ["data-mode", "data-view"] });
  settle();
}

// The nearest element that way: what lies to the side counts as farther away.
function nearest(from, all, [right, down]) {
  const middle = (each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const [x, y] = middle(from);
  const away = (each) => {
    const [a, b] = middle(each), ahead = (a - x) * right + (b - y) * down;
    return ahead > 1 ? ahead + ASIDE * Math.abs((a - x) * down + (b - y) * right) : Infinity;
  };
  const [best] = all.filter((each) => away(each) < Infinity).sort((a, b) => away(a) - away(b));
  return best;
}
