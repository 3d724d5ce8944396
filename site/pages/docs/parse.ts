import MarkdownIt, { type Token } from "markdown-it";
import { anchorMaker } from "./anchors.js";
import { runsInBrowser } from "./runnable.js";
import type { DocSource } from "./sources.js";
import { plainText, shortened } from "./text.js";

export interface Heading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
}

/** Code that the page can run. */
interface RunnableBlock {
  /** The name of its module: `docs-loop-3`. */
  readonly name: string;
  /** Its line in the Markdown, counted from 1. */
  readonly line: number;
  readonly code: string;
}

/** A parsed Markdown file. */
export interface Doc {
  readonly source: DocSource;
  readonly title: string;
  readonly description: string;
  readonly headings: readonly Heading[];
  readonly blocks: readonly RunnableBlock[];
  /** Its tokens. Headings have their anchor as `meta`, blocks that run their name. */
  readonly tokens: readonly Token[];
}

const parser = new MarkdownIt();

/** Parses a Markdown file. */
export function parseDoc(source: DocSource): Doc {
  const tokens = withoutNext(parser.parse(source.markdown, {}));
  const anchorOf = anchorMaker();
  const headings: Heading[] = [];
  const blocks: RunnableBlock[] = [];
  let count = 0;
  tokens.forEach((token, i) => {
    if (token.type === "heading_open") {
      const text = plainText(tokens[i + 1]!);
      const heading = { level: Number(token.tag.slice(1)), text, anchor: anchorOf(text) };
      token.meta = heading.anchor;
      headings.push(heading);
    }
    if (token.type === "fence" && token.info === "ts" && runsInBrowser(token.content)) {
      const name = `${source.path.replaceAll("/", "-")}-${++count}`;
      token.meta = name;
      blocks.push({ name, line: token.map![0] + 1, code: token.content });
    }
  });
  const first = tokens.find(
    (token, i) => token.type === "inline" && tokens[i - 1]?.type === "paragraph_open",
  );
  return {
    source,
    title: headings[0]?.text ?? source.path,
    description: shortened(first ? plainText(first) : ""),
    headings,
    blocks,
    tokens,
  };
}

/** Removes the last paragraph if it is a link to the next page: the site has its own. */
function withoutNext(tokens: Token[]): Token[] {
  const isNext = tokens.at(-2)?.type === "inline" && tokens.at(-2)!.content.startsWith("Next: [");
  return isNext ? tokens.slice(0, -3) : tokens;
}
