import { rule, type Node } from "./rule.js";
import { traceGlobals } from "./trace.js";

/**
 * A step ends when it returns. Code after an `await` runs later, between other steps, where saving, rewinding and
 * replaying cannot account for it. A top-level `await` is fine, as it finishes before the first step.
 */
export const noAsync = rule("No async functions or promises", (context) => {
  const check = (node: Node) => {
    if (node["async"])
      context.report({
        node,
        message:
          "An async function continues between steps, at an unpredictable tick. Load data before the first step.",
      });
  };
  return {
    FunctionDeclaration: check,
    FunctionExpression: check,
    ArrowFunctionExpression: check,
    Program() {
      traceGlobals(context, ({ path, node, isAlias }) => {
        if (isAlias || path !== "Promise") return;
        // Code that rejects promises has to test for them.
        if (node.parent["operator"] === "instanceof") return;
        context.report({
          node,
          message:
            "A promise settles between steps, at an unpredictable tick. Load data before the first step.",
        });
      });
    },
  };
});
