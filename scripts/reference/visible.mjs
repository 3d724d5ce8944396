// What of a declaration is shown: everything that is not private, protected or marked @internal.
import { docOf, findLocal } from "./modules.mjs";

/** @typedef {import("./modules.mjs").Node} Node */
/** @typedef {import("./modules.mjs").Module} Module */
/** @typedef {import("./modules.mjs").Target} Target */
/** @typedef {(target: Target) => boolean} IsPublic Whether a subpath exports a declaration. */

/** As for the compiler's `stripInternal`: the tag may be anywhere in the comment. */
export const isInternal = (/** @type {string | undefined} */ doc) => /@internal\b/.test(doc ?? "");

/** Whether a node is an internal member of an object type. */
export const isHidden = (/** @type {Module} */ module, /** @type {Node} */ node) =>
  /^TS(Property|Method)Signature$/.test(node.type) && isInternal(docOf(module, node));

/**
 * A node and all nodes in it. Internal members of object types are included, but not what is in them.
 * @returns {Node[]}
 */
export function nodesIn(/** @type {Module} */ module, /** @type {unknown} */ value) {
  if (Array.isArray(value)) return value.flatMap((each) => nodesIn(module, each));
  if (typeof value !== "object" || value === null || !("type" in value)) return [];
  const node = /** @type {Node} */ (value);
  if (isHidden(module, node)) return [node];
  return [node, ...Object.values(node).flatMap((each) => nodesIn(module, each))];
}

/**
 * The members that are shown, with overloads and the two accessors of a property together.
 * @returns {Node[][]}
 */
export function groupsOf(
  /** @type {Module} */ module,
  /** @type {Node[]} */ members,
  /** @type {IsPublic} */ isPublic,
) {
  /** @type {Map<string, Node[]>} */
  const groups = new Map();
  for (const member of members) {
    const { key, computed, accessibility } = member;
    if (accessibility === "private" || accessibility === "protected") continue;
    if (key?.type === "PrivateIdentifier" || isInternal(docOf(module, member))) continue;
    // A constructor that users cannot call.
    if (module.source.slice(member.start, member.end) === "constructor(never: never);") continue;
    // A symbol that nobody can import is a private key.
    if (computed && key.type === "Identifier") {
      const target = findLocal(module.file, key.name);
      if (!target || !isPublic(target)) continue;
    }
    const name = memberKey(module, member);
    groups.set(name, [...(groups.get(name) ?? []), member]);
  }
  return [...groups.values()];
}

/** What the parts of one member share; one without a name, such as an index signature, stands alone. */
export const memberKey = (
  /** @type {Module} */ { source },
  /** @type {Node} */ { key, type, static: isStatic, start },
) => (key ? `${isStatic ? "static " : ""}${source.slice(key.start, key.end)}` : `${type} ${start}`);
