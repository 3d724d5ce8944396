import type { Token } from "markdown-it";
import { escapeHtml } from "../page.js";
import { linkedFileOf } from "./links.js";
import type { Doc } from "./parse.js";
import { plainText } from "./text.js";

/** An entry of the sidebar. */
export interface MenuEntry {
  readonly title: string;
  /** The path of its page. */
  readonly path: string;
  readonly children: MenuEntry[];
}

/** Pages of the repository's own files, in the order of the sidebar. */
const PROJECT = [
  "docs/overview",
  "docs/examples",
  "docs/architecture",
  "docs/contributing",
  "docs/security",
  "docs/changelog",
];

/** Reads the sidebar from the list of docs/README.md, then adds the pages of the reference and of the project. */
export function menuOf(docs: readonly Doc[]): MenuEntry[] {
  const byFile = new Map(docs.map((doc) => [doc.source.file, doc]));
  const byPath = new Map(docs.map((doc) => [doc.source.path, doc]));
  const entryOf = (doc: Doc): MenuEntry => ({ title: doc.title, path: doc.source.path, children: [] });
  const index = byFile.get("docs/README.md")!;
  const menu: MenuEntry[] = [];
  for (const { file, title, depth } of listedIn(index)) {
    const doc = byFile.get(file);
    if (!doc) throw new Error(`docs/README.md lists ${file}, which does not exist.`);
    (depth > 1 ? menu.at(-1)!.children : menu).push({ ...entryOf(doc), title });
  }
  const reference = menu.find(({ path }) => path === "docs/reference");
  const subpaths = filesLinkedIn(byFile.get("docs/reference/README.md"));
  reference?.children.push(...subpaths.map((file) => entryOf(byFile.get(file)!)));
  const [first, ...rest] = PROJECT.flatMap((path) => byPath.get(path) ?? []).map(entryOf);
  if (first) menu.push({ ...first, title: "The project", children: rest });
  return menu;
}

/** Returns what docs/README.md says about files, by their path. */
export function summariesOf(docs: readonly Doc[]): Map<string, string> {
  const index = docs.find(({ source }) => source.file === "docs/README.md");
  return new Map(index ? listedIn(index).map(({ file, about }) => [file, about]) : []);
}

interface Listed {
  readonly file: string;
  readonly title: string;
  /** The whole text of the entry. */
  readonly about: string;
  /** 1 for the entries of the list itself. */
  readonly depth: number;
}

/** Returns the first link of each item of a list, in order. */
function listedIn({ tokens, source }: Doc): Listed[] {
  const listed: Listed[] = [];
  let depth = 0;
  let isFirst = false;
  for (const token of tokens) {
    if (token.type.endsWith("list_open")) depth++;
    if (token.type.endsWith("list_close")) depth--;
    if (token.type === "list_item_open") isFirst = true;
    if (token.type !== "inline" || !isFirst) continue;
    isFirst = false;
    const [link, text] = linkAndText(token);
    if (link)
      listed.push({ file: linkedFileOf(source.file, link), title: text, about: plainText(token), depth });
  }
  return listed;
}

function linkAndText(inline: Token): [link: string | undefined, text: string] {
  const children = inline.children ?? [];
  const open = children.findIndex(({ type }) => type === "link_open");
  const close = children.findIndex(({ type }) => type === "link_close");
  const text = plainText({ ...inline, children: children.slice(open, close) } as Token);
  return [children[open]?.attrGet("href") ?? undefined, text];
}

/** Returns the files that the first table of a page links to. */
function filesLinkedIn(doc: Doc | undefined): string[] {
  if (!doc) return [];
  const end = doc.tokens.findIndex(({ type }) => type === "table_close");
  return doc.tokens
    .slice(0, end)
    .filter((token, i) => token.type === "inline" && doc.tokens[i - 1]?.type === "td_open")
    .map((token) => linkAndText(token)[0])
    .filter((link) => link?.endsWith(".md"))
    .map((link) => linkedFileOf(doc.source.file, link!));
}

/** Returns all pages of a menu in reading order. */
export const inOrder = (menu: readonly MenuEntry[]): MenuEntry[] =>
  menu.flatMap((entry) => [entry, ...inOrder(entry.children)]);

/** Returns the sidebar as HTML, with the current page marked. */
export function menuHtml(menu: readonly MenuEntry[], current: string): string {
  const items = menu.map((entry) => {
    const mark = entry.path === current ? ' aria-current="page"' : "";
    // Show a long list only around the current page.
    const isLong = entry.children.length > 12;
    const isNear = inOrder([entry]).some(({ path }) => path === current);
    const children =
      entry.children.length > 0 && (!isLong || isNear) ? menuHtml(entry.children, current) : "";
    return `<li><a href="/${entry.path}/"${mark}>${escapeHtml(entry.title)}</a>${children}</li>`;
  });
  return `<ul>${items.join("")}</ul>`;
}
