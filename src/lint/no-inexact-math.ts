import { rule, type Node, type Source, type Suggestion, type Variable } from "./rule.js";
import { traceGlobals } from "./trace.js";

/** What ECMAScript leaves to the engine. `tickwise/math` has each under the same name. */
const INEXACT = new Set([
  "acos",
  "acosh",
  "asin",
  "asinh",
  "atan",
  "atan2",
  "atanh",
  "cbrt",
  "cos",
  "cosh",
  "exp",
  "expm1",
  "hypot",
  "log",
  "log10",
  "log1p",
  "log2",
  "pow",
  "sin",
  "sinh",
  "tan",
  "tanh",
]);

const OURS = "tickwise/math";

/** Engines differ in the last bits of `Math.sin` and its like. */
export const noInexactMath = rule(
  "No functions of Math whose last bits are left to the engine",
  (context) => ({
    Program() {
      traceGlobals(context, ({ path, node, again }) => {
        const name = path.replace(/^Math\./, "");
        if (again || name === path || !INEXACT.has(name)) return;
        context.report({
          node,
          message: `Engines differ in the last bits of ${path}. Use ${name} of "tickwise/math".`,
          suggest: suggestionsFor(context.sourceCode, name, node),
        });
      });
    },
  }),
  { hasSuggestions: true },
);

/** Only suggested, never done unasked: it may change the last bits. */
function suggestionsFor(source: Source, name: string, node: Node): Suggestion[] {
  const isCall = node.parent.type === "CallExpression" && node.parent["callee"] === node;
  if (node.type !== "MemberExpression" || !isCall) return [];
  const given = node.parent["arguments"] as Node[];
  const isSpread = given.some(({ type }) => type === "SpreadElement");
  // Ours takes two or three numbers.
  if (name === "hypot" && (isSpread || given.length < 2 || given.length > 3)) return [];
  const body = source.ast["body"] as Node[];
  const ours = body.flatMap(specifiersOfOurs).filter(({ imported }) => nameIn(imported) === name);
  const meant = meaningOf(source, name, node);
  const isImported = ours.some((specifier) => source.getDeclaredVariables(specifier)[0] === meant);
  // The name means something else there, or the file can import nothing.
  if (meant ? !isImported : source.ast["sourceType"] !== "module") return [];
  const line = `import { ${name} } from ${JSON.stringify(OURS)};\n`;
  return [
    {
      desc: `Use ${name} of "tickwise/math".`,
      fix: (fixer) => [
        ...(isImported ? [] : [fixer.insertTextBeforeRange(body[0]!.range, line)]),
        fixer.replaceText(node, name),
      ],
    },
  ];
}

const nameIn = (node: unknown) => (node as Node | undefined)?.["name"];

function specifiersOfOurs(statement: Node): Node[] {
  if (statement.type !== "ImportDeclaration" || statement["importKind"] === "type") return [];
  if ((statement["source"] as Node)["value"] !== OURS) return [];
  return statement["specifiers"] as Node[];
}

/** What a name means at a place in the file. */
function meaningOf(source: Source, name: string, node: Node): Variable | undefined {
  for (let scope: ReturnType<Source["getScope"]> | null = source.getScope(node); scope; scope = scope.upper) {
    const variable = scope.set.get(name);
    if (variable) return variable;
  }
  return undefined;
}
