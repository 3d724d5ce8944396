// Every engine computes the same bits: the digests of one script are compared with Node's, and Node's with golden ones.
import { expect, test } from "vitest";
import { BROWSER_NAMES, browserInstall, findBrowser } from "../../scripts/browsers.mjs";
import { MORE_SHELLS, SHELLS } from "../../scripts/shells.mjs";
import goldenScenes from "../../scenes/golden.json" with { type: "json" };
import { ALL_SCENES } from "../../scenes/index.js";
import { hashText } from "../../src/state/index.js";
import { FULL } from "../full.js";
import { sampleOf } from "../shared/sample.js";
import { differences } from "./compare.js";
import { bundle, inBrowser, quickJs, shell, type Runtime } from "./runtimes.js";
import golden from "./golden.json" with { type: "json" };
import { BLOCK, type Answer, type Question } from "./script.js";
import { KERNELS, SCENE_BLOCK, SCENE_TICKS, sceneSubject, type KernelsName } from "./scenes.js";
import { subjectsOf } from "./subjects.js";

/** `npm run test:engines`: more engines, and a million arguments per function. */
const ALL = process.env.ENGINES === "all";
const MAX_COUNT = 1_000_000;
/** Arguments per function; fewer in `npm test`. */
const COUNT = ALL ? MAX_COUNT : FULL ? 100_000 : 5000;
/** An interpreter takes a hundred times as long. */
const SLOW_COUNT = ALL ? 20_000 : FULL ? 2000 : 1000;
/** What Node computes itself: all that has golden digests, but in `npm test` only the first of them. */
const NODE_COUNT = ALL || FULL ? MAX_COUNT : 20_000;
const NODE_TICKS = ALL || FULL ? SCENE_TICKS : SCENE_BLOCK;
/** The counts with golden digests: those of these tests, and those that the lab offers (its settings.ts). */
const GOLDEN_COUNTS = [1000, 2000, 20_000, 100_000, MAX_COUNT];

const SUBJECTS = Object.keys(subjectsOf());
const script = await bundle();
const node = shell(`Node ${process.versions.node}`, [process.execPath], script);

const questionsOf = (count: number) => SUBJECTS.map((subject): Question => ({ subject, count }));
/** Each tick has two numbers. */
const scenesWith = (kernels: KernelsName, ticks: number) =>
  ALL_SCENES.map(([name]): Question => ({ subject: sceneSubject(name, kernels), count: 2 * ticks }));

/** For all engines but QuickJS, which is slow and has no WebAssembly. */
const QUESTIONS = [
  ...questionsOf(COUNT),
  ...scenesWith("wasm", ALL || FULL ? SCENE_TICKS : SCENE_BLOCK),
  ...scenesWith("js", ALL ? SCENE_TICKS : SCENE_BLOCK),
];
/** For a worker, whose engine is that of the page. */
const WORKER_QUESTIONS = ALL ? QUESTIONS : sampleOf(QUESTIONS, 12);
const SLOW_SCENES = scenesWith("js", SCENE_BLOCK);
const SLOW_QUESTIONS = [
  ...questionsOf(SLOW_COUNT),
  // The pile of balls alone takes as long as all other scenes.
  ...(ALL
    ? SLOW_SCENES
    : sampleOf(SLOW_SCENES, 2).filter(({ subject }) => FULL || subject !== sceneSubject("balls", "js"))),
];

let answers: Promise<Map<string, Answer>> | undefined;
/** Node's digests of all subjects, computed once. */
const nodeDigests = () => (answers ??= askNode());

async function askNode(): Promise<Map<string, Answer>> {
  const scenes = KERNELS.flatMap((kernels) => scenesWith(kernels, NODE_TICKS));
  const questions = [...questionsOf(NODE_COUNT), ...scenes];
  const digests = await node.ask(questions);
  return new Map(questions.map(({ subject }, i) => [subject, digests[i]!]));
}

