import { rule } from "./rule.js";
import { traceGlobals } from "./trace.js";

const TIMERS = new Set([
  "cancelAnimationFrame",
  "cancelIdleCallback",
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "process.nextTick",
  "queueMicrotask",
  "requestAnimationFrame",
  "requestIdleCallback",
  "scheduler.postTask",
  "scheduler.wait",
  "scheduler.yield",
  "setImmediate",
  "setInterval",
  "setTimeout",
]);
const COLLECTOR = new Set(["FinalizationRegistry", "WeakRef"]);

/** Callbacks that run between steps, or on garbage collection: running a step again does not repeat them. */
export const noTimers = rule("No timers, frames or other callbacks between steps", (context) => ({
  Program() {
    traceGlobals(context, ({ path, node, isAlias }) => {
      if (isAlias) return;
      if (TIMERS.has(path))
        context.report({
          node,
          message: `${path} runs between steps, at an unpredictable tick. Store the tick at which it is due in the state.`,
        });
      if (COLLECTOR.has(path))
        context.report({
          node,
          message: `${path} depends on garbage collection, which is up to the engine. Remove objects in a step.`,
        });
    });
  },
}));
