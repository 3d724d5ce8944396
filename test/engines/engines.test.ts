// The same bits in every engine: one script, its digests compared with Node's, and Node's with golden ones.
import { expect, test } from "vitest";
import { BROWSER_NAMES, browserInstall, findBrowser } from "../../scripts/browsers.mjs";
import { MORE_SHELLS, SHELLS } from "../../scripts/shells.mjs";
import golden from "../../scenes/golden.json" with { type: "json" };
import { ALL_SCENES } from "../../scenes/index.js";
import { hashText } from "../../src/state/index.js";
import { FULL } from "../full.js";
import { differences } from "./compare.js";
import { bundle, inBrowser, quickJs, shell, type Place } from "./places.js";
import { BLOCK, type Answer, type Question } from "./script.js";
import { KERNELS, SCENE_BLOCK, SCENE_TICKS, sceneSubject, type KernelsName } from "./scenes.js";
import { subjectsOf } from "./subjects.js";

/** `npm run test:engines`: more engines, and a million arguments a function in each. */
const ALL = process.env.ENGINES === "all";
const MOST = 1_000_000;
/** The first of the same arguments: fewer in `npm test`. */
const COUNT = ALL ? MOST : FULL ? 100_000 : 20_000;
/** Interpreted, it takes a hundred times as long. */
const SLOW_COUNT = ALL ? 20_000 : FULL ? 2000 : 1000;
/** After so many numbers, digests are golden: what engines are asked for, and what the lab offers (its settings.ts). */
const GOLDEN_COUNTS = [1000, 2000, 20_000, 100_000, MOST];

const SUBJECTS = Object.keys(subjectsOf());
const script = await bundle();
const node = shell(`Node ${process.versions.node}`, [process.execPath], script);

const questionsOf = (count: number) => SUBJECTS.map((subject): Question => ({ subject, count }));
/** Two numbers a tick. */
const scenesWith = (kernels: KernelsName, ticks: number) =>
  ALL_SCENES.map(([name]): Question => ({ subject: sceneSubject(name, kernels), count: 2 * ticks }));

/** What every engine is asked, but QuickJS: it is slow, and has no wasm. */
const QUESTIONS = [
  ...questionsOf(COUNT),
  ...scenesWith("wasm", ALL || FULL ? SCENE_TICKS : SCENE_BLOCK),
  ...scenesWith("js", ALL ? SCENE_TICKS : SCENE_BLOCK),
];
const SLOW_QUESTIONS = [...questionsOf(SLOW_COUNT), ...scenesWith("js", SCENE_BLOCK)].filter(
  // The pile of balls alone takes as long as all others.
  ({ subject }) => ALL || FULL || subject !== sceneSubject("balls", "js"),
);

let answers: Promise<Map<string, Answer>> | undefined;
/** Node's digests by subject, of all that any engine is asked for. */
const nodeDigests = () => (answers ??= askNode());

async function askNode(): Promise<Map<string, Answer>> {
  const scenes = KERNELS.flatMap((kernels) => scenesWith(kernels, SCENE_TICKS));
  const questions = [...questionsOf(MOST), ...scenes];
  const digests = await node.ask(questions);
  return new Map(questions.map(({ subject }, i) => [subject, digests[i]!]));
}

test("in Node, all is as it always was", async ({ expect }) => {
  const all = await nodeDigests();
  const recorded = Object.fromEntries(
    SUBJECTS.map((subject) => {
      const digests = all.get(subject)!;
      const counts = GOLDEN_COUNTS.filter((count) => count <= digests.length * BLOCK);
      if (counts.at(-1) !== digests.length * BLOCK) counts.push(digests.length * BLOCK);
      return [subject, Object.fromEntries(counts.map((count) => [count, digests[count / BLOCK - 1]]))];
    }),
  );
  // A digest that changes makes a new profile. Then, and for more subjects, `npx vitest -u --project engines`.
  await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot("golden.json");
});

test("in Node, the scenes' hashes are the golden ones, and so are the digests by either kind of kernels", async () => {
  const all = await nodeDigests();
  for (const [name] of ALL_SCENES) {
    const subject = sceneSubject(name, "wasm");
    expect(all.get(sceneSubject(name, "js")), name).toEqual(all.get(subject));
    const ends = [600, 6000].map((ticks) => ({ subject, count: 2 * ticks, valuesFrom: 2 * ticks - 2 }));
    const hashes = (await node.ask(ends)).map(([a, b]) => hashText([numberOf(a!), numberOf(b!)]));
    expect(hashes, name).toEqual([golden[name]["600"], golden[name]["6000"]]);
  }
});

/** The number with these bits, as the script writes them. */
const numberOf = (bits: string): number => Buffer.from(bits, "hex").readDoubleBE();

/** What differs from Node, which should be nothing; prints of how many numbers that is said. */
async function compare(place: Place, questions: Question[]): Promise<string[]> {
  const start = performance.now();
  const all = await nodeDigests();
  const expected = questions.map(({ subject }) => all.get(subject)!);
  const told = await differences(node, expected, place, questions);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const most = Math.max(...questions.map(({ count }) => count));
  console.log(
    `${place.name}: ${questions.length} subjects, up to ${most} numbers each, ${told.length} differ; ${seconds} s`,
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
        for (const place of places) expect(await compare(place, QUESTIONS)).toEqual([]);
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
    expect(await compare(place, QUESTIONS)).toEqual([]);
  });

test.concurrent("the same in QuickJS", async () => {
  await nodeDigests();
  expect(await compare(await quickJs(script), SLOW_QUESTIONS)).toEqual([]);
});
