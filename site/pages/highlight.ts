import { createHighlighter, type Highlighter } from "shiki";

let highlighter: Promise<Highlighter> | undefined;

/** Returns code as HTML with the colours of both themes. Highlighted once, when the page is made. */
export async function highlight(code: string, language: string): Promise<string> {
  highlighter ??= createHighlighter({
    themes: ["github-light", "github-dark"],
    langs: ["ts", "sh", "json", "html", "nginx", "yaml"],
  });
  const shiki = await highlighter;
  const lang = shiki.getLoadedLanguages().includes(language) ? language : "text";
  return shiki.codeToHtml(code, {
    lang,
    themes: { light: "github-light", dark: "github-dark" },
    defaultColor: false,
  });
}
