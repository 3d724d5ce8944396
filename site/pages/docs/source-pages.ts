import { existsSync, readFileSync } from "node:fs";
import { codeBlock } from "../markdown.js";
import { escapeHtml, type SitePage } from "../page.js";
import { docsFrame } from "./frame.js";
import type { codeHighlighter } from "../highlight.js";
import { sourcePathOf, type LinkTarget } from "./links.js";
import type { MenuEntry } from "./menu.js";
import type { Doc } from "./parse.js";
import { REPOSITORY } from "./sources.js";

/** Returns the files of the repository that pages link to and that have no other page. */
export function linkedFiles(
  docs: readonly Doc[],
  find: (from: string, link: string) => LinkTarget,
): string[] {
  const files = docs.flatMap(({ source, tokens }) =>
    tokens
      .flatMap(({ children }) => children ?? [])
      .filter(({ type }) => type === "link_open")
      .map((token) => find(source.file, token.attrGet("href")!))
      .flatMap((target) => (target.kind === "file" ? target.file : [])),
  );
  return [...new Set(files)].sort();
}

/** Returns the page with the text of a file. */
export const sourcePage = (
  file: string,
  menu: readonly MenuEntry[],
  highlighter: typeof codeHighlighter,
): SitePage => ({
  path: sourcePathOf(file),
  title: `${file} · Tickwise`,
  description: `The source of ${file}.`,
  kind: "docs",
  script: "/src/docs/main.ts",
  async main() {
    const highlight = await highlighter();
    const text = readFileSync(REPOSITORY + file, "utf8").trimEnd();
    const example = /^examples\/(\w+)\//.exec(file)?.[1];
    const hasPage = example && existsSync(`${REPOSITORY}examples/${example}/index.html`);
    const open = hasPage ? `<p><a href="/examples/${example}/">Open this example</a></p>` : "";
    const code = codeBlock(highlight(text, file.split(".").at(-1)!));
    return docsFrame(sourcePathOf(file), menu, [], `<h1>${escapeHtml(file)}</h1>${open}${code}`);
  },
});
