import { rule, type Node } from "./rule.js";
import { nameOf, traceGlobals } from "./trace.js";

const METHODS = new Set([
  "localeCompare",
  "toLocaleDateString",
  "toLocaleLowerCase",
  "toLocaleString",
  "toLocaleTimeString",
  "toLocaleUpperCase",
]);

/** What follows the language, the time zone or the Unicode data of a machine. */
export const noLocale = rule("Nothing that depends on the machine's language or time zone", (context) => ({
  MemberExpression(node) {
    const name = nameOf(node["property"] as Node, node["computed"] as boolean);
    if (name === undefined || !METHODS.has(name)) return;
    const instead = name === "localeCompare" ? "Compare by < and >." : "Leave texts to what is drawn.";
    context.report({ node, message: `${name} depends on the machine's language. ${instead}` });
  },
  Program() {
    traceGlobals(context, ({ path, node, again }) => {
      if (path === "Intl" && !again)
        context.report({
          node,
          message: "Intl depends on the machine's language. Leave texts to what is drawn.",
        });
      const { parent } = node;
      const isNew = parent?.type === "NewExpression" && parent["callee"] === node;
      if (path === "Date" && isNew && (parent["arguments"] as Node[]).length > 1)
        context.report({
          node: parent,
          message:
            "new Date(year, month, ...) is in the machine's time zone. Use new Date(Date.UTC(year, month, ...)).",
        });
    });
  },
}));
