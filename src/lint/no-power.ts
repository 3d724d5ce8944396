import { rule, type Node, type Source, type Suggestion } from "./rule.js";
import { bare } from "./trace.js";

/** `**` is `Math.pow`, and no more exact: even `x ** 2` is not `x * x` everywhere. */
export const noPower = rule(
  "No ** and **=, whose last bits are left to the engine",
  (context) => {
    const check = (node: Node) => {
      const operator = node["operator"] as string;
      if (!operator.startsWith("**") || isBigInt(node["left"]) || isBigInt(node["right"])) return;
      context.report({
        node,
        message: `Engines differ in the last bits of ${operator}. Write a product, as in x * x, or use pow of "tickwise/math".`,
        suggest: operator === "**" ? suggestionsFor(context.sourceCode, node) : [],
      });
    };
    return { BinaryExpression: check, AssignmentExpression: check };
  },
  { hasSuggestions: true },
);

/** BigInt powers are whole numbers: exact. One side is enough, as the two do not mix. */
function isBigInt(side: unknown): boolean {
  const node = bare(side as Node);
  if (node.type === "UnaryExpression") return isBigInt(node["argument"]);
  if (node.type !== "CallExpression") return typeof node["value"] === "bigint";
  const callee = bare(node["callee"] as Node);
  return ((callee["object"] ?? callee) as Node)["name"] === "BigInt";
}

/** Where a product can stand without parentheses. */
const LOOSE = new Set(["VariableDeclarator", "AssignmentExpression", "ReturnStatement", "CallExpression"]);

/** A product, for names and numbers: those cost nothing to be read twice, and do nothing by it. */
function suggestionsFor(source: Source, node: Node): Suggestion[] {
  const { parent } = node;
  const base = node["left"] as Node;
  const exponent = (node["right"] as Node)["value"];
  if (base.type !== "Identifier" && base.type !== "Literal") return [];
  if (exponent !== 2 && exponent !== 3) return [];
  const product = Array<string>(exponent).fill(source.getText(base)).join(" * ");
  const isLoose = LOOSE.has(parent.type) || parent["operator"] === "+" || parent["operator"] === "-";
  const text = isLoose && parent.type !== "UnaryExpression" ? product : `(${product})`;
  return [{ desc: `Write ${product}.`, fix: (fixer) => fixer.replaceText(node, text) }];
}
