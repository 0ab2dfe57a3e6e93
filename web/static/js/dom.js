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

// Rebuild an element's children only when what they show has changed: focus and taps survive the live stream.
export function refill(element, key, make) {
  const shown = JSON.stringify(key);
  if (element.dataset.shown === shown) return false;
  const held = element.contains(document.activeElement) ? document.activeElement : null;
  const focused = held?.getAttribute("data-testid");
  const caret = held instanceof HTMLInputElement ? held.selectionStart : null; // where somebody is typing
  element.dataset.shown = shown;
  element.replaceChildren(...make());
  const again = focused ? element.querySelector(`[data-testid="${CSS.escape(focused)}"]`) : null;
  again?.focus();
  if (again && caret !== null) again.setSelectionRange(caret, caret);
  return true;
}
