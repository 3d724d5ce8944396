// Signatures as a reader would write them, formatted.
import { format } from "oxfmt";
import { basesOf, contractsOf, hasMembers, mergedDeclarations } from "./bases.mjs";
import { docBefore } from "./modules.mjs";
import { isHidden, nodesIn } from "./visible.mjs";

/** @typedef {import("./modules.mjs").Node} Node */
/** @typedef {import("./modules.mjs").Module} Module */
/** @typedef {import("./bases.mjs").Base} Base */
/** @typedef {import("./visible.mjs").IsPublic} IsPublic */

/** The signature of a declaration that is exported as `name`; of a class or an interface, without its members. */
export async function signatureOf(
  /** @type {Module} */ module,
  /** @type {Node} */ node,
  /** @type {string} */ name,
  /** @type {IsPublic} */ isPublic,
) {
  // A default export is shown by the name that it has in its file.
  const shown = name === "default" ? node.id.name : name;
  if (hasMembers(node)) {
    const code = await formatted(`${headOf(module, node, shown, isPublic)} {}`);
    return code.replace(/ ?\{\s*\}$/, "");
  }
  const rest = sourceOf(module, node, node.id.start + node.id.name.length);
  return (await formatted(`${WORDS[node.type]} ${shown}${rest}`)).replace(/^declare /, "");
}

/** @type {Record<string, string>} */
const WORDS = {
  TSDeclareFunction: "declare function",
  VariableDeclarator: "declare const",
  TSTypeAliasDeclaration: "type",
};

function headOf(
  /** @type {Module} */ module,
  /** @type {Node} */ node,
  /** @type {string} */ name,
  /** @type {IsPublic} */ isPublic,
) {
  const listed = (/** @type {string} */ word, /** @type {Base[]} */ bases) => {
    const texts = bases.map(({ base, end }) => module.source.slice(base.start, end));
    return texts.length > 0 ? ` ${word} ${texts.join(", ")}` : "";
  };
  const bases = basesOf(node).filter((base) => mergedDeclarations(module, base, isPublic).length === 0);
  return [
    node.abstract ? "abstract " : "",
    node.type === "ClassDeclaration" ? "class " : "interface ",
    name,
    node.typeParameters ? sourceOf(module, node.typeParameters) : "",
    listed("extends", bases),
    listed("implements", contractsOf(node)),
  ].join("");
}

/** The signature of a member: several nodes are overloads, or the two accessors of a property. */
export async function memberSignature(
  /** @type {Module} */ module,
  /** @type {Node[]} */ nodes,
  /** @type {{ name: string, kind: string }} */ owner,
) {
  const isReadonly = nodes.length === 1 && nodes[0]?.kind === "get";
  const texts = nodes.map((node) => {
    const text = sourceOf(module, node);
    return isReadonly ? text.replace(/^((?:static )?)get (.*?)\(\)/, "$1readonly $2") : text;
  });
  const wrapper = owner.kind === "class" ? "declare abstract class" : "interface";
  const code = await formatted(`${wrapper} X {\n${texts.join("\n")}\n}`);
  return code
    .split("\n")
    .slice(1, -1)
    .map((line) => line.slice(2))
    .join("\n")
    .replace(/^constructor\(/gm, `new ${owner.name}(`)
    .replace(/;$/, "");
}

/** The source of a node, without internal members and without the paths of inferred types. */
function sourceOf(/** @type {Module} */ module, /** @type {Node} */ node, from = node.start) {
  let text = "";
  for (const hidden of nodesIn(module, node).filter((each) => isHidden(module, each))) {
    text += module.source.slice(from, docBefore(module, hidden.start)?.start);
    from = hidden.end;
  }
  return (text + module.source.slice(from, node.end)).replace(/import\("[^"]*"\)\./g, "");
}

async function formatted(/** @type {string} */ code) {
  const options = /** @type {const} */ ({ printWidth: 100, objectWrap: "collapse" });
  const { code: text, errors } = await format("reference.d.ts", code, options);
  if (errors.length > 0) throw new Error(`Cannot format: ${code}\n${errors[0]?.message}`);
  return text.trim();
}
