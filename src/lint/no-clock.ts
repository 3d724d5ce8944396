import { rule, type Node } from "./rule.js";
import { nameOf, traceGlobals } from "./trace.js";

const CLOCKS = new Set([
  "Date.now",
  "Temporal.Now",
  "document.timeline.currentTime",
  "performance.eventLoopUtilization",
  "performance.getEntries",
  "performance.getEntriesByName",
  "performance.getEntriesByType",
  "performance.mark",
  "performance.measure",
  "performance.memory",
  "performance.now",
  "performance.timeOrigin",
  "performance.timing",
  "performance.toJSON",
  "process.cpuUsage",
  "process.hrtime",
  "process.memoryUsage",
  "process.resourceUsage",
  "process.uptime",
]);

/** A clock returns another value each time that a step is run again. */
export const noClock = rule("No clocks", (context) => ({
  MemberExpression(node) {
    // Of an event. Its type is unknown here, but nothing else has a timeStamp.
    if (nameOf(node["property"] as Node, node["computed"] as boolean) !== "timeStamp") return;
    context.report({
      node,
      message:
        "timeStamp reads a clock, so a step that runs again gets another value. Count ticks: the time of tick n is n * dt.",
    });
  },
  Program() {
    traceGlobals(context, ({ path, node, isAlias }) => {
      const name = CLOCKS.has(path) && !isAlias ? path : currentDate(path, node);
      if (!name) return;
      context.report({
        node,
        message: `${name} reads a clock, so a step that runs again gets another value. Count ticks: the time of tick n is n * dt.`,
      });
    });
  },
}));

/** Returns the name of a call that reads the current date: `new Date()` or `Date(…)`, which ignores its arguments. */
function currentDate(path: string, node: Node): string | undefined {
  if (path === "Date()" && node.type === "CallExpression") return path;
  const isNew = path === "new Date" && node.type === "NewExpression";
  return isNew && (node["arguments"] as Node[]).length === 0 ? "new Date()" : undefined;
}
