// Reads the built declaration files (.d.ts): which names a file exports, and where each is declared.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";

/** @typedef {{ type: string, start: number, end: number, [key: string]: any }} Node A node of the syntax tree. */
/** @typedef {{ file: string, name: string }} Target A name at the top level of a file. */
/** @typedef {{ node: Node, doc: string | undefined }} Statement A declaration, and the text of its doc comment. */
/**
 * @typedef {object} Module A declaration file.
 * @property {string} file
 * @property {string} source
 * @property {readonly { start: number, end: number, doc: string }[]} docs Its doc comments, in order.
 * @property {Map<string, Statement[]>} declared Several statements for one name are overloads, or merged.
 * @property {Map<string, Target>} imported By the name that the file uses.
 * @property {Map<string, Target>} exported
 * @property {string[]} stars Files of which it exports everything.
 */

/** @type {Map<string, Module>} */
const modules = new Map();

/** Forgets all files, for a `dist` that was built again. */
export const forgetModules = () => modules.clear();

/** @returns {Module} */
export function readModule(/** @type {string} */ file) {
  const known = modules.get(file);
  if (known) return known;
  const source = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  const { program, comments, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const docs = comments
    .filter(({ type, value }) => type === "Block" && value.startsWith("*"))
    .map(({ start, end, value }) => ({ start, end, doc: textOf(value) }));
  /** @type {Module} */
  const module = {
    file,
    source,
    docs,
    declared: new Map(),
    imported: new Map(),
    exported: new Map(),
    stars: [],
  };
  modules.set(file, module);
  for (const node of /** @type {Node[]} */ (program.body)) readStatement(module, node);
  return module;
}

/** The text of a doc comment, without the stars at its edge. */
const textOf = (/** @type {string} */ comment) =>
  comment
    .slice(1)
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();

/** The last doc comment before a place. */
export const docBefore = (/** @type {Module} */ { docs }, /** @type {number} */ place) =>
  docs.filter(({ end }) => end <= place).at(-1);

/** The text of the doc comment right before `node`. */
export function docOf(/** @type {Module} */ module, /** @type {Node} */ { start }) {
  const doc = docBefore(module, start);
  const isIts = doc && module.source.slice(doc.end, start).trim() === "" && !isPackageDoc(doc.doc);
  return isIts ? doc.doc : undefined;
}

const PACKAGE_TAG = "@packageDocumentation";
const isPackageDoc = (/** @type {string} */ doc) => doc.includes(PACKAGE_TAG);

/** What a file says of itself, in the comment that has `@packageDocumentation`. */
export const packageDocOf = (/** @type {Module} */ { docs }) =>
  docs
    .find(({ doc }) => isPackageDoc(doc))
    ?.doc.replace(PACKAGE_TAG, "")
    .trim();

function readStatement(/** @type {Module} */ module, /** @type {Node} */ statement) {
  switch (statement.type) {
    case "ImportDeclaration":
      for (const { local, imported } of statement.specifiers)
        addTarget(module.imported, local.name, module, statement.source.value, imported?.name ?? "default");
      break;
    case "ExportAllDeclaration":
      if (statement.exported) throw new Error(`${module.file}: "export * as" is not supported`);
      module.stars.push(fileOf(module, statement.source.value) ?? statement.source.value);
      break;
    case "ExportDefaultDeclaration":
      readDefault(module, statement);
      break;
    case "ExportNamedDeclaration":
      for (const { local, exported } of statement.specifiers) {
        if (statement.source)
          addTarget(module.exported, exported.name, module, statement.source.value, local.name);
        else module.exported.set(exported.name, { file: module.file, name: local.name });
      }
      if (statement.declaration)
        for (const name of addDeclared(module, statement.declaration, statement))
          module.exported.set(name, { file: module.file, name });
      break;
    default:
      addDeclared(module, statement, statement);
  }
}

function readDefault(/** @type {Module} */ module, /** @type {Node} */ statement) {
  const { declaration } = statement;
  const [name = declaration.name] = declaration.id ? addDeclared(module, declaration, statement) : [];
  if (!name) throw new Error(`${module.file}: a default export needs a name`);
  module.exported.set("default", { file: module.file, name });
}

/** @returns {string[]} the names declared */
function addDeclared(
  /** @type {Module} */ module,
  /** @type {Node} */ node,
  /** @type {Node} */ { start, end },
) {
  const doc = docOf(module, { type: node.type, start, end });
  const nodes = node.type === "VariableDeclaration" ? node.declarations : [node];
  return nodes.map((/** @type {Node} */ each) => {
    const name = each.id.name;
    const statements = module.declared.get(name) ?? [];
    module.declared.set(name, [...statements, { node: each, doc }]);
    return name;
  });
}

function addTarget(
  /** @type {Map<string, Target>} */ targets,
  /** @type {string} */ local,
  /** @type {Module} */ module,
  /** @type {string} */ source,
  /** @type {string} */ name,
) {
  const file = fileOf(module, source);
  if (file) targets.set(local, { file, name });
}

/** The declaration file that `./name.js` means; undefined for other packages. */
export const fileOf = (/** @type {{ file: string }} */ { file }, /** @type {string} */ source) =>
  source.startsWith(".") ? join(dirname(file), source.replace(/\.js$/, ".d.ts")) : undefined;

/**
 * Where a name that `file` exports is declared.
 * @returns {Target | undefined}
 */
export function findExport(/** @type {string} */ file, /** @type {string} */ name) {
  const module = readModule(file);
  const target = module.exported.get(name);
  if (target)
    return target.file === file ? findLocal(file, target.name) : findExport(target.file, target.name);
  for (const star of module.stars) {
    const found = findExport(star, name);
    if (found) return found;
  }
  return undefined;
}

/**
 * Where a name that is used in `file` is declared; undefined for globals, type parameters and names of other packages.
 * @returns {Target | undefined}
 */
export function findLocal(/** @type {string} */ file, /** @type {string} */ name) {
  const module = readModule(file);
  if (module.declared.has(name)) return { file, name };
  const target = module.imported.get(name);
  return target && findExport(target.file, target.name);
}

/**
 * Every name that a file exports.
 * @returns {string[]}
 */
export function exportedNames(/** @type {string} */ file) {
  const { exported, stars } = readModule(file);
  const others = stars.flatMap(exportedNames).filter((name) => name !== "default");
  return [...new Set([...exported.keys(), ...others])];
}
