import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { Loop, ramp, slowMotion } from "../index.js";
import { manualDriver } from "../testing/index.js";

test("steps stop for exactly the time of a hit-stop, and frames go on", () => {
  let frames = 0;
  const loop = new Loop({ rate: 60, render: () => void frames++ });
  for (let i = 0; i < 60; i++) loop.advance(1 / 60);
  loop.hitStop(0.1);
  expect([loop.speed, loop.timeScale]).toEqual([0, 1]);
  for (let i = 0; i < 6; i++) loop.advance(1 / 60);
  expect([loop.tick, frames, loop.speed]).toEqual([60, 66, 1]);
  for (let i = 0; i < 54; i++) loop.advance(1 / 60);
  expect(loop.tick).toBe(114);
  expect(loop.stats.lostSeconds).toBe(0);
  expect(loop.stats.effectiveSpeed).toBeCloseTo(1.9 / 2, 12);
});

test.each([240, 144, 60, 30, 20, 10])(
  "in a step at %d fps, the hit's own step is the last one before it",
  (fps) => {
    const ticks: string[] = [];
    let frame = 0;
    const loop = new Loop({
      rate: 60,
      step({ tick }) {
        ticks.push(`${tick} ${frame}`);
        if (tick === 30) loop.hitStop(0.2);
      },
    });
    for (frame = 1; frame <= fps; frame++) loop.advance(1 / fps);
    // One second, of which 0.2 s stood still, whatever the frame rate.
    expect(loop.tick).toBe(48);
    const hit = ticks.find((text) => text.startsWith("30 "))!;
    const next = ticks.find((text) => text.startsWith("31 "))!;
    const apart = (Number(next.split(" ")[1]) - Number(hit.split(" ")[1])) / fps;
    expect(Math.abs(apart - 0.2 - 1 / 60)).toBeLessThanOrEqual(1 / fps + 1e-9);
    expect(loop.stats.lostSeconds).toBe(0);
  },
);

test("a hit-stop shorter than the rest of a frame begins after the frame", () => {
  const loop = new Loop({
    rate: 60,
    step({ tick }) {
      if (tick === 0) loop.hitStop(0.02);
    },
  });
  loop.advance(0.1);
  expect(loop.tick).toBe(6);
  loop.advance(0.1);
  // 80 ms of it.
  expect(loop.tick).toBe(10);
});

test("in a plain frame and with display pacing, no time is lost or invented", () => {
  const driver = manualDriver();
  const loop = new Loop({
    rate: 60,
    driver,
    pacing: "display",
    step({ tick }) {
      if (tick % 60 === 59) loop.hitStop(0.25);
    },
  });
  loop.start();
  driver.display(60, 10);
  // Each second of the game takes 1.25 s.
  expect(Math.abs(loop.tick - 480)).toBeLessThanOrEqual(1);
  expect(loop.stats.lostSeconds).toBe(0);
});

test("timestampOf knows about hit-stops and slow motion", () => {
  const driver = manualDriver();
  const loop = new Loop({ rate: 50, driver });
  loop.start();
  driver.play([1000, 1050]);
  expect(loop.timestampOf(10)).toBe(1220);
  loop.hitStop(0.1);
  expect(loop.timestampOf(10)).toBe(1320);
  loop.timeScale = slowMotion(0.5, 0.2);
  // 0.1 s of 0.17 s in slow motion, then at full speed.
  expect(loop.timestampOf(10)).toBeCloseTo(1050 + 100 + 200 + 70, 9);
});

test("reset ends a hit-stop", () => {
  const loop = new Loop({ rate: 60 });
  loop.hitStop(10);
  loop.reset();
  loop.advance(0.1);
  expect(loop.tick).toBe(6);
});

describe("rejects", () => {
  const loop = new Loop({ rate: 60 });

  test.each([undefined, "0.1", -1, NaN, Infinity, 3601])("hitStop(%s)", (seconds) => {
    expect(() => loop.hitStop(seconds as number)).toThrow(errorWith("bad-value", "Loop.hitStop: seconds"));
    expect(loop.speed).toBe(1);
  });

  test("slow motion whose parts are longer than the whole", () => {
    expect(() => slowMotion(0.5, 1, { easeIn: 0.6, easeOut: 0.6 })).toThrow(
      errorWith(
        "bad-value",
        "slowMotion: easeOut must be a number from 0 to seconds − easeIn (0.4), got 0.6.",
      ),
    );
    expect(() => slowMotion(0.5, 1, { ease: 1 } as never)).toThrow(errorWith("unknown-option"));
    expect(() => ramp(0.5, 1, "ease" as never)).toThrow(errorWith("bad-value", "ramp: easing must be"));
    expect(() => ramp(0.5, 1, "toString" as never)).toThrow(errorWith("bad-value"));
  });
});
