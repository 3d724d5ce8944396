import { usedShortcuts } from "./bind.js";
import "./dialog.css";
import { areShortcutsOn, setShortcuts } from "./setting.js";
import { keyText, SHORTCUTS, type ShortcutName } from "./table.js";

const HTML = `
<form method="dialog">
  <h2 id="shortcuts-title">Keyboard shortcuts</h2>
  <button>Close</button>
</form>
<label><input type="checkbox" role="switch"> Keyboard shortcuts: <span></span></label>
<p>The switch applies to the whole site, and this browser remembers it.</p>
<h3>On this page</h3>
<dl data-shortcuts="here"></dl>
<h3>On other pages</h3>
<dl data-shortcuts="elsewhere"></dl>
<p>Games are played with the arrow keys or W A S D, and with Space or Enter. The switch does not affect them. A figure takes keys only while it has the focus: the arrow keys move through its strip, and Escape returns to the present.</p>`;

let dialog: HTMLDialogElement | undefined;

/** Opens the list of shortcuts. */
export function openShortcuts(): void {
  dialog ??= makeDialog();
  if (dialog.open) return;
  show(dialog);
  dialog.showModal();
}

function makeDialog(): HTMLDialogElement {
  const made = document.createElement("dialog");
  made.className = "shortcuts";
  made.setAttribute("aria-labelledby", "shortcuts-title");
  made.innerHTML = HTML;
  document.body.append(made);
  const option = made.querySelector("input")!;
  option.addEventListener("change", () => {
    setShortcuts(option.checked);
    show(made);
  });
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  return made;
}

function show(made: HTMLDialogElement): void {
  const isOn = areShortcutsOn();
  made.querySelector("input")!.checked = isOn;
  made.querySelector("label span")!.textContent = isOn ? "on" : "off";
  const here = usedShortcuts();
  const names = Object.keys(SHORTCUTS) as ShortcutName[];
  const list = (group: string, items: readonly (readonly [ShortcutName, string])[]) =>
    made.querySelector(`[data-shortcuts="${group}"]`)!.replaceChildren(...items.map(row));
  list(
    "here",
    names.flatMap((name) => (here.has(name) ? [[name, here.get(name)!] as const] : [])),
  );
  list(
    "elsewhere",
    names.flatMap((name) => (here.has(name) ? [] : [[name, SHORTCUTS[name].meaning] as const])),
  );
}

function row([name, meaning]: readonly [ShortcutName, string]): HTMLElement {
  const group = document.createElement("div");
  const term = document.createElement("dt");
  const key = document.createElement("kbd");
  const description = document.createElement("dd");
  key.textContent = keyText(name);
  description.textContent = meaning;
  term.append(key);
  group.append(term, description);
  return group;
}
