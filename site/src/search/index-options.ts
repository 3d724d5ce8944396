import type { Options } from "minisearch";

/** A section of a page, as the search finds it. */
export interface Section {
  /** Its address from the root of the site: `docs/loop/#rates`. */
  readonly id: string;
  /** The title of its page. */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** The beginning of its text. */
  readonly start: string;
}

/** Splits text into words. Names in camel case are found as a whole and by their parts. */
const tokenize = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== "")
    .flatMap((word) => {
      const parts = word.split(/(?<=[a-z\d])(?=[A-Z])|_/);
      return parts.length > 1 ? [word, ...parts] : [word];
    });

/** The options of the index: the build and the page must agree on them. */
export const INDEX_OPTIONS: Options<Section> = {
  fields: ["heading", "page", "text"],
  storeFields: ["page", "heading", "start"],
  tokenize,
  searchOptions: {
    boost: { heading: 4, page: 2 },
    prefix: (term) => term.length > 1,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: "AND",
    // A name's parts are found by themselves, so that both spellings find the same.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== ""),
  },
};
