import { searchIn, type Search } from "./search.js";

/** Loads the index of the search. */
export async function loadIndex(): Promise<Search> {
  // The wordmark leads to the start page, wherever the site is.
  const root = document.querySelector<HTMLAnchorElement>("a.wordmark")!.href;
  const response = await fetch(new URL("search.json", root));
  if (!response.ok) throw new Error(`search.json: ${response.status}`);
  return searchIn(await response.text(), root);
}
