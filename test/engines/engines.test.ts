// The same bits in every engine: one script, its digests compared with Node's, and Node's with golden ones.
import { expect, test } from "vitest";
import { BROWSER_NAMES, browserInstall, findBrowser } from "../../scripts/browsers.mjs";
import { MORE_SHELLS, SHELLS } from "../../scripts/shells.mjs";
import { differences } from "./compare.js";
import { bundle, inBrowser, quickJs, shell, type Place } from "./places.js";
import { BLOCK, type Answer, type Question } from "./script.js";
import { subjectsOf } from "./subjects.js";

/** `npm run test:engines`: more engines, and a million arguments a function in each. */
const ALL = process.env.ENGINES === "all";
const MOST = 1_000_000;
const COUNT = ALL ? MOST : 100_000;
/** Interpreted, it takes a hundred times as long. */
const SLOW_COUNT = ALL ? 20_000 : 2000;
/** After so many numbers, digests are golden: what engines are asked for, and what the lab offers (its settings.ts). */
const GOLDEN_COUNTS = [1000, 2000, 20_000, 100_000, MOST];

const SUBJECTS = Object.keys(subjectsOf());
const script = await bundle();
const node = shell(`Node ${process.versions.node}`, [process.execPath], script);

const questionsOf = (count: number) => SUBJECTS.map((subject): Question => ({ subject, count }));
let answers: Promise<Answer[]> | undefined;
/** Node's digests, of all the arguments that any engine is asked for. */
const nodeDigests = () => (answers ??= node.ask(questionsOf(MOST)));

test("in Node, all is as it always was", async ({ expect }) => {
  const golden = Object.fromEntries(
    (await nodeDigests()).map((digests, i) => {
      const counts = GOLDEN_COUNTS.filter((count) => count <= digests.length * BLOCK);
      if (counts.at(-1) !== digests.length * BLOCK) counts.push(digests.length * BLOCK);
      return [SUBJECTS[i]!, Object.fromEntries(counts.map((count) => [count, digests[count / BLOCK - 1]]))];
    }),
  );
  // A digest that changes makes a new profile. Then, and for more subjects, `npx vitest -u --project engines`.
  await expect(`${JSON.stringify(golden, null, 2)}\n`).toMatchFileSnapshot("golden.json");
});

/** What differs from Node, which should be nothing; prints of how many numbers that is said. */
async function compare(place: Place, count: number): Promise<string[]> {
  const start = performance.now();
  const told = await differences(node, await nodeDigests(), place, questionsOf(count));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(
    `${place.name}: ${SUBJECTS.length} subjects, up to ${count} numbers each, ${told.length} differ; ${seconds} s`,
  );
  return told;
}

/** What is missing is left out, but not in CI. */
const leftOut = (found: unknown) => !found && !process.env.CI;

for (const name of BROWSER_NAMES)
  test
    .skipIf(leftOut(findBrowser(name)))
    .concurrent(`the same in ${name}, in a page and in a worker`, async () => {
      if (!findBrowser(name)) throw new Error(`${name} is missing: ${browserInstall(name)}`);
      await nodeDigests();
      await inBrowser(name, script, async (places) => {
        for (const place of places) expect(await compare(place, COUNT)).toEqual([]);
      });
    });

for (const [name, { start, install, edition }] of Object.entries(
  ALL ? { ...SHELLS, ...MORE_SHELLS } : SHELLS,
))
  test.skipIf(leftOut(start())).concurrent(`the same in ${name}`, async () => {
    const command = start();
    if (!command) throw new Error(`${name} is missing: ${install}`);
    await nodeDigests();
    const place = shell(`${name} (${edition()})`, command, script);
    expect(await compare(place, COUNT)).toEqual([]);
  });

test.concurrent("the same in QuickJS", async () => {
  await nodeDigests();
  expect(await compare(await quickJs(script), SLOW_COUNT)).toEqual([]);
});
