import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests of the built package. They start npm, tsc and node, and need a fresh dist. */
const BUILT = ["package", "docs", "examples", "node", "lab", "lint", "cli", "queue", "site"].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

const BROWSER = "test/browser/**/*.test.ts";

/** Tests that start Colyseus on another Node. */
const COLYSEUS = "test/colyseus/*.test.ts";

/** Tests of the source that measure memory, load modules again, wrap functions of the engine or leave real timers behind. */
const ALONE = [
  "src/blend/passes.test.ts",
  "src/hud/hitches.test.ts",
  "src/input/latch.test.ts",
  "src/net/transfer.test.ts",
  "src/rapier/rapier.test.ts",
  "src/replay/file.test.ts",
  "src/sim/guard.test.ts",
  "src/state/kernels.test.ts",
  "test/net-links/**/*.test.ts",
  "test/server/**/*.test.ts",
  "test/worker/allocation.test.ts",
];

/** Run two at a time, as each uses all cores. */
const ENGINES = "test/engines/**/*.test.ts";

/** Timeouts for tests that wait for other processes on a busy machine. They only end tests that hang. */
const LONG_TIMEOUTS = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000, interval: 50 } },
};

/** Files that only `npm run test:full` runs: slow ones, of parts that rarely change or that other files test, too. */
const ONLY_FULL =
  process.env.TEST_FULL === "yes"
    ? []
    : [
        "browser/audio",
        "cli/desync",
        "cli/docs",
        "cli/hostile",
        "cli/replay",
        "cli/stability",
        "cli/verify",
        "colyseus/hostile",
        "colyseus/stalled",
        "examples/pages",
        "examples/thread",
        "lab/determinism",
        "lab/game",
        "lab/isolation",
        "lab/layout",
        "lab/network",
        "lab/network-friend",
        "lab/server",
        "lab/shortcuts-page",
        "lab/smooth",
        "lab/thread",
        "lab/three-d",
        "lab/time",
        "net/lockstep-crowd",
        "net/server-hostile",
        "package/new",
        "package/platforms",
        "package/release",
        "queue/kills",
        "queue/limits",
        "queue/outage",
        "queue/poison",
        "queue/takeover",
        "queue/verify",
        "site/recorder-page",
        "site/console",
        "site/docs-page",
        "soak/soak",
      ].map((name) => `test/${name}.test.ts`);

/** The slowest files, which begin first: one that began last would keep all others waiting. */
const SLOW = [
  "package/release",
  "package/package",
  "package/new",
  "browser/drivers",
  "cli/verify",
  "docs/docs",
  "queue/limits",
  "queue/outage",
  "queue/poison",
  "browser/netplay",
  "browser/input",
  "browser/audio",
  "cli/desync",
  "browser/hud",
  "lab/game",
  "examples/pages",
  "cli/hostile",
  "lab/network-friend",
  "lab/network",
  "net/server-hostile",
].map((name) => `test/${name}.test.ts`);

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = SLOW.findIndex((name) => moduleId.endsWith(name));
      return rank < 0 ? SLOW.length : rank;
    };
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    // More than cores, as most slow tests wait for frames or for another process.
    maxWorkers: Math.max(6, availableParallelism()),
    sequence: { sequencer: SlowFirst },
    globalSetup: "test/shared/setup.ts",
    projects: [
      {
        test: {
          name: "source",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...BUILT, BROWSER, COLYSEUS, ENGINES, ...ALONE, ...ONLY_FULL],
          testTimeout: 120_000,
          // The files of a worker share the modules, as loading them takes longer than most tests.
          isolate: false,
        },
      },
      { test: { name: "source alone", include: ALONE, testTimeout: 120_000 } },
      { test: { ...LONG_TIMEOUTS, name: "browser", include: [BROWSER], exclude: ONLY_FULL } },
      { test: { ...LONG_TIMEOUTS, name: "colyseus", include: [COLYSEUS], exclude: ONLY_FULL } },
      {
        test: {
          ...LONG_TIMEOUTS,
          name: "built",
          include: BUILT,
          exclude: ONLY_FULL,
          globalSetup: "test/build-once.ts",
        },
      },
      {
        test: {
          ...LONG_TIMEOUTS,
          name: "engines",
          include: [ENGINES],
          // After all other projects.
          sequence: { groupOrder: 1 },
          fileParallelism: false,
          maxConcurrency: 2,
          testTimeout: 900_000,
        },
      },
    ],
  },
});
