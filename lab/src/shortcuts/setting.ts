const KEY = "tickwise-shortcuts";
const listeners = new Set<() => void>();
/** For browsers that forbid storage: the choice for this page. */
let isOffHere = false;

/** Whether shortcuts of a single key are on. Some people type by speech, and would press them by accident. */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return !isOffHere;
  }
}

/** Turns shortcuts of a single key on or off, for all pages of the site and of the lab. */
export function setShortcuts(isOn: boolean): void {
  isOffHere = !isOn;
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
  } catch {
    // Other pages keep them on.
  }
  for (const listener of listeners) listener();
}

/** Calls `listener` when the setting changes. Returns the function that removes it. */
export function onShortcutsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
