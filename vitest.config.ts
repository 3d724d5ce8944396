import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests of the built package: they start npm, tsc and node, and need a fresh dist. */
const BUILT = ["package", "docs", "examples", "node", "lab", "lint", "cli"].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

const BROWSER = "test/browser/**/*.test.ts";

/** They compute on all cores, two at a time. */
const ENGINES = "test/engines/**/*.test.ts";

/** For what waits for other processes, on a machine that is busy with others: they end what hangs, and assert nothing. */
const PATIENT = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000, interval: 50 } },
};

export default defineConfig({
  test: {
    // More than cores, as most tests that take long wait for frames, or for another process.
    maxWorkers: Math.max(4, availableParallelism()),
    globalSetup: "test/shared/setup.ts",
    projects: [
      {
        test: {
          name: "source",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...BUILT, BROWSER, ENGINES],
          testTimeout: 120_000,
        },
      },
      { test: { ...PATIENT, name: "browser", include: [BROWSER] } },
      {
        test: {
          ...PATIENT,
          name: "built",
          include: BUILT,
          globalSetup: "test/build-once.ts",
        },
      },
      {
        test: {
          ...PATIENT,
          name: "engines",
          include: [ENGINES],
          // After all others.
          sequence: { groupOrder: 1 },
          fileParallelism: false,
          maxConcurrency: 2,
          testTimeout: 900_000,
        },
      },
    ],
  },
});
