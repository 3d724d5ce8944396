import { existsSync, statSync } from "node:fs";
import { posix } from "node:path";
import { REPOSITORY, type DocSource } from "./sources.js";

/** Where a link of a Markdown file leads. */
export type LinkTarget =
  | { readonly kind: "page"; readonly href: string }
  | { readonly kind: "external"; readonly href: string }
  /** A file of the repository that has a page with its text. */
  | { readonly kind: "file"; readonly href: string; readonly file: string }
  | { readonly kind: "none" };

/** The page with the text of a file of the repository. */
export const sourcePathOf = (file: string): string => `docs/source/${file}`;

/** Returns the file of the repository that a link leads to. */
export const linkedFileOf = (from: string, link: string): string =>
  posix.join(posix.dirname(from), decodeURI(link));

const isFile = (file: string) =>
  !file.startsWith("..") && existsSync(REPOSITORY + file) && statSync(REPOSITORY + file).isFile();

/** Returns a function that finds where links lead. */
export function linkFinder(sources: readonly DocSource[]): (from: string, link: string) => LinkTarget {
  const pages = new Map(sources.map(({ file, path }) => [file, path]));
  return (from, link) => {
    if (/^[a-z]+:/.test(link)) return { kind: "external", href: link };
    const [path = "", anchor] = link.split("#");
    const hash = anchor === undefined ? "" : `#${anchor}`;
    if (path === "") return { kind: "page", href: hash };
    const file = linkedFileOf(from, path);
    const page = pages.get(file);
    if (page) return { kind: "page", href: `/${page}/${hash}` };
    if (isFile(file)) return { kind: "file", href: `/${sourcePathOf(file)}/`, file };
    return { kind: "none" };
  };
}