test("Node's digests are the golden ones", async ({ expect }) => {
  const all = await nodeDigests();
  const recorded = Object.fromEntries(
    SUBJECTS.map((subject) => {
      const digests = all.get(subject)!;
      const counts = GOLDEN_COUNTS.filter((count) => count <= digests.length * BLOCK);
      if (counts.at(-1) !== digests.length * BLOCK) counts.push(digests.length * BLOCK);
      return [subject, Object.fromEntries(counts.map((count) => [count, digests[count / BLOCK - 1]]))];
    }),
  );
  if (NODE_COUNT < MAX_COUNT) {
    const known: Record<string, Record<string, string>> = golden;
    expect(Object.keys(known)).toEqual(SUBJECTS);
    for (const subject of SUBJECTS) expect(known[subject], subject).toMatchObject(recorded[subject]!);
    return;
  }
  // A changed digest requires a new profile. Then, and for new subjects, run
  // `TEST_FULL=yes npx vitest run --project engines -u`.
  await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot("golden.json");
});

test("Node's hashes of scenes are the golden ones, and both kinds of kernels agree", async () => {
  const all = await nodeDigests();
  for (const [name] of ALL_SCENES) {
    const subject = sceneSubject(name, "wasm");
    expect(all.get(sceneSubject(name, "js")), name).toEqual(all.get(subject));
    const ticks = [600, 6000].filter((each) => each <= NODE_TICKS);
    const ends = ticks.map((tick) => ({ subject, count: 2 * tick, valuesFrom: 2 * tick - 2 }));
    const hashes = (await node.ask(ends)).map(([a, b]) => hashText([numberOf(a!), numberOf(b!)]));
    const recorded: Record<string, string> = goldenScenes[name];
    expect(hashes, name).toEqual(ticks.map((tick) => recorded[tick]));
  }
});

/** The number with these bits, in hexadecimal. */
const numberOf = (bits: string): number => Buffer.from(bits, "hex").readDoubleBE();

/** Returns the differences from Node. Also prints how many numbers were compared. */
async function compare(runtime: Runtime, questions: Question[]): Promise<string[]> {
  const start = performance.now();
  const all = await nodeDigests();
  const expected = questions.map(({ subject }) => all.get(subject)!);
  const found = await differences(node, expected, runtime, questions);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const max = Math.max(...questions.map(({ count }) => count));
  console.log(
    `${runtime.name}: ${questions.length} subjects, up to ${max} numbers each, ${found.length} differ; ${seconds} s`,
  );
  return found;
}

/** Missing engines are skipped, except in CI. */
const isSkipped = (found: unknown) => !found && !process.env.CI;

for (const name of BROWSER_NAMES)
  test
    .skipIf(isSkipped(findBrowser(name)))
    .concurrent(`the same bits in ${name}, in a page and in a worker`, async () => {
      if (!findBrowser(name)) throw new Error(`${name} is missing: ${browserInstall(name)}`);
      await nodeDigests();
      await inBrowser(name, script, async (runtimes) => {
        for (const [i, runtime] of runtimes.entries())
          expect(await compare(runtime, i === 0 ? QUESTIONS : WORKER_QUESTIONS)).toEqual([]);
      });
    });

for (const [name, { start, install, edition }] of Object.entries(
  ALL ? { ...SHELLS, ...MORE_SHELLS } : SHELLS,
))
  test.skipIf(isSkipped(start())).concurrent(`the same bits in ${name}`, async () => {
    const command = start();
    if (!command) throw new Error(`${name} is missing: ${install}`);
    await nodeDigests();
    const runtime = shell(`${name} (${edition()})`, command, script);
    expect(await compare(runtime, QUESTIONS)).toEqual([]);
  });

test.concurrent("the same bits in QuickJS", async () => {
  await nodeDigests();
  expect(await compare(await quickJs(script), SLOW_QUESTIONS)).toEqual([]);
});
