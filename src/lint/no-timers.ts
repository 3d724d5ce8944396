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

/** Callbacks that come between steps, or when memory is collected: a step that is run again does not bring them. */
export const noTimers = rule("No timers, frames or other callbacks between steps", (context) => ({
  Program() {
    traceGlobals(context, ({ path, node, again }) => {
      if (again) return;
      if (TIMERS.has(path))
        context.report({
          node,
          message: `${path} acts between steps, at no certain tick. Keep the tick at which it is due in the state.`,
        });
      if (COLLECTOR.has(path))
        context.report({
          node,
          message: `${path} tells when memory was collected, which is up to the engine. Remove things in a step.`,
        });
    });
  },
}));
