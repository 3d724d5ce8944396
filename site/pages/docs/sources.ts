import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the repository, with a slash at the end. */
export const REPOSITORY = fileURLToPath(new URL("../../../", import.meta.url));

/** A Markdown file of the repository that becomes a page. */
export interface DocSource {
  /** Its path in the repository: `docs/loop.md`. */
  readonly file: string;
  /** The path of its page: `docs/loop`. */
  readonly path: string;
  readonly markdown: string;
}

/** Files outside of docs that docs link to, and their pages. */
const PROJECT_PAGES: Readonly<Record<string, string>> = {
  "README.md": "docs/overview",
  "examples/README.md": "docs/examples",
  "examples/deploy/README.md": "docs/examples/deploy",
  "ARCHITECTURE.md": "docs/architecture",
  "CONTRIBUTING.md": "docs/contributing",
  "SECURITY.md": "docs/security",
  "CHANGELOG.md": "docs/changelog",
};

const markdownIn = (folder: string) =>
  readdirSync(REPOSITORY + folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);

const pathOf = (file: string) => PROJECT_PAGES[file] ?? file.replace(/\.md$/, "").replace(/\/README$/, "");

/** Returns the Markdown files that become pages. */
export function docSources(): DocSource[] {
  const project = Object.keys(PROJECT_PAGES).filter((file) => existsSync(REPOSITORY + file));
  return [...markdownIn("docs"), ...markdownIn("docs/reference"), ...project].map((file) => ({
    file,
    path: pathOf(file),
    // Comments are for those who edit the file.
    markdown: readFileSync(REPOSITORY + file, "utf8").replace(/^<!--[^]*?-->\n+/, ""),
  }));
}
