// The pages of docs/reference, as Markdown: one for each subpath of the package, and an index.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ROOT } from "../setup.mjs";
import { entryOf, keyOfTarget } from "./entries.mjs";
import { exportedNames, findExport, forgetModules, packageDocOf, readModule } from "./modules.mjs";

/** @typedef {import("./entries.mjs").Entry} Entry */
/** @typedef {import("./modules.mjs").Target} Target */
/**
 * @typedef {object} Subpath
 * @property {string} title What users import: `tickwise/blend`.
 * @property {string} page The name of its page: `blend.md`.
 * @property {string} file Its declaration file.
 * @property {string} doc What the file says of itself.
 * @property {Map<string, Target>} targets Where its names are declared.
 * @property {Entry[]} entries What it exports, by name.
 * @property {Entry[]} helpers Types that the signatures use and no subpath exports.
 */

/** In the order of a page. */
const SECTIONS = /** @type {const} */ ([
  ["Functions", ["function"]],
  ["Classes", ["class"]],
  ["Constants", ["const"]],
  ["Types", ["interface", "type"]],
]);

const NOTE = "<!-- Generated from the doc comments by `npm run reference`. Do not edit. -->";

/**
 * Reads the built declarations of the package in `root`.
 * @returns {Promise<Subpath[]>}
 */
export async function readSubpaths(root = ROOT) {
  forgetModules();
  const { name, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const subpaths = Object.entries(exports)
    .filter(([, { types }]) => types)
    .map(([path, { types }]) => {
      const file = join(root, types);
      const targets = new Map(exportedNames(file).map((each) => [each, targetOf(file, each)]));
      const page = path === "." ? `${name}.md` : `${path.slice(2).replaceAll("/", "-")}.md`;
      const doc = packageDocOf(readModule(file)) ?? "";
      return { title: name + path.slice(1), page, file, doc, targets };
    });
  const known = new Set(subpaths.flatMap(({ targets }) => [...targets.values()].map(keyOfTarget)));
  const isPublic = (/** @type {Target} */ target) => known.has(keyOfTarget(target));
  return Promise.all(
    subpaths.map(async (subpath) => {
      const all = [...subpath.targets].map(([each, target]) => entryOf(each, target, isPublic));
      const entries = sorted((await Promise.all(all)).filter((entry) => entry !== undefined));
      return { ...subpath, entries, helpers: sorted(await helpersOf(entries, isPublic)) };
    }),
  );
}

/**
 * The types that `entries` use, and those that these use, as far as no subpath exports them.
 * @returns {Promise<Entry[]>}
 */
async function helpersOf(
  /** @type {Entry[]} */ entries,
  /** @type {(target: Target) => boolean} */ isPublic,
) {
  const targets = new Map();
  /** @type {Entry[]} */
  const helpers = [];
  for (const { mentions } of joined(entries, helpers))
    for (const target of mentions) {
      if (isPublic(target) || targets.has(keyOfTarget(target))) continue;
      targets.set(keyOfTarget(target), target);
      const helper = await entryOf(target.name, target, isPublic);
      if (helper) helpers.push(helper);
    }
  return helpers;
}

/** Two lists as one, of which the second may grow meanwhile. */
function* joined(/** @type {Entry[]} */ first, /** @type {Entry[]} */ second) {
  yield* first;
  yield* second;
}

/** A path as other systems write it, so that all sort alike. */
const slashed = (/** @type {string} */ path) => path.replaceAll("\\", "/");

const sorted = (/** @type {Entry[]} */ entries) =>
  entries.sort((a, b) => compare(a.name, b.name) || compare(slashed(a.target.file), slashed(b.target.file)));

function targetOf(/** @type {string} */ file, /** @type {string} */ name) {
  const target = findExport(file, name);
  if (!target) throw new Error(`${file}: cannot find the declaration of ${name}`);
  return target;
}

/** The same on every machine, unlike `localeCompare`: by letters, and small ones first where only case differs. */
function compare(/** @type {string} */ a, /** @type {string} */ b) {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  if (x !== y) return x < y ? -1 : 1;
  return a === b ? 0 : a > b ? -1 : 1;
}

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
/** By its kind too, as `layout` and `Layout` would be the same. */
const anchorOf = (/** @type {string} */ heading) => heading.toLowerCase().replaceAll(" ", "-");
const linkTo = (/** @type {Entry} */ entry, page = "", heading = headingOf(entry)) =>
  `[\`${entry.name}\`](${page}#${anchorOf(heading)})`;

/** That of a helper names its file too if the page has another one of that name. */
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

// "ts" would be a program, which the tests of the docs compile.
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
  const tag = /^@\w+/m.exec(doc);
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
