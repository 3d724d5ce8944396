import { rule } from "./rule.js";
import { traceGlobals } from "./trace.js";

const RANDOM = new Set([
  "Math.random",
  "crypto.getRandomValues",
  "crypto.randomBytes",
  "crypto.randomFill",
  "crypto.randomFillSync",
  "crypto.randomInt",
  "crypto.randomUUID",
  "crypto.webcrypto.getRandomValues",
  "crypto.webcrypto.randomUUID",
]);

/** Chance that cannot be seeded, saved or drawn again. */
export const noRandom = rule("No random numbers that cannot be drawn again", (context) => ({
  Program() {
    traceGlobals(context, ({ path, node, again }) => {
      if (again || !RANDOM.has(path)) return;
      context.report({
        node,
        message: `${path} cannot be seeded, so no replay draws it again. Use random of "tickwise/math".`,
      });
    });
  },
}));
