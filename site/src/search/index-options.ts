import type { Options } from "minisearch";

/** A section of a page, as the search finds it. */
export interface Section {
  /** Its address from the root of the site: `docs/loop/#rates`. */
  readonly id: string;
  /** The title of its page. */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** What the index of the documentation says about the page, in its first section. */
  readonly summary: string;
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

/** How much sections of some pages count. Guides come first; long lists mention everything. */
const WEIGHTS: readonly (readonly [path: string, weight: number])[] = [
  ["docs/reference/", 0.7],
  ["docs/article/", 0.4],
  ["docs/architecture/", 0.4],
  ["docs/contributing/", 0.4],
  ["docs/changelog/", 0.3],
];

/** The options of the index: the build and the page must agree on them. */
export const INDEX_OPTIONS: Options<Section> = {
  fields: ["heading", "page", "summary", "text"],
  storeFields: ["page", "heading", "start"],
  tokenize,
  searchOptions: {
    boost: { heading: 4, summary: 3, page: 2 },
    prefix: (term) => term.length > 1,
    fuzzy: (term) => (term.length > 4 ? 0.15 : false),
    weights: { prefix: 0.2, fuzzy: 0.1 },
    combineWith: "AND",
    boostDocument: (id) => WEIGHTS.find(([path]) => (id as string).startsWith(path))?.[1] ?? 1,
    // A name's parts are found by themselves, so that both spellings find the same.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== ""),
  },
};
