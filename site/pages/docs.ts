import { docsFrame } from "./docs/frame.js";
import { codeHighlighter } from "./highlight.js";
import { linkFinder } from "./docs/links.js";
import { menuOf } from "./docs/menu.js";
import { parseDoc, type Doc } from "./docs/parse.js";
import { linkedFiles, sourcePage } from "./docs/source-pages.js";
import { docSources } from "./docs/sources.js";
import { renderDoc } from "./markdown.js";
import type { SitePage } from "./page.js";

/** Returns the Markdown files of the documentation, parsed. */
export const parsedDocs = (): Doc[] => docSources().map(parseDoc);

const titleOf = (title: string) =>
  title === "Tickwise" ? "Tickwise: an overview" : `${title} · Tickwise docs`;

/** The pages of the documentation. Tests pass a highlighter that takes no time. */
export function docsPages(docs: readonly Doc[], highlighter = codeHighlighter): readonly SitePage[] {
  const find = linkFinder(docs.map(({ source }) => source));
  const menu = menuOf(docs);
  const pages = docs.map((doc): SitePage => {
    const { title, description, headings, source } = doc;
    return {
      path: source.path,
      title: titleOf(title),
      description,
      kind: "docs",
      script: "/src/docs/main.ts",
      async main() {
        const html = renderDoc(doc, { find, highlight: await highlighter() });
        return docsFrame(source.path, menu, headings, html);
      },
    };
  });
  return [...pages, ...linkedFiles(docs, find).map((file) => sourcePage(file, menu, highlighter))];
}
