import { areShortcutsOn, onShortcutsChange } from "./setting.js";
import { keyText, SHORTCUTS, type Shortcut, type ShortcutName } from "./table.js";

/** What a shortcut does on the current page. */
interface Use {
  /** What the page calls it. Default: its meaning in the table. */
  label?(): string;
  /** Returns false if it does nothing now. */
  press(): boolean | void;
  /** Called when the key is released, or the window loses the focus. */
  release?(): void;
}

const uses = new Map<ShortcutName, Use>();

/** The shortcuts of the current page, with the page's names for them. */
export const usedShortcuts = (): ReadonlyMap<ShortcutName, string> =>
  new Map(Array.from(uses, ([name, use]) => [name, use.label?.() ?? SHORTCUTS[name].meaning]));

/** Whether a dialog is open, to which all keys belong. */
export const isDialogOpen = (): boolean => document.querySelector("dialog[open]") !== null;

/** Types of inputs that ignore letters. */
const LETTERLESS: readonly string[] = ["range", "radio", "checkbox"];

/** Whether a key event belongs to a text field, a list, a dialog or the browser. */
export function isTyping({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  return (
    (target instanceof HTMLInputElement && !LETTERLESS.includes(target.type)) ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable) ||
    ctrlKey ||
    metaKey ||
    altKey ||
    isComposing ||
    isDialogOpen()
  );
}

/** Binds a shortcut on this page, while shortcuts are on. Returns the function that removes it. */
export function bindShortcut(name: ShortcutName, use: Use): () => void {
  const aborter = new AbortController();
  const { signal } = aborter;
  const { repeats }: Shortcut = SHORTCUTS[name];
  let isDown = false;
  const release = () => {
    if (isDown) use.release?.();
    isDown = false;
  };
  addEventListener(
    "keydown",
    (event) => {
      if (event.defaultPrevented || (event.repeat && !repeats) || !isKey(event, name)) return;
      if (isTyping(event) || !areShortcutsOn() || use.press() === false) return;
      event.preventDefault();
      isDown = true;
    },
    { signal },
  );
  addEventListener("keyup", (event) => isKey(event, name) && release(), { signal });
  // Key-up events are lost while the window is unfocused.
  addEventListener("blur", release, { signal });
  uses.set(name, use);
  return () => {
    aborter.abort();
    if (uses.get(name) === use) uses.delete(name);
  };
}

/** Shows the key of a shortcut on a button, while shortcuts are on. Returns the function that ends it. */
export function hintShortcut(button: HTMLElement, name: ShortcutName): () => void {
  const hint = button.querySelector("kbd") ?? button.appendChild(document.createElement("kbd"));
  hint.textContent = keyText(name);
  hint.ariaHidden = "true";
  const show = () => {
    hint.hidden = !areShortcutsOn();
    if (hint.hidden) button.removeAttribute("aria-keyshortcuts");
    else button.setAttribute("aria-keyshortcuts", SHORTCUTS[name].key);
  };
  show();
  return onShortcutsChange(show);
}

/** Whether an event is the key of a shortcut. On a keyboard with other letters, such as a Russian one, places count. */
export function isKey({ key, code }: Pick<KeyboardEvent, "key" | "code">, name: ShortcutName): boolean {
  const shortcut: Shortcut = SHORTCUTS[name];
  if (shortcut.code) return code === shortcut.code;
  const isOtherLetter = /^[^\0-\x7f]$/u.test(key);
  return isOtherLetter ? code === `Key${shortcut.key.toUpperCase()}` : key.toLowerCase() === shortcut.key;
}
