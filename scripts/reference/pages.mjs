// The pages of docs/reference, as Markdown: one for each subpath of the package, and an index.
import { basename, dirname } from "node:path";
import { keyOfTarget } from "./entries.mjs";
import { compare } from "./subpaths.mjs";

/** @typedef {import("./entries.mjs").Entry} Entry */
/** @typedef {import("./modules.mjs").Target} Target */
/** @typedef {import("./subpaths.mjs").Subpath} Subpath */

/** In the order of a page. */
const SECTIONS = /** @type {const} */ ([
  ["Functions", ["function"]],
  ["Classes", ["class"]],
  ["Constants", ["const"]],
  ["Types", ["interface", "type"]],
]);

const NOTE = "<!-- Generated from the doc comments by `npm run reference`. Do not edit. -->";

/**
 * All pages by their file names.
 * @returns {Map<string, string>}
 */
export function pagesOf(/** @type {readonly Subpath[]} */ subpaths) {
  /** @type {Map<string, string>} */
  const pages = new Map([["README.md", indexOf(subpaths)]]);
  for (const subpath of subpaths) pages.set(subpath.page, pageOf(subpath, subpaths));
  return pages;
}

const headingOf = (/** @type {Entry} */ { kind, name }) => `${kind} ${name}`;
/** Includes the kind: the anchors of `layout` and `Layout` would be the same without it. */
const anchorOf = (/** @type {string} */ heading) => heading.toLowerCase().replaceAll(" ", "-");
const linkTo = (/** @type {Entry} */ entry, page = "", heading = headingOf(entry)) =>
  `[\`${entry.name}\`](${page}#${anchorOf(heading)})`;

/** The heading of a helper type, with its file if the page has two of that name. */
function helperHeading(/** @type {Entry} */ helper, /** @type {Subpath} */ { entries, helpers }) {
  const heading = headingOf(helper);
  const isAlone = [...entries, ...helpers].every(
    (each) => each === helper || anchorOf(headingOf(each)) !== anchorOf(heading),
  );
  return isAlone ? heading : `${heading} of ${basename(helper.target.file, ".d.ts")}`;
}

function indexOf(/** @type {readonly Subpath[]} */ subpaths) {
  const rows = subpaths.map(
    ({ title, page, doc }) => `| [\`${title}\`](${page}) | ${firstSentence(doc).replaceAll("|", "\\|")} |`,
  );
  const names = subpaths.flatMap(({ title, page, entries }) =>
    entries.map((entry) => ({ title, page, entry })),
  );
  names.sort((a, b) => compare(a.entry.name, b.entry.name));
  const list = names.map(({ title, page, entry }) => `- ${linkTo(entry, page)}: ${entry.kind}, \`${title}\``);
  return (
    [
      NOTE,
      "# API reference",
      "Every name that the package exports, with its signature and doc comment. The [other pages](../../README.md) explain how the parts work together.",
      ["| import from | for |", "|---|---|", ...rows].join("\n"),
      "## All names",
      list.join("\n"),
    ].join("\n\n") + "\n"
  );
}

const firstSentence = (/** @type {string} */ doc) =>
  /^[^]*?\.(?=\s|$)/.exec(doc.replace(/\s+/g, " "))?.[0] ?? doc.replace(/\s+/g, " ");

