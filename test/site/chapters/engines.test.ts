import { expect, test } from "vitest";
import { FLOCK_HASH_EVERY, FLOCK_STEPS, playFlock } from "../../../scenes/flock-recording.js";
import { firstSeenApart, leadersApart, RECORDINGS } from "../../../site/src/chapters/engines/engines.js";
import { Swarms } from "../../../site/src/chapters/engines/model.js";
import * as math from "../../../src/math/index.js";

test("on Math, three engines were recorded, with three results from the first hashes on", () => {
  expect(RECORDINGS.map(({ engine }) => engine)).toEqual(["V8", "SpiderMonkey", "JavaScriptCore"]);
  for (let i = 0; i < FLOCK_STEPS / FLOCK_HASH_EVERY; i++)
    expect(new Set(RECORDINGS.map(({ hashes }) => hashes[i])).size).toBe(3);
  expect(Math.max(...RECORDINGS.map(({ partedAt }) => partedAt))).toBeLessThanOrEqual(19);
});

test("the bits differ after the first step; nobody sees it for 700 steps, then everybody does", () => {
  expect(RECORDINGS.map(({ partedAt }) => partedAt)).toEqual([0, 1, 1]);
  expect(firstSeenApart()).toBeGreaterThan(700);
  expect(firstSeenApart()).toBeLessThan(800);
  expect(leadersApart(700)).toBeLessThan(0.02);
  expect(leadersApart(1050)).toBeGreaterThan(1);
});

test("on tickwise/math, this engine computes the hashes of all recorded ones", () => {
  const { hashes } = playFlock(math);
  const some = hashes.filter((_, i) => (i + 1) % FLOCK_HASH_EVERY === 0);
  for (const { exactHashes } of RECORDINGS) expect(exactHashes).toEqual(some);
});

test("the chapter says so, at any pace, and after a round", () => {
  const broken = new Swarms(false, 7);
  broken.advance(2.5);
  expect(broken.figures().map(({ value }) => value)).toEqual([
    "since step 1",
    `since step ${firstSeenApart()}`,
    `${leadersApart(1050).toFixed(2)} m`,
  ]);
  const early = new Swarms(false, 7);
  early.advance(1.5);
  expect(early.figures()[1]!.value).toBe("not yet");
  for (const pace of [1, 12]) {
    const fixed = new Swarms(true, pace);
    fixed.advance(4);
    expect(fixed.figures()[0]).toMatchObject({ value: "never", isGood: true });
    expect(fixed.figures()[1]!.value).toBe(String((240 * pace) % (FLOCK_STEPS + 1)));
  }
});
