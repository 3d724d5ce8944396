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

/** Random numbers that cannot be seeded, saved or reproduced. */
export const noRandom = rule("No random numbers that cannot be reproduced", (context) => ({
  Program() {
    traceGlobals(context, ({ path, node, isAlias }) => {
      if (isAlias || !RANDOM.has(path)) return;
      context.report({
        node,
        message: `${path} cannot be seeded, so a replay cannot reproduce it. Use random from tickwise/math.`,
      });
    });
  },
}));
