// What classes and interfaces inherit.
import { docOf, findLocal, readModule } from "./modules.mjs";
import { isInternal, memberKey } from "./visible.mjs";

/** @typedef {import("./modules.mjs").Node} Node */
/** @typedef {import("./modules.mjs").Module} Module */
/** @typedef {import("./visible.mjs").IsPublic} IsPublic */
/** @typedef {{ base: Node, end: number }} Base The name of a base, and where its type arguments end. */

/** Whether a declaration has its own members: a class or an interface. */
export const hasMembers = (/** @type {Node} */ node) => Array.isArray(node.body?.body);

/**
 * What a class or an interface extends.
 * @returns {Base[]}
 */
export const basesOf = (/** @type {Node} */ { superClass, superTypeArguments, extends: bases = [] }) => [
  ...(superClass ? [{ base: superClass, end: (superTypeArguments ?? superClass).end }] : []),
  ...bases.map(baseOf),
];

/**
 * What a class implements.
 * @returns {Base[]}
 */
export const contractsOf = (/** @type {Node} */ { implements: contracts = [] }) => contracts.map(baseOf);

const baseOf = (/** @type {Node} */ { expression, end }) => ({ base: expression, end });

/** @returns {{ module: Module, node: Node }[]} the declarations of a base */
function declarationsOf(/** @type {Module} */ { file }, /** @type {Node} */ base) {
  const target = base.type === "Identifier" ? findLocal(file, base.name) : undefined;
  if (!target) return [];
  const module = readModule(target.file);
  return (module.declared.get(target.name) ?? []).map(({ node }) => ({ module, node }));
}

/**
 * The declarations of a base whose members are listed as those of its heir: no subpath exports it. One with type
 * arguments is none of these, as its members would have to be rewritten.
 */
export function mergedDeclarations(
  /** @type {Module} */ module,
  /** @type {Base} */ { base, end },
  /** @type {IsPublic} */ isPublic,
) {
  if (end !== base.end) return [];
  return declarationsOf(module, base).filter(
    ({ module: { file }, node }) => hasMembers(node) && !isPublic({ file, name: node.id.name }),
  );
}

/**
 * All declarations whose members are listed as those of `node`, nearest first.
 * @returns {{ module: Module, node: Node }[]}
 */
export function mergedInto(
  /** @type {Module} */ module,
  /** @type {Node} */ node,
  /** @type {IsPublic} */ isPublic,
) {
  return basesOf(node)
    .flatMap((base) => mergedDeclarations(module, base, isPublic))
    .flatMap((each) => [each, ...mergedInto(each.module, each.node, isPublic)]);
}

/**
 * The doc comment that a member has where `node` inherits it from.
 * @returns {string}
 */
export function inheritedDoc(
  /** @type {Module} */ module,
  /** @type {Node} */ node,
  /** @type {string} */ key,
) {
  for (const { base } of [...basesOf(node), ...contractsOf(node)])
    for (const { module: from, node: other } of declarationsOf(module, base)) {
      const members = hasMembers(other) ? /** @type {Node[]} */ (other.body.body) : [];
      const own = members.filter((each) => memberKey(from, each) === key).map((each) => docOf(from, each));
      const doc = own.find(Boolean) ?? inheritedDoc(from, other, key);
      if (doc && !isInternal(doc)) return doc;
    }
  return "";
}
