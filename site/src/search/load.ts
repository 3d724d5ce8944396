import MiniSearch from "minisearch";
import { INDEX_OPTIONS, type Section } from "./index-options.js";

/** A section that was found. */
export interface FoundSection extends Pick<Section, "page" | "heading" | "start"> {
  readonly href: string;
}

/** Finds sections, the best ones first. */
export type Search = (query: string) => FoundSection[];

/** Loads the index of the search. */
export async function loadIndex(): Promise<Search> {
  // The wordmark leads to the start page, wherever the site is.
  const root = document.querySelector<HTMLAnchorElement>("a.wordmark")!.href;
  const response = await fetch(new URL("search.json", root));
  if (!response.ok) throw new Error(`search.json: ${response.status}`);
  const index = MiniSearch.loadJSON<Section>(await response.text(), INDEX_OPTIONS);
  return (query) =>
    index.search(query).map(({ id, page, heading, start }) => ({
      href: new URL(id as string, root).href,
      page: page as string,
      heading: heading as string,
      start: start as string,
    }));
}
