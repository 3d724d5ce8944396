import { bindShortcut, hintShortcut } from "../../../lab/src/shortcuts/bind.js";

/** Shows the search button of the header, and opens the search by it, by "/" or by Ctrl+K. Loads the rest when it opens. */
export function setUpSearch(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-search]");
  if (!button) return;
  button.hidden = false;
  const open = async () => (await import("./dialog.js")).openSearch();
  button.addEventListener("click", open);
  hintShortcut(button, "search");
  bindShortcut("search", { press: () => void open() });
  addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, shiftKey, defaultPrevented } = event;
    if (defaultPrevented || key.toLowerCase() !== "k" || !(ctrlKey || metaKey) || shiftKey) return;
    event.preventDefault();
    void open();
  });
}
