// Makes elements. Nothing uses innerHTML: what the table sends is always set as text.

const SVG = "http://www.w3.org/2000/svg";

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value; // the page's policy refuses it as an attribute
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** @type {(tag: string, attributes?: Record<string, any> | null, ...children: any[]) => any} */
export const h = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);
/** @type {(tag: string, attributes?: Record<string, any> | null, ...children: any[]) => any} */
export const s = (tag, attributes, ...children) => build(document.createElementNS(SVG, tag), attributes, children);

/**
 * The element with this id. Every id asked for stands in the page's template, and which kind of element it is also.
 * @param {string} id
 * @returns {any}
 */
export const $ = (id) => document.getElementById(id);

// Set text only when it differs, so that screen readers hear a live region once.
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// What each field held when it was made.
/** @type {WeakMap<Element, string | boolean>} */
const made = new WeakMap();

/**
 * What a field holds; of a <details>, whether it is open.
 * @param {any} field
 */
const held = (field) => (field.localName === "details" ? field.open
  : ["checkbox", "radio"].includes(field.type) ? field.checked : field.value);

/**
 * The fields within `element` whose content outlives a rebuild: those that `data-kept` stands at or around. It says
 * whose they are, and their data-testid which they are.
 * @param {Element} element
 * @returns {Map<string, any>}
 */
function keptFields(element) {
  const fields = [...element.querySelectorAll("input, select, textarea, details")];
  return new Map(fields.flatMap((field) => {
    const name = field.getAttribute("data-testid"), whose = field.closest("[data-kept]");
    return name && whose ? [[`${whose.getAttribute("data-kept")} ${name}`, field]] : [];
  }));
}

/**
 * Put back what a person wrote, chose or unfolded. Where the rebuilt field begins with something else than the old one
 * did, that is newer, and stands.
 * @param {Map<string, any>} old
 * @param {Map<string, any>} fresh
 */
function putBack(old, fresh) {
  for (const [name, field] of fresh) {
    const first = held(field), before = old.get(name), now = before && held(before);
    made.set(field, first);
    if (!before || now === made.get(before) || first !== made.get(before)) continue;
    if (field.localName === "details") field.open = now;
    else if (typeof now === "boolean") field.checked = now;
    else if (field.type !== "select-one" || [...field.options].some(({ value }) => value === now)) field.value = now;
  }
}

// Rebuild an element's children only when what they show has changed: focus and taps survive the live stream, and so
// does what is written in fields with `data-kept`. Fields that tell the program of every change need none.
export function refill(element, key, make) {
  const shown = JSON.stringify(key);
  if (element.dataset.shown === shown) return false;
  const active = element.contains(document.activeElement) ? document.activeElement : null;
  const focused = active?.getAttribute("data-testid");
  const caret = active instanceof HTMLInputElement ? active.selectionStart : null; // where somebody is typing
  const old = keptFields(element);
  element.dataset.shown = shown;
  element.replaceChildren(...make());
  putBack(old, keptFields(element));
  const again = focused ? element.querySelector(`[data-testid="${CSS.escape(focused)}"]`) : null;
  again?.focus();
  if (again && caret !== null) again.setSelectionRange(caret, caret);
  return true;
}
