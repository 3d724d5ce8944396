import { areShortcutsOn } from "./shortcuts.js";

/** Shows the search button of the header, and opens the search by it, by "/" or by Ctrl+K. Loads the rest when it opens. */
export function setUpSearch(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-search]");
  if (!button) return;
  button.hidden = false;
  const open = async () => (await import("./dialog.js")).openSearch();
  button.addEventListener("click", open);
  addEventListener("keydown", (event) => {
    const isSlash =
      event.key === "/" && !event.ctrlKey && !event.metaKey && !event.altKey && areShortcutsOn();
    const isCombination =
      event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (event.defaultPrevented || (!isCombination && (!isSlash || isTyping(event.target)))) return;
    event.preventDefault();
    void open();
  });
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
