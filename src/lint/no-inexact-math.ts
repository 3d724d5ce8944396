import { rule, type Node, type Source, type Suggestion, type Variable } from "./rule.js";
import { traceGlobals } from "./trace.js";

/** Functions whose results ECMAScript leaves to the engine. `tickwise/math` has all of them, under the same names. */
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

const MODULE = "tickwise/math";

/** Engines differ in the last bits of `Math.sin` and similar functions. */
export const noInexactMath = rule(
  "No Math functions whose last bits depend on the engine",
  (context) => ({
    Program() {
      traceGlobals(context, ({ path, node, isAlias }) => {
        const name = path.replace(/^Math\./, "");
        if (isAlias || name === path || !INEXACT.has(name)) return;
        context.report({
          node,
          message: `Engines differ in the last bits of ${path}. Use ${name} from tickwise/math.`,
          suggest: suggestionsFor(context.sourceCode, name, node),
        });
      });
    },
  }),
  { hasSuggestions: true },
);

/** A suggestion, not a fix, as it may change the last bits. */
function suggestionsFor(source: Source, name: string, node: Node): Suggestion[] {
  const isCall = node.parent.type === "CallExpression" && node.parent["callee"] === node;
  if (node.type !== "MemberExpression" || !isCall) return [];
  const args = node.parent["arguments"] as Node[];
  const isSpread = args.some(({ type }) => type === "SpreadElement");
  // hypot of tickwise/math takes two or three numbers.
  if (name === "hypot" && (isSpread || args.length < 2 || args.length > 3)) return [];
  const body = source.ast["body"] as Node[];
  const specifiers = body.flatMap(importedSpecifiers).filter(({ imported }) => nameIn(imported) === name);
  const variable = variableAt(source, name, node);
  const isImported = specifiers.some((specifier) => source.getDeclaredVariables(specifier)[0] === variable);
  // The name is taken there, or the file cannot import anything.
  if (variable ? !isImported : source.ast["sourceType"] !== "module") return [];
  const line = `import { ${name} } from ${JSON.stringify(MODULE)};\n`;
  return [
    {
      desc: `Use ${name} from tickwise/math.`,
      fix: (fixer) => [
        ...(isImported ? [] : [fixer.insertTextBeforeRange(body[0]!.range, line)]),
        fixer.replaceText(node, name),
      ],
    },
  ];
}

const nameIn = (node: unknown) => (node as Node | undefined)?.["name"];

function importedSpecifiers(statement: Node): Node[] {
  if (statement.type !== "ImportDeclaration" || statement["importKind"] === "type") return [];
  if ((statement["source"] as Node)["value"] !== MODULE) return [];
  return statement["specifiers"] as Node[];
}

/** Returns the variable that a name refers to at a node. */
function variableAt(source: Source, name: string, node: Node): Variable | undefined {
  for (let scope: ReturnType<Source["getScope"]> | null = source.getScope(node); scope; scope = scope.upper) {
    const variable = scope.set.get(name);
    if (variable) return variable;
  }
  return undefined;
}
