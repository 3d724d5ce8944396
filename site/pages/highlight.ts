import { codeHighlighter } from "./docs/highlight.js";

/** Returns a block of code as HTML, highlighted when the page is made. */
export async function highlight(code: string, language: string): Promise<string> {
  const highlighted = (await codeHighlighter())(code, language);
  return `<pre tabindex="0"><code>${highlighted}</code></pre>`;
}
