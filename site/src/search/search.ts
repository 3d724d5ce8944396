import MiniSearch from "minisearch";
import { INDEX_OPTIONS, type Section } from "./index-options.js";

/** A section that was found. */
export interface FoundSection extends Pick<Section, "page" | "heading" | "start"> {
  readonly href: string;
}

/** Finds sections, the best ones first. */
export type Search = (query: string) => FoundSection[];

/** Returns a search in an index. `root` is the address of the site. */
export function searchIn(json: string, root: string): Search {
  const index = MiniSearch.loadJSON<Section>(json, INDEX_OPTIONS);
  return (query) =>
    index.search(query).map(({ id, page, heading, start }) => ({
      href: new URL(id as string, root).href,
      page: page as string,
      heading: heading as string,
      start: start as string,
    }));
}
