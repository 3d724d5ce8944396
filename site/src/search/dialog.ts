import "../theme/search.css";
import { loadIndex } from "./load.js";
import type { FoundSection, Search } from "./search.js";
import { areShortcutsOn, setShortcuts } from "../../../lab/src/shortcuts/setting.js";

const MAX_RESULTS = 20;

const HTML = `
<form method="dialog">
  <label class="visually-hidden" for="search-input">Search the documentation</label>
  <input id="search-input" type="search" placeholder="Search the documentation" autocomplete="off" spellcheck="false">
  <button>Close</button>
</form>
<p class="search-status" role="status"></p>
<ol class="search-results"></ol>
<label class="search-option"><input type="checkbox"> Keyboard shortcuts, such as / for this search</label>`;

let dialog: HTMLDialogElement | undefined;

/** Opens the search. */
export function openSearch(): void {
  dialog ??= makeDialog();
  dialog.querySelector<HTMLInputElement>(".search-option input")!.checked = areShortcutsOn();
  if (!dialog.open) dialog.showModal();
  dialog.querySelector("input")!.select();
}

function makeDialog(): HTMLDialogElement {
  const made = document.createElement("dialog");
  made.className = "search";
  made.setAttribute("aria-label", "Search");
  made.innerHTML = HTML;
  document.body.append(made);
  const input = made.querySelector<HTMLInputElement>("#search-input")!;
  const status = made.querySelector(".search-status")!;
  const list = made.querySelector(".search-results")!;
  const option = made.querySelector<HTMLInputElement>(".search-option input")!;

  let search: Search | undefined;
  const show = () => {
    const query = input.value.trim();
    const found = search && query !== "" ? search(query) : [];
    status.textContent = statusOf(query, search === undefined, found.length);
    list.replaceChildren(...found.slice(0, MAX_RESULTS).map(itemOf));
  };
  loadIndex().then(
    (loaded) => {
      search = loaded;
      show();
    },
    () => (status.textContent = "The search could not be loaded. Reload the page to try again."),
  );

  input.addEventListener("input", show);
  made.querySelector("form")!.addEventListener("submit", (event) => {
    // Enter in the text goes to the first result; the button closes the dialog.
    if (document.activeElement !== input) return;
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  made.addEventListener("keydown", (event) => moveFocus(event, input, [...list.querySelectorAll("a")]));
  // A link to a section of the same page leaves the page as it is.
  list.addEventListener("click", () => made.close());
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  option.addEventListener("change", () => setShortcuts(option.checked));
  return made;
}

function statusOf(query: string, isLoading: boolean, count: number): string {
  if (query === "") return "";
  if (isLoading) return "Loading";
  if (count === 0) return `Nothing found for “${query}”. Try fewer or other words.`;
  if (count > MAX_RESULTS) return `The best ${MAX_RESULTS} of ${count} sections`;
  return count === 1 ? "1 section" : `${count} sections`;
}

function itemOf({ href, page, heading, start }: FoundSection): HTMLLIElement {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = href;
  for (const [name, text] of [
    ["strong", heading],
    ["small", page === heading ? "" : page],
    ["span", start],
  ] as const) {
    if (text === "") continue;
    const part = document.createElement(name);
    part.textContent = text;
    link.append(part, " ");
  }
  item.append(link);
  return item;
}

/** Moves the focus through the results with the arrow keys. Above the first one is the text. */
function moveFocus(event: KeyboardEvent, input: HTMLInputElement, links: readonly HTMLAnchorElement[]): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  const stops: readonly HTMLElement[] = [input, ...links];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)]!.focus();
}
