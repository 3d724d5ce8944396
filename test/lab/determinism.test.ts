// "Determinism" in a real Chromium: hashes side by side, planted faults, and the output of syncTest.
import type { Page } from "puppeteer-core";
import { expect, test } from "vitest";
import { testScene } from "../../lab/src/determinism/sync.js";
import { sceneOf } from "../../lab/src/scenes/drawable.js";
import { localSession } from "../../src/sim/index.js";
import { hashText } from "../../src/state/index.js";
import { sampleOf } from "../shared/sample.js";
import { testExperiment } from "./any-experiment.js";
import {
  expectSamePictures,
  figureOf,
  figures,
  hashOf,
  numberOf,
  open,
  queryOf,
  read,
  textOf,
  useLab,
} from "./pages.js";

useLab();

testExperiment("#determinism", {
  lanes: 2,
  values: {},
  controls: ["next", "scene", "left", "right", "fault"],
});

const HASHES = '[data-lane="hashes"]';
const SYNC = '[data-lane="sync"]';
const verdictOf = (page: Page) => figureOf(page, HASHES, "verdict");
const rowsOf = (page: Page) =>
  read<string[][]>(
    page,
    `[...document.querySelectorAll(".hashes tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent))`,
  );

async function openUntil(hash: string, state: number): Promise<Page> {
  const page = await open(hash);
  await page.waitForFunction(`/state \\d+/.exec(document.querySelector("#status")?.textContent) &&
    Number(/state (\\d+)/.exec(document.querySelector("#status").textContent)[1]) >= ${state}`);
  await page.click("#pause");
  return page;
}

test("two displays show the same hashes, equal to the session's", async () => {
  const page = await openUntil("#determinism?left=15&right=jitter", 90);
  expect(await verdictOf(page)).toMatch(/^✓ all \d+ equal$/);
  const { simulation, script } = sceneOf("platformer");
  const session = localSession(simulation, { inputs: (players, { tick }) => script(players, tick) });
  const rows = await rowsOf(page);
  expect(rows.length).toBe(6);
  for (const [tick, left, mark, right] of [...rows].reverse()) {
    while (session.tick < Number(tick)) session.advance();
    const hash = hashText(session.hash());
    expect([left, mark, right]).toEqual([hash, "=", hash]);
  }
  const frames = async (lane: string) => Number(await figureOf(page, `[data-lane="${lane}"]`, "frames"));
  expect(await frames("right")).toBeGreaterThan(2.5 * (await frames("left")));
  expect(await figureOf(page, SYNC, "sync")).toBe("✓ deterministic");
});

test.each(sampleOf(["balls", "orbit", "tumble"], 1))("%s: equal hashes on both displays", async (scene) => {
  const page = await openUntil(`#determinism?scene=${scene}`, 30);
  expect(await verdictOf(page)).toMatch(/^✓ all \d+ equal$/);
});

test("Math.random makes the lanes diverge, and the sync test reports tick, field and both values", async () => {
  const page = await openUntil("#determinism?fault=random", 40);
  expect(await verdictOf(page)).toMatch(/^✗ \d+ of \d+ differ, first at tick 30$/);
  expect(await figureOf(page, SYNC, "sync")).toBe("✗ found at tick 30");
  expect(await textOf(page, ".report")).toMatch(
    /^syncTest: platformer is not deterministic: state 30 differs \(rollback\)\.\nplayer\.vx: [\d.]+ ≠ [\d.]+$/,
  );
  expect(await textOf(page, ".planted")).toContain("Math.random()");
});

test("with hidden state the lanes agree, and the sync test prints the same message as in Node", async () => {
  const page = await openUntil("#determinism?fault=hidden", 60);
  expect(await verdictOf(page)).toMatch(/^✓ all \d+ equal$/);
  const result = testScene({ scene: "platformer", left: "30", right: "144", fault: "hidden" });
  expect(result.ok).toBe(false);
  expect(await textOf(page, ".report")).toBe(result.message);
  expect(result.message).toMatch(/player\.vx: /);
});

test("the list plants a fault, puts it in the address, and removes it again", async () => {
  const page = await open("#determinism");
  const setting = '[data-setting="fault"] select';
  await page.waitForSelector(setting);
  await page.select(setting, "Variable dt");
  await expect.poll(async () => (await queryOf(page)).get("fault")).toBe("variable");
  await expect.poll(() => verdictOf(page)).toMatch(/first at tick 1$/);
  expect(await textOf(page, ".report")).toContain("is not deterministic");
  await page.select(setting, "None");
  await expect.poll(() => verdictOf(page)).toMatch(/^✓ all \d+ equal$/);
  expect(await textOf(page, ".report")).toMatch(/^ok: 600 ticks, hash /);
});

test("the key . compares the next state, and a link reproduces the page to the pixel", async () => {
  const page = await openUntil("#determinism?scene=tumble&left=60&right=jitter", 30);
  const stateOf = async () => numberOf((await rowsOf(page))[0]![0]!);
  const before = await stateOf();
  await expect.poll(() => hashOf(page)).toMatch(/at=/);
  const link = await hashOf(page);
  await page.keyboard.press(".");
  expect(await stateOf()).toBeGreaterThan(before);
  expect(await stateOf()).toBeLessThan(before + 6);
  await expect.poll(() => hashOf(page)).not.toBe(link);
  const again = await open(await hashOf(page));
  await again.waitForSelector(".hashes");
  await expect.poll(() => figures(again)).toEqual(await figures(page));
  expect(await rowsOf(again)).toEqual(await rowsOf(page));
  await expectSamePictures(again, page);
});
