// The subpaths that the package exports, and what the reference says of each name in them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../setup.mjs";
import { entryOf, keyOfTarget } from "./entries.mjs";
import { exportedNames, findExport, forgetModules, packageDocOf, readModule } from "./modules.mjs";

/** @typedef {import("./entries.mjs").Entry} Entry */
/** @typedef {import("./modules.mjs").Target} Target */
/** @typedef {import("./visible.mjs").IsPublic} IsPublic */
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
async function helpersOf(/** @type {Entry[]} */ entries, /** @type {IsPublic} */ isPublic) {
  const seen = new Set();
  /** @type {Entry[]} */
  const helpers = [];
  for (const { mentions } of joined(entries, helpers))
    for (const target of mentions) {
      if (isPublic(target) || seen.has(keyOfTarget(target))) continue;
      seen.add(keyOfTarget(target));
      const helper = await entryOf(target.name, target, isPublic);
      if (helper) helpers.push(helper);
    }
  return helpers;
}

/** Iterates over both lists. The second may grow during the iteration. */
function* joined(/** @type {Entry[]} */ first, /** @type {Entry[]} */ second) {
  yield* first;
  yield* second;
}

/** The path with forward slashes, so that the order is the same on Windows. */
const slashed = (/** @type {string} */ path) => path.replaceAll("\\", "/");

const sorted = (/** @type {Entry[]} */ entries) =>
  entries.sort((a, b) => compare(a.name, b.name) || compare(slashed(a.target.file), slashed(b.target.file)));

function targetOf(/** @type {string} */ file, /** @type {string} */ name) {
  const target = findExport(file, name);
  if (!target) throw new Error(`${file}: cannot find the declaration of ${name}`);
  return target;
}

/** Compares ignoring case, then lower case first. Unlike `localeCompare`, the order is the same on every machine. */
export function compare(/** @type {string} */ a, /** @type {string} */ b) {
  const [x, y] = [a.toLowerCase(), b.toLowerCase()];
  if (x !== y) return x < y ? -1 : 1;
  return a === b ? 0 : a > b ? -1 : 1;
}