function pageOf(/** @type {Subpath} */ subpath, /** @type {readonly Subpath[]} */ subpaths) {
  const { title, entries, helpers, doc } = subpath;
  const sections = SECTIONS.map(([name, kinds]) => ({
    name,
    entries: entries.filter(({ kind }) => /** @type {readonly string[]} */ (kinds).includes(kind)),
  })).filter((section) => section.entries.length > 0);
  const contents = sections.map(
    (section) => `- ${section.name}: ${section.entries.map((entry) => linkTo(entry)).join(", ")}`,
  );
  if (helpers.length > 0) contents.push(`- [${HELPERS}](#${anchorOf(HELPERS)})`);
  const headings = [...entries.map(headingOf), ...helpers.map((helper) => helperHeading(helper, subpath))];
  const twice = headings.map(anchorOf).find((anchor, i, anchors) => anchors.indexOf(anchor) !== i);
  if (twice) throw new Error(`${title}: two names would share the link #${twice}`);
  const link = linkerOf(subpath, subpaths);
  return (
    [
      NOTE,
      `# ${title}`,
      doc,
      contents.join("\n"),
      ...sections.flatMap((section) =>
        section.entries.flatMap((entry) => textOf(entry, `## ${headingOf(entry)}`, link)),
      ),
      ...(helpers.length > 0
        ? [`## ${HELPERS}`, "The signatures above use these types. They cannot be imported."]
        : []),
      ...helpers.flatMap((helper) => textOf(helper, `### ${helperHeading(helper, subpath)}`, link)),
    ]
      .filter(Boolean)
      .join("\n\n") + "\n"
  );
}

const HELPERS = "Helper types";

/** @returns {string[]} its paragraphs */
function textOf(/** @type {Entry} */ entry, /** @type {string} */ heading, /** @type {Linker} */ link) {
  const mentions = entry.mentions.map(link.toTarget).filter((each) => each !== undefined);
  return [
    heading,
    ...entry.declarations.flatMap(({ signature, doc }) => [
      // The heading says it already.
      signature === headingOf(entry) ? "" : fenced(signature),
      prose(doc, link),
    ]),
    ...entry.members.map((member) => `- ${indented(memberText(member, link))}`),
    mentions.length > 0 ? `See ${[...new Set(mentions)].sort(compare).join(", ")}.` : "",
  ].filter(Boolean);
}

// Not fenced as "ts": the tests compile and run those blocks.
const fenced = (/** @type {string} */ code) => `\`\`\`typescript\n${code}\n\`\`\``;

function memberText(
  /** @type {import("./entries.mjs").Member} */ { signature, doc },
  /** @type {Linker} */ link,
) {
  // A template literal type would end inline code.
  const code = /[\n`]/.test(signature) ? fenced(signature) : `\`${signature}\``;
  return [code, prose(doc, link)].filter(Boolean).join("\n\n");
}

const indented = (/** @type {string} */ text) => text.replace(/\n(?=[^\n])/g, "\n  ");

/** A doc comment as Markdown. */
function prose(/** @type {string} */ doc, /** @type {Linker} */ link) {
  // Not the name of a package, such as @scope/name.
  const tag = /^@\w+(?![\w/-])/m.exec(doc);
  if (tag) throw new Error(`The reference does not support ${tag[0]} yet, in "${doc}"`);
  return doc.replace(/\{@link (\w+)\}/g, (_, name) => link.toName(name));
}

/** @typedef {ReturnType<typeof linkerOf>} Linker */

/** Makes the links of one page. */
function linkerOf(/** @type {Subpath} */ here, /** @type {readonly Subpath[]} */ subpaths) {
  /** The first of the pages that exports it. */
  const find = (/** @type {readonly Subpath[]} */ pages, /** @type {(entry: Entry) => boolean} */ isIt) => {
    for (const { page, entries } of pages) {
      const entry = entries.find(isIt);
      if (entry) return linkTo(entry, page === here.page ? "" : page);
    }
    return undefined;
  };
  return {
    toName(/** @type {string} */ name) {
      const link = find([here, ...subpaths], (entry) => entry.name === name);
      if (!link) throw new Error(`${here.title}: {@link ${name}} names nothing that is exported`);
      return link;
    },
    /** To this page, if it has the type; else to that of the folder that declares it; else to any. */
    toTarget(/** @type {Target} */ target) {
      const isIt = (/** @type {Entry} */ entry) => keyOfTarget(entry.target) === keyOfTarget(target);
      const helper = here.helpers.find(isIt);
      if (helper) return linkTo(helper, "", helperHeading(helper, here));
      const nearest = subpaths.filter(({ file }) => dirname(file) === dirname(target.file));
      return find([here, ...nearest, ...subpaths], isIt);
    },
  };
}
