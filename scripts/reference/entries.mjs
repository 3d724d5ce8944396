// What the reference says of one exported name: signatures, doc comment, members, and the types it mentions.
import { format } from "oxfmt";
import { docBefore, docOf, fileOf, findExport, findLocal, readModule } from "./modules.mjs";

/** @typedef {import("./modules.mjs").Node} Node */
/** @typedef {import("./modules.mjs").Module} Module */
/** @typedef {import("./modules.mjs").Target} Target */
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

const isInternal = (/** @type {string | undefined} */ doc) => /^@internal\b/m.test(doc ?? "");

/**
 * Describes what `target` declares, under the name by which it is exported. Returns undefined if it is internal.
 * `isPublic` says whether a subpath exports a declaration: members of a base class that none exports are listed as the
 * class's own.
 * @returns {Promise<Entry | undefined>}
 */
export async function entryOf(
  /** @type {string} */ name,
  /** @type {Target} */ target,
  /** @type {(target: Target) => boolean} */ isPublic,
) {
  const module = readModule(target.file);
  const statements = (module.declared.get(target.name) ?? []).filter(({ doc }) => !isInternal(doc));
  const [first] = statements;
  if (!first) return undefined;
  const kind = KINDS[first.node.type];
  if (!kind) throw new Error(`${target.file}: cannot describe ${target.name}, a ${first.node.type}`);

  /** @type {Map<string, Target>} */
  const mentions = new Map();
  const mention = (/** @type {Module} */ from, /** @type {Node} */ node) => {
    for (const found of mentionsIn(from, node)) mentions.set(keyOfTarget(found), found);
  };
  const declarations = [];
  /** @type {Member[]} */
  const members = [];
  for (const { node, doc = "" } of statements) {
    const bases = node.body?.body ? hiddenBasesOf(module, node, isPublic) : [];
    for (const part of node.body?.body ? headPartsOf(node) : [node]) mention(module, part);
    for (const base of bases)
      mentions.delete(keyOfTarget({ file: base.module.file, name: base.node.id.name }));
    declarations.push({ signature: await signatureOf(module, node, name, isPublic), doc });
    if (!node.body?.body) continue;
    const seen = new Set();
    for (const { module: from, node: base } of [{ module, node }, ...bases])
      for (const group of groupsOf(from, base.body.body, isPublic)) {
        const key = keyOf(from, /** @type {Node} */ (group[0]));
        if (seen.has(key) || (base !== node && key === "constructor")) continue;
        seen.add(key);
        for (const each of group) mention(from, each);
        const member = await memberOf(from, group, name, kind);
        if (key === "constructor") members.unshift(member);
        else members.push({ ...member, doc: member.doc || inheritedDoc(from, base, key) });
      }
  }
  mentions.delete(keyOfTarget(target));
  return { name, target, kind, declarations, members, mentions: [...mentions.values()] };
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

/**
 * What a class or an interface extends: the name, and where its text ends.
 * @returns {{ base: Node, end: number }[]}
 */
const basesOf = (/** @type {Node} */ { superClass, superTypeArguments, extends: bases = [] }) => [
  ...(superClass ? [{ base: superClass, end: (superTypeArguments ?? superClass).end }] : []),
  ...bases.map((/** @type {Node} */ each) => ({ base: each.expression, end: each.end })),
];

/**
 * The same for what a class implements.
 * @returns {{ base: Node, end: number }[]}
 */
const contractsOf = (/** @type {Node} */ { implements: contracts = [] }) =>
  contracts.map((/** @type {Node} */ each) => ({ base: each.expression, end: each.end }));

const targetOf = (/** @type {Module} */ { file }, /** @type {Node} */ base) =>
  base.type === "Identifier" ? findLocal(file, base.name) : undefined;

/**
 * What a class or an interface that `node` extends or implements says of the same member.
 * @returns {string}
 */
function inheritedDoc(/** @type {Module} */ module, /** @type {Node} */ node, /** @type {string} */ key) {
  for (const { base } of [...basesOf(node), ...contractsOf(node)]) {
    const target = targetOf(module, base);
    if (!target) continue;
    const from = readModule(target.file);
    for (const { node: other } of from.declared.get(target.name) ?? []) {
      const members = other.body?.body?.filter((/** @type {Node} */ each) => keyOf(from, each) === key) ?? [];
      const docs = members.map((/** @type {Node} */ each) => docOf(from, each));
      const doc = docs.find(Boolean) ?? inheritedDoc(from, other, key);
      if (doc && !isInternal(doc)) return doc;
    }
  }
  return "";
}

/**
 * The classes and interfaces that `node` extends and no subpath exports, nearest first.
 * @returns {{ module: Module, node: Node }[]}
 */
function hiddenBasesOf(
  /** @type {Module} */ module,
  /** @type {Node} */ node,
  /** @type {(target: Target) => boolean} */ isPublic,
) {
  return basesOf(node).flatMap(({ base }) => {
    const target = targetOf(module, base);
    if (!target || isPublic(target)) return [];
    const from = readModule(target.file);
    return (from.declared.get(target.name) ?? [])
      .filter((statement) => statement.node.body?.body)
      .flatMap((statement) => [
        { module: from, node: statement.node },
        ...hiddenBasesOf(from, statement.node, isPublic),
      ]);
  });
}

/**
 * The members that are public, with overloads and the two accessors of a property together.
 * @returns {Node[][]}
 */
function groupsOf(
  /** @type {Module} */ module,
  /** @type {Node[]} */ members,
  /** @type {(target: Target) => boolean} */ isPublic,
) {
  /** @type {Map<string, Node[]>} */
  const groups = new Map();
  for (const member of members) {
    const { key, computed, accessibility } = member;
    if (accessibility === "private" || accessibility === "protected") continue;
    if (key?.type === "PrivateIdentifier" || isInternal(docOf(module, member))) continue;
    // A symbol that nobody can import is a private key.
    if (computed && key.type === "Identifier") {
      const target = findLocal(module.file, key.name);
      if (!target || !isPublic(target)) continue;
    }
    const name = keyOf(module, member);
    groups.set(name, [...(groups.get(name) ?? []), member]);
  }
  return [...groups.values()];
}

/** What members with the same name share: those without a name by their kind. */
const keyOf = (
  /** @type {Module} */ { source },
  /** @type {Node} */ { key, type, static: isStatic, start },
) => (key ? `${isStatic ? "static " : ""}${source.slice(key.start, key.end)}` : `${type} ${start}`);

/** @returns {Promise<Member>} */
async function memberOf(
  /** @type {Module} */ module,
  /** @type {Node[]} */ group,
  /** @type {string} */ owner,
  /** @type {string} */ kind,
) {
  const docs = group.map((member) => docOf(module, member)).filter((doc) => doc !== undefined);
  const isReadonly = group.length === 1 && group[0]?.kind === "get";
  const texts = group.map((member) => {
    const text = sourceOf(module, member);
    if (isReadonly) return text.replace(/^((?:static )?)get (.*?)\(\)/, "$1readonly $2");
    return text;
  });
  const wrapper = kind === "class" ? "declare class" : "interface";
  const code = await formatted(`${wrapper} X {\n${texts.join("\n")}\n}`);
  const signature = code
    .split("\n")
    .slice(1, -1)
    .map((line) => line.slice(2))
    .join("\n")
    .replace(/^constructor\(/gm, `new ${owner}(`)
    .replace(/;$/, "");
  return { signature, doc: docs.join("\n\n") };
}

/** A declaration as a reader would write it; a class or an interface without its members. */
async function signatureOf(
  /** @type {Module} */ module,
  /** @type {Node} */ node,
  /** @type {string} */ name,
  /** @type {(target: Target) => boolean} */ isPublic,
) {
  const { source } = module;
  if (node.body?.body) {
    const isShown = (/** @type {Node} */ base) => {
      const target = targetOf(module, base);
      return !target || isPublic(target);
    };
    const listed = (/** @type {string} */ word, /** @type {{ base: Node, end: number }[]} */ all) => {
      const texts = all
        .filter(({ base }) => isShown(base))
        .map(({ base, end }) => source.slice(base.start, end));
      return texts.length > 0 ? ` ${word} ${texts.join(", ")}` : "";
    };
    const word = node.type === "ClassDeclaration" ? "class" : "interface";
    const parameters = node.typeParameters ? sourceOf(module, node.typeParameters) : "";
    const head = `${word} ${name}${parameters}${listed("extends", basesOf(node))}${listed("implements", contractsOf(node))}`;
    return (await formatted(`${head} {}`)).replace(/ ?\{\s*\}$/, "");
  }
  const text = sourceOf(module, node);
  const rest = text.slice(node.id.name.length + text.indexOf(node.id.name));
  if (node.type === "VariableDeclarator") {
    // A default export has no name of its own.
    const code = `declare const ${name === "default" ? node.id.name : name}${typeText(module, node) ?? rest};`;
    return (await formatted(code)).replace(/^declare /, "");
  }
  const word = node.type === "TSTypeAliasDeclaration" ? "type" : "declare function";
  return (await formatted(`${word} ${name}${rest}`)).replace(/^declare /, "");
}

/** The annotation of a variable. */
const typeText = (/** @type {Module} */ module, /** @type {Node} */ { id }) =>
  id.typeAnnotation ? sourceOf(module, id.typeAnnotation) : undefined;

/** The source of a node, without internal members and without the paths of inferred types. */
function sourceOf(/** @type {Module} */ module, /** @type {Node} */ node) {
  const hidden = nodesIn(node)
    .filter((each) => each.type === "TSPropertySignature" || each.type === "TSMethodSignature")
    .filter((each) => each !== node && isInternal(docOf(module, each)));
  let text = "";
  let from = node.start;
  for (const { start, end } of hidden) {
    const comment = docBefore(module, start);
    text += module.source.slice(from, comment?.start ?? start);
    from = end;
  }
  return (text + module.source.slice(from, node.end)).replace(/import\("[^"]*"\)\./g, "");
}

async function formatted(/** @type {string} */ code) {
  const { code: text, errors } = await format("reference.d.ts", code, {
    printWidth: 100,
    objectWrap: "collapse",
  });
  if (errors.length > 0) throw new Error(`Cannot format: ${code}\n${errors[0]?.message}`);
  return text.trim();
}

/**
 * A node and all nodes in it.
 * @returns {Node[]}
 */
function nodesIn(/** @type {unknown} */ value) {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  if (typeof value !== "object" || value === null || !("type" in value)) return [];
  return [/** @type {Node} */ (value), ...Object.values(value).flatMap(nodesIn)];
}

/**
 * The types of this package that a node names.
 * @returns {Target[]}
 */
function mentionsIn(/** @type {Module} */ module, /** @type {Node} */ node) {
  return nodesIn(node).flatMap((each) => {
    if (each.type === "TSImportType") {
      const file = fileOf(module, each.source.value);
      return (file && findExport(file, each.qualifier.name)) || [];
    }
    let name = each.typeName ?? each.exprName ?? (/Heritage|Implements/.test(each.type) && each.expression);
    while (name?.left) name = name.left;
    return (name?.name && findLocal(module.file, name.name)) || [];
  });
}
