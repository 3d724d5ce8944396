import { defineConfig } from "vitest/config";

/** Tests of the built package: they start npm, tsc and node, and need a fresh dist. */
const BUILT = ["package", "docs", "examples", "node", "lab", "lint", "cli"].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

const BROWSER = "test/browser/**/*.test.ts";

/** They compute on all cores, two at a time. */
const ENGINES = "test/engines/**/*.test.ts";

/** Graphics in software: they take all cores, and would make what is timed in the other tests late. */
const PAGES = ["test/examples/pages.test.ts", "test/lab/three-d.test.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "source",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...BUILT, BROWSER, ENGINES],
          testTimeout: 20_000,
        },
      },
      { test: { name: "browser", include: [BROWSER], testTimeout: 30_000, hookTimeout: 60_000 } },
      {
        test: {
          name: "built",
          include: BUILT,
          exclude: PAGES,
          globalSetup: "test/build-once.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "pages",
          include: PAGES,
          // After all others.
          sequence: { groupOrder: 1 },
          globalSetup: "test/build-once.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "engines",
          include: [ENGINES],
          // Last, for the same reason.
          sequence: { groupOrder: 2 },
          fileParallelism: false,
          maxConcurrency: 2,
          testTimeout: 900_000,
        },
      },
    ],
  },
});
