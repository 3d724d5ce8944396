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

/** What time it is differs each time that a step is run again. */
export const noClock = rule("No clocks", (context) => ({
  MemberExpression(node) {
    // Of an event. Whose it is cannot be seen, but nothing else has it.
    if (nameOf(node["property"] as Node, node["computed"] as boolean) !== "timeStamp") return;
    context.report({
      node,
      message:
        "timeStamp reads a clock, which is never the same again. Count ticks: the time of tick n is n * dt.",
    });
  },
  Program() {
    traceGlobals(context, ({ path, node, again }) => {
      const what = CLOCKS.has(path) && !again ? path : presentDate(path, node);
      if (!what) return;
      context.report({
        node,
        message: `${what} reads a clock, which is never the same again. Count ticks: the time of tick n is n * dt.`,
      });
    });
  },
}));

/** `new Date()` and `Date()` are now; `new Date(0)` is not. Without new, arguments are ignored. */
function presentDate(path: string, node: Node): string | undefined {
  if (path === "Date()" && node.type === "CallExpression") return path;
  const isNew = path === "new Date" && node.type === "NewExpression";
  return isNew && (node["arguments"] as Node[]).length === 0 ? "new Date()" : undefined;
}
