import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createOnigurumaEngine } from "shiki/engine/oniguruma";
import { escapeHtml } from "./page.js";

/** The names of languages in the docs, and of files, by the grammar that highlights them. */
const GRAMMARS: Readonly<Record<string, readonly string[]>> = {
  typescript: ["ts", "typescript"],
  tsx: ["tsx"],
  javascript: ["js", "mjs"],
  shellscript: ["sh"],
  shellsession: ["console"],
  json: ["json"],
  http: ["http"],
  nginx: ["nginx", "conf"],
  yaml: ["yaml"],
};

const grammarOf = (language: string) =>
  Object.keys(GRAMMARS).find((grammar) => GRAMMARS[grammar]!.includes(language));

const theme = createCssVariablesTheme({ name: "site", variablePrefix: "--", fontStyle: false });

let shared: Promise<HighlighterCore> | undefined;
const highlighter = () =>
  (shared ??= createHighlighterCore({
    themes: [theme],
    langs: [
      import("shiki/langs/typescript.mjs"),
      import("shiki/langs/tsx.mjs"),
      import("shiki/langs/javascript.mjs"),
      import("shiki/langs/shellscript.mjs"),
      import("shiki/langs/shellsession.mjs"),
      import("shiki/langs/json.mjs"),
      import("shiki/langs/http.mjs"),
      import("shiki/langs/nginx.mjs"),
      import("shiki/langs/yaml.mjs"),
    ],
    engine: createOnigurumaEngine(import("shiki/wasm")),
  }));

/** Returns a function that highlights code: HTML with a class per kind of token, which code.css colours for both themes. */
export async function codeHighlighter(): Promise<(code: string, language: string) => string> {
  const { codeToTokensBase } = await highlighter();
  return (code, language) => {
    const lang = grammarOf(language);
    if (!lang) return escapeHtml(code);
    // Without a time limit, as a busy machine would leave the rest of a line in one colour.
    return codeToTokensBase(code, { lang, theme: "site", tokenizeTimeLimit: 0 })
      .map((line) => line.map(({ content, color }) => spanOf(content, color)).join(""))
      .join("\n");
  };
}

/** `color` is that of the theme: `var(--token-keyword)`. */
function spanOf(content: string, color: string | undefined): string {
  const kind = /^var\(--token-([\w-]+)\)$/.exec(color ?? "")?.[1];
  const text = escapeHtml(content);
  return kind === undefined || kind === "punctuation" ? text : `<span class="t-${kind}">${text}</span>`;
}

/** Returns a block of code as HTML. */
export async function highlight(code: string, language: string): Promise<string> {
  return `<pre tabindex="0"><code>${(await codeHighlighter())(code, language)}</code></pre>`;
}
