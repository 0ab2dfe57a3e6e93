// What the page keeps in this browser. Where a browser keeps nothing (a person may forbid it), it lasts until the page
// is left, and everything else works.

/** @param {() => Storage} storage asking for it already fails where it is forbidden */
function keeping(storage) {
  /** @type {Map<string, string | null>} */
  const here = new Map(); // what the browser would not keep
  return {
    /** @type {(name: string) => string | null} */
    get(name) {
      if (here.has(name)) return here.get(name) ?? null;
      try {
        return storage().getItem(name);
      } catch {
        return null;
      }
    },
    /** `null` forgets it. @type {(name: string, value: string | null) => void} */
    set(name, value) {
      try {
        if (value === null) storage().removeItem(name);
        else storage().setItem(name, value);
        here.delete(name);
      } catch {
        here.set(name, value);
      }
    },
  };
}

export const lasting = keeping(() => localStorage);
export const ofTab = keeping(() => sessionStorage); // each tab has its own
