// What the reference says of one exported name: signatures, doc comment, members, and the types it mentions.
import { hasMembers, inheritedDoc, mergedInto } from "./bases.mjs";
import { docOf, fileOf, findExport, findLocal, readModule } from "./modules.mjs";
import { memberSignature, signatureOf } from "./signatures.mjs";
import { groupsOf, isInternal, memberKey, nodesIn } from "./visible.mjs";

/** @typedef {import("./modules.mjs").Node} Node */
/** @typedef {import("./modules.mjs").Module} Module */
/** @typedef {import("./modules.mjs").Target} Target */
/** @typedef {import("./visible.mjs").IsPublic} IsPublic */
/** @typedef {{ signature: string, doc: string }} Member */
/**
 * @typedef {object} Entry
 * @property {string} name
 * @property {Target} target Where it is declared.
 * @property {"function" | "class" | "const" | "interface" | "type"} kind
 * @property {Member[]} declarations Overloads have one each; the others have one.
 * @property {Member[]} members Of classes and interfaces.
 * @property {Target[]} mentions Types of this package that the signatures use.
 */

/** @type {Record<string, Entry["kind"]>} */
const KINDS = {
  TSDeclareFunction: "function",
  ClassDeclaration: "class",
  VariableDeclarator: "const",
  TSInterfaceDeclaration: "interface",
  TSTypeAliasDeclaration: "type",
};

export const keyOfTarget = (/** @type {Target} */ { file, name }) => `${file} ${name}`;

/**
 * Describes what `target` declares, under the name by which it is exported. Returns undefined if it is internal.
 * @returns {Promise<Entry | undefined>}
 */
export async function entryOf(
  /** @type {string} */ name,
  /** @type {Target} */ target,
  /** @type {IsPublic} */ isPublic,
) {
  const module = readModule(target.file);
  const statements = (module.declared.get(target.name) ?? []).filter(({ doc }) => !isInternal(doc));
  const [first] = statements;
  if (!first) return undefined;
  const kind = KINDS[first.node.type];
  if (!kind) throw new Error(`${target.file}: cannot describe ${target.name}, a ${first.node.type}`);

  /** @type {Member[]} */
  const declarations = [];
  /** @type {Member[]} */
  const members = [];
  /** @type {Map<string, Target>} */
  const mentions = new Map();
  for (const { node, doc = "" } of statements) {
    declarations.push({ signature: await signatureOf(module, node, name, isPublic), doc });
    const bases = hasMembers(node) ? mergedInto(module, node, isPublic) : [];
    for (const part of hasMembers(node) ? headPartsOf(node) : [node]) addMentions(mentions, module, part);
    for (const { module: from, node: base } of bases)
      mentions.delete(keyOfTarget({ file: from.file, name: base.id.name }));
    for (const { module: from, nodes, doc: text } of membersOf(module, node, bases, isPublic)) {
      const member = { signature: await memberSignature(from, nodes, { name, kind }), doc: text };
      if (nodes[0]?.kind === "constructor") members.unshift(member);
      else members.push(member);
      for (const each of nodes) addMentions(mentions, from, each);
    }
  }
  mentions.delete(keyOfTarget(target));
  return { name, target, kind, declarations, members, mentions: [...mentions.values()] };
}

/** The members of a class or an interface: its own, then those of bases that it does not override. */
function* membersOf(
  /** @type {Module} */ module,
  /** @type {Node} */ node,
  /** @type {{ module: Module, node: Node }[]} */ bases,
  /** @type {IsPublic} */ isPublic,
) {
  if (!hasMembers(node)) return;
  const seen = new Set();
  for (const { module: from, node: owner } of [{ module, node }, ...bases])
    for (const nodes of groupsOf(from, owner.body.body, isPublic)) {
      const key = memberKey(from, /** @type {Node} */ (nodes[0]));
      if (seen.has(key) || (owner !== node && key === "constructor")) continue;
      seen.add(key);
      const docs = nodes.map((each) => docOf(from, each)).filter((doc) => doc !== undefined);
      const inherited = docs.length > 0 || key === "constructor" ? "" : inheritedDoc(from, owner, key);
      yield { module: from, nodes, doc: docs.join("\n\n") || inherited };
    }
}

/**
 * The parts of a class or an interface that name types, but for its members, which may be hidden.
 * @returns {Node[]}
 */
const headPartsOf = (
  /** @type {Node} */ {
    typeParameters,
    superClass,
    superTypeArguments,
    extends: bases,
    implements: contracts,
  },
) =>
  [
    typeParameters,
    superClass && { ...superClass, type: "TSTypeQuery", exprName: superClass },
    superTypeArguments,
    ...(bases ?? []),
    ...(contracts ?? []),
  ].filter(Boolean);

/** Adds the types of this package that a node names. */
function addMentions(
  /** @type {Map<string, Target>} */ mentions,
  /** @type {Module} */ module,
  /** @type {Node} */ node,
) {
  for (const each of nodesIn(module, node)) {
    const target = each.type === "TSImportType" ? importedBy(module, each) : namedBy(module, each);
    if (target) mentions.set(keyOfTarget(target), target);
  }
}

/** The type that `import("./file.js").Name` means. */
function importedBy(/** @type {Module} */ module, /** @type {Node} */ { source, qualifier }) {
  const file = fileOf(module, source.value);
  return file && findExport(file, qualifier.name);
}

/** The type that a reference, a `typeof` or a heritage clause names. */
function namedBy(/** @type {Module} */ { file }, /** @type {Node} */ node) {
  let name = node.typeName ?? node.exprName ?? (/Heritage|Implements/.test(node.type) && node.expression);
  while (name?.left) name = name.left;
  return name?.name && findLocal(file, name.name);
}
