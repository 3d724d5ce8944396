import { rule, type Node } from "./rule.js";
import { nameOf, traceGlobals } from "./trace.js";

/** Operators and functions whose results are whole numbers. */
const WHOLE_OPERATORS = new Set(["&", "|", "^", "<<", ">>", ">>>", "~"]);
const WHOLE_FUNCTION = /^Math\.(ceil|clz32|floor|imul|round|trunc)$/;

/** What engines were found to do differently, though ECMAScript says or means one thing. */
export const noEngineBits = rule("No other results that engines were found to differ in", (context) => ({
  CallExpression(node) {
    const [radix] = node["arguments"] as Node[];
    const callee = node["callee"] as Node;
    if (!radix || radix["value"] === 10 || callee.type !== "MemberExpression") return;
    if (nameOf(callee["property"] as Node, callee["computed"] as boolean) !== "toString") return;
    if (isWhole(callee["object"] as Node, (part) => context.sourceCode.getText(part))) return;
    context.report({
      node,
      message:
        "Engines differ in the digits of fractions by toString(radix). Round it first, as in Math.floor(x).toString(16), or write it in decimals.",
    });
  },
  Program() {
    traceGlobals(context, ({ path, node, again }) => {
      if (again || path !== "Uint8ClampedArray") return;
      context.report({
        node,
        message: "Engines do not agree on Uint8ClampedArray. Round and clamp, and use Uint8Array.",
      });
    });
  },
}));

function isWhole(node: Node, textOf: (node: Node) => string): boolean {
  if (node.type === "Literal") return Number.isInteger(node["value"]) || typeof node["value"] === "bigint";
  if (node.type === "CallExpression") return WHOLE_FUNCTION.test(textOf(node["callee"] as Node));
  return WHOLE_OPERATORS.has(node["operator"] as string);
}
