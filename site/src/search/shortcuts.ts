const KEY = "tickwise-shortcuts";

/** Whether shortcuts of a single key are on. Some people type by speech, and would press them by accident. */
export function areShortcutsOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    // The browser forbids storage.
    return true;
  }
}

/** Turns shortcuts of a single key on or off, for all pages of the site. */
export function setShortcuts(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "off");
  } catch {
    // Then they stay on.
  }
}
