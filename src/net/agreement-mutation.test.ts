// Breaks one rule of the agreement at a time, to prove that the simulated networks detect it.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { chaosOf, newerOf, troubleOf, type VoterClass } from "../../test/net/agreement-network.js";

const FILE = fileURLToPath(new URL("agreement.ts", import.meta.url));
/** Every mutation is found by one of so many seeds, most by one of the first hundred. */
const SEEDS = 5000;

const newer = (kind: VoterClass, seed: number) => newerOf(kind, seed % 2 === 0 ? [0, 1] : [1, 0]);

const folder = mkdtemp(join(tmpdir(), "agreement-"));
let builds = 0;
afterAll(async () => rm(await folder, { recursive: true }));

/** Builds the class with a change in its source. */
async function mutated(from: string, to: string): Promise<VoterClass> {
  const { outputFiles } = await build({
    entryPoints: [FILE],
    bundle: true,
    format: "esm",
    write: false,
    plugins: [
      {
        name: "mutate",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/agreement\.ts$/ }, async ({ path }) => {
            const source = await readFile(path, "utf8");
            if (!source.includes(from)) throw new Error(`agreement.ts has no ${from}`);
            return { contents: source.replace(from, to), loader: "ts" };
          }),
      },
    ],
  });
  const path = join(await folder, `${builds++}.mjs`);
  await writeFile(path, outputFiles[0]!.contents);
  const module = await import(/* @vite-ignore */ pathToFileURL(path).href);
  return module.Agreement;
}

test.each([
  ["half of the voters without the first can decide", chaosOf, /decided/, " && hasFirst", ""],
  ["a quorum is one voter less", chaosOf, /decided/, "2 * count > voters", "2 * count + 2 > voters"],
  ["an accepted value is replaced", chaosOf, /decided/, "state.accepted > highest", "false"],
  [
    "the first accepted value is kept",
    newer,
    /decided/,
    "state.accepted > highest",
    "state.accepted > 0 && !highest",
  ],
  ["the last accepted value is kept", newer, /decided/, "state.accepted > highest", "state.accepted > 0"],
  ["a promise does not prevent accepting", chaosOf, /decided/, "state.accepted >= this.#promised && ", ""],
  [
    "lower ballots are promised",
    chaosOf,
    /decided|rejected/,
    "if (promised < this.#promised ||",
    "if (ownerOf(promised) === from && promised !== this.#promised) this.#promise(promised, frozen); if (",
  ],
  ["promises of other ballots count", chaosOf, /decided/, "state?.promised !== this.#promised", "!state"],
  [
    "accepted ballots are not compared",
    chaosOf,
    /decided/,
    "accepted(other) === ballot",
    "accepted(other) > 0",
  ],
  [
    "reports without a suspect count",
    chaosOf,
    /was confirmed/,
    " || !isSubset(this.#suspects, state.frozen)",
    "",
  ],
  [
    "more suspects, but the old report",
    chaosOf,
    /was confirmed/,
    "this.#report = report",
    "if (!this.#promised) this.#report = report",
  ],
  ["nobody retries", chaosOf, /undecided/, "this.#retry(now);", ""],
  [
    "a decision is told only once",
    troubleOf,
    /undecided/,
    "isDue && !isDone",
    "isDue && this.#pause === 100",
  ],
])("%s: that is found", async (_, run, problem, from, to) => {
  const kind = await mutated(from, to);
  const found = (seed: number): boolean => run(kind, seed).problems.some((text) => problem.test(text));
  let seed = 0;
  while (seed < SEEDS && !found(seed)) seed++;
  expect(seed, "the seed that finds it").toBeLessThan(SEEDS);
});

test("nothing is found in the code as it is", async () => {
  const kind = await mutated("class Agreement", "class Agreement");
  for (let seed = 0; seed < 100; seed++)
    for (const run of [chaosOf, newer, troubleOf])
      expect(run(kind, seed).problems, `seed ${seed}`).toEqual([]);
});
