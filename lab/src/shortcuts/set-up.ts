import { bindShortcut } from "./bind.js";

export const openShortcuts = async (): Promise<void> => (await import("./dialog.js")).openShortcuts();

/** Opens the list of shortcuts by the key "?" and by the buttons of the page that have `data-shortcuts`. */
export function setUpShortcuts(): void {
  bindShortcut("help", { press: () => void openShortcuts() });
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-shortcuts]")) {
    button.hidden = false;
    button.addEventListener("click", openShortcuts);
  }
}
