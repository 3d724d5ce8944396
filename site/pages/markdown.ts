import MarkdownIt, { type RendererRule, type Token } from "markdown-it";
import type { Doc } from "./docs/parse.js";
import type { LinkTarget } from "./docs/links.js";
import { RUN_FOLDER } from "./docs/runtime.js";
import { escapeHtml } from "./page.js";

/** What the rendering of a page needs to know. */
export interface RenderContext {
  /** Finds where a link of a file leads. */
  readonly find: (from: string, link: string) => LinkTarget;
  readonly highlight: (code: string, language: string) => string;
}

interface Environment extends RenderContext {
  readonly doc: Doc;
  /** Relative path from the page to the root of the site. */
  readonly up: string;
  /** Tags that close the links that are open. */
  readonly closing: string[];
}

const renderer = new MarkdownIt();
const { rules } = renderer.renderer;
const standard: RendererRule = (tokens, i, options, _, self) => self.renderToken(tokens, i, options);

/** Defines a rule with a typed environment. */
function rule(name: string, render: (token: Token, env: Environment, tokens: Token[], i: number) => string) {
  rules[name] = (tokens, i, _, env: Environment) => render(tokens[i]!, env, tokens, i);
}

rule("heading_open", ({ tag, meta }) => `<${tag} id="${meta}"><a class="heading-link" href="#${meta}">`);
rule("heading_close", ({ tag }) => `</a></${tag}>\n`);

rule("link_open", (token, { doc, find, closing }, tokens, i) => {
  const target = find(doc.source.file, token.attrGet("href")!);
  if (target.kind === "none") {
    const isCode = tokens[i + 1]?.type === "code_inline";
    closing.push(isCode ? "" : "</code>");
    return isCode ? "" : "<code>";
  }
  closing.push("</a>");
  return `<a${target.kind === "external" ? ' rel="external"' : ""} href="${escapeHtml(target.href)}">`;
});
rule("link_close", (_, { closing }) => closing.pop()!);

// In the folder of the page's own file, below the root of the site.
rule("image", (token, { up }) => {
  const src = `${up}docs/${token.attrGet("src")}`;
  return `<img src="${escapeHtml(src)}" alt="${escapeHtml(token.content)}" loading="lazy" vite-ignore>`;
});

rule("fence", ({ content, info, meta }, { highlight, up }) => {
  const language = info.split(" ")[0]!;
  return codeBlock(
    highlight(content.trimEnd(), language),
    meta ? `${up}${RUN_FOLDER}/${meta}.js` : undefined,
  );
});
rule("code_block", ({ content }) => codeBlock(escapeHtml(content.trimEnd())));

rules.table_open = (...rest) => `<div class="table">${standard(...rest)}`;
rules.table_close = (...rest) => `${standard(...rest)}</div>`;
// Screen readers announce an empty header cell, so make it a plain one.
rules.th_open = (tokens, i, ...rest) => {
  if (tokens[i + 1]?.content === "") tokens[i]!.tag = tokens[i + 2]!.tag = "td";
  return standard(tokens, i, ...rest);
};

/** Returns a block of highlighted code, with the address of its module if it can run. */
export const codeBlock = (html: string, module?: string): string =>
  `<div class="code"${module ? ` data-run="${module}"` : ""}><pre><code>${html}</code></pre></div>\n`;

/** Returns the content of a page as HTML. Links to other pages begin with a slash. */
export function renderDoc(doc: Doc, context: RenderContext): string {
  const up = "../".repeat(doc.source.path.split("/").length);
  const env: Environment = { ...context, doc, up, closing: [] };
  return renderer.renderer.render([...doc.tokens], renderer.options, env);
}
