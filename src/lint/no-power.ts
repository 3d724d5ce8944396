import { rule, type Node, type Source, type Suggestion } from "./rule.js";
import { bare } from "./trace.js";

/** `**` is as inexact as `Math.pow`: even `x ** 2` differs from `x * x` on some engines. */
export const noPower = rule(
  "No ** and **=, whose last bits depend on the engine",
  (context) => {
    const check = (node: Node) => {
      const operator = node["operator"] as string;
      if (!operator.startsWith("**") || isBigInt(node["left"]) || isBigInt(node["right"])) return;
      context.report({
        node,
        message: `Engines differ in the last bits of ${operator}. Write a product, such as x * x, or use pow from tickwise/math.`,
        suggest: operator === "**" ? suggestionsFor(context.sourceCode, node) : [],
      });
    };
    return { BinaryExpression: check, AssignmentExpression: check };
  },
  { hasSuggestions: true },
);

/** Powers of BigInt are exact. Testing one side is enough, as the types do not mix. */
function isBigInt(side: unknown): boolean {
  const node = bare(side as Node);
  if (node.type === "UnaryExpression") return isBigInt(node["argument"]);
  if (node.type !== "CallExpression") return typeof node["value"] === "bigint";
  const callee = bare(node["callee"] as Node);
  return ((callee["object"] ?? callee) as Node)["name"] === "BigInt";
}

/** Parents in which a product needs no parentheses. */
const LOOSE = new Set(["VariableDeclarator", "AssignmentExpression", "ReturnStatement", "CallExpression"]);

/** Suggests a product, for names and numbers, which can be evaluated twice without side effects. */
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
