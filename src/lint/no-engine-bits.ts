import { rule, type Node } from "./rule.js";
import { bare, nameOf, traceGlobals } from "./trace.js";

/** Operators, functions and fields whose results are whole numbers. */
const WHOLE_OPERATORS = new Set(["&", "|", "^", "<<", ">>", ">>>", "~"]);
const WHOLE_FUNCTION = /^(BigInt(\.as(Ui|I)ntN)?|Math\.(ceil|clz32|floor|imul|round|trunc))$/;
const WHOLE_FIELD = /^(byteLength|length|size)$/;

/** Operators whose results are true or false. */
const COMPARISON = /^([!=]=|[<>])=?$/;

/** Known differences between engines, despite ECMAScript. */
export const noEngineBits = rule("Nothing else in which engines are known to differ", (context) => ({
  CallExpression(node) {
    const callee = bare(node["callee"] as Node);
    const [first] = node["arguments"] as Node[];
    if (!first || callee.type !== "MemberExpression") return;
    const name = nameOf(callee["property"] as Node, callee["computed"] as boolean);
    const textOf = (part: Node) => context.sourceCode.getText(part);
    if (name === "toString" && isRadix(first) && !isWhole(callee["object"] as Node, textOf))
      context.report({
        node,
        message:
          "Engines differ in the digits of toString(radix) for fractions. Round first, as in Math.floor(x).toString(16), or use decimals.",
      });
    if ((name === "sort" || name === "toSorted") && returnsBoolean(first))
      context.report({
        node: first,
        message:
          "With a comparator that returns true or false, the order depends on the engine. Return a number, such as a - b.",
      });
  },
  Program() {
    traceGlobals(context, ({ path, node, isAlias }) => {
      if (isAlias || path !== "Uint8ClampedArray") return;
      context.report({
        node,
        message: "Engines differ in Uint8ClampedArray. Round and clamp yourself, and use Uint8Array.",
      });
    });
  },
}));

/** Whether it may be a radix other than 10. A string is the encoding of a Buffer: `toString("hex")`. */
function isRadix(node: Node): boolean {
  const { value } = bare(node);
  return value !== 10 && typeof value !== "string" && node["name"] !== "undefined";
}

function isWhole(wrapped: Node, textOf: (node: Node) => string): boolean {
  const node = bare(wrapped);
  const operator = node["operator"] as string | undefined;
  if (node.type === "Literal") return Number.isInteger(node["value"]) || typeof node["value"] === "bigint";
  if (node.type === "CallExpression") return WHOLE_FUNCTION.test(textOf(node["callee"] as Node));
  if (node.type === "UnaryExpression" && operator === "-") return isWhole(node["argument"] as Node, textOf);
  if (node.type === "MemberExpression")
    return WHOLE_FIELD.test(nameOf(node["property"] as Node, node["computed"] as boolean) ?? "");
  return operator !== undefined && WHOLE_OPERATORS.has(operator);
}

/** Whether an inline function obviously returns true or false. */
function returnsBoolean(node: Node): boolean {
  const body = node["body"] as Node | undefined;
  if (!node.type.endsWith("FunctionExpression") || !body) return false;
  const [statement] = body.type === "BlockStatement" ? (body["body"] as Node[]) : [];
  const result = statement?.type === "ReturnStatement" ? (statement["argument"] as Node | null) : body;
  return !!result && COMPARISON.test((bare(result)["operator"] as string | undefined) ?? "");
}
