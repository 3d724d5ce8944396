import { rule, type Node } from "./rule.js";
import { traceGlobals } from "./trace.js";

/**
 * A step is done when it returns. What follows an `await` in it runs after it, between other steps, and a loop that
 * saves, rewinds or replays the state does not know of it. An `await` outside of functions is over before the first step.
 */
export const noAsync = rule("No async functions and promises", (context) => {
  const check = (node: Node) => {
    if (node["async"])
      context.report({
        node,
        message: "An async function goes on between steps, at no certain tick. Load before the first step.",
      });
  };
  return {
    FunctionDeclaration: check,
    FunctionExpression: check,
    ArrowFunctionExpression: check,
    Program() {
      traceGlobals(context, ({ path, node, again }) => {
        if (again || path !== "Promise") return;
        // To refuse promises, one has to ask for them.
        if (node.parent["operator"] === "instanceof") return;
        context.report({
          node,
          message: "A promise is settled between steps, at no certain tick. Load before the first step.",
        });
      });
    },
  };
});
