const KEY = "tickwise-shortcuts";
const listeners = new Set<() => void>();
/** The choice for this page, if the browser cannot store it: storage may be forbidden, or full. */
let unstored: boolean | undefined;

/** Whether shortcuts of a single key are on. Some people type by speech, and would press them by accident. */
export function areShortcutsOn(): boolean {
  if (unstored !== undefined) return unstored;
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}

/** Turns shortcuts of a single key on or off, for all pages of the site and of the lab. */
export function setShortcuts(isOn: boolean): void {
  unstored = undefined;
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
  } catch {
    // Other pages keep them as they are.
    unstored = isOn;
  }
  for (const listener of listeners) listener();
}

/** Calls `listener` when the setting changes. Returns the function that removes it. */
export function onShortcutsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
