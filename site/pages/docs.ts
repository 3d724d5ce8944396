import { docsFrame } from "./docs/frame.js";
import { codeHighlighter } from "./docs/highlight.js";
import { linkFinder } from "./docs/links.js";
import { menuOf } from "./docs/menu.js";
import { parseDoc, type Doc } from "./docs/parse.js";
import { linkedFiles, sourcePage } from "./docs/source-pages.js";
import { docSources } from "./docs/sources.js";
import { renderDoc } from "./markdown.js";
import type { SitePage } from "./page.js";

/** Returns the Markdown files of the documentation, parsed. */
export const parsedDocs = (): Doc[] => docSources().map(parseDoc);

/** The pages of the documentation. */
export function docsPages(docs: readonly Doc[] = parsedDocs()): readonly SitePage[] {
  const find = linkFinder(docs.map(({ source }) => source));
  const menu = menuOf(docs);
  const pages = docs.map((doc): SitePage => {
    const { title, description, headings, source } = doc;
    return {
      path: source.path,
      title: `${title} · Tickwise`,
      description,
      kind: "docs",
      script: "/src/docs/main.ts",
      async main() {
        const html = renderDoc(doc, { find, highlight: await codeHighlighter() });
        return docsFrame(source.path, menu, headings, html);
      },
    };
  });
  return [...pages, ...linkedFiles(docs, find).map((file) => sourcePage(file, menu))];
}
