import MiniSearch from "minisearch";
import { INDEX_OPTIONS, type Section } from "../../src/search/index-options.js";
import { summariesOf } from "./menu.js";
import type { Doc } from "./parse.js";
import { plainText } from "./text.js";

const START = 120;

/**
 * Returns the sections of a page: one for each heading, with the text until the next one. Code blocks and the heads of tables
 * are left out. `summary` is what the index of the documentation says about the page.
 */
function sectionsOf({ source, title, headings, tokens }: Doc, summary = ""): Section[] {
  const texts: string[][] = [[]];
  tokens.forEach((token, i) => {
    if (token.type === "heading_open") texts.push([]);
    else if (token.type === "inline" && !/^(heading|th)_open$/.test(tokens[i - 1]!.type)) {
      texts.at(-1)!.push(plainText(token));
    }
  });
  return headings.map(({ text: heading, anchor, level }, i) => {
    const text = texts[i + 1]!.join(" ");
    return {
      id: level === 1 ? `${source.path}/` : `${source.path}/#${anchor}`,
      page: title,
      heading,
      text,
      summary: i === 0 ? summary : "",
      start: text.length > START ? `${text.slice(0, text.lastIndexOf(" ", START))} …` : text,
    };
  });
}

/** Returns the index of the search as JSON. */
export function searchIndex(docs: readonly Doc[]): string {
  const index = new MiniSearch(INDEX_OPTIONS);
  const summaries = summariesOf(docs);
  index.addAll(docs.flatMap((doc) => sectionsOf(doc, summaries.get(doc.source.file))));
  return JSON.stringify(index);
}
