import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { Loop, ramp, slowMotion, type LoopOptions } from "../index.js";
import { semiFixed } from "./stepping.js";
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

test.each([240, 144, 60, 30, 20, 10, 5, 4])(
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

describe("a hit-stop shorter than the rest of its frame", () => {
  /** Calls `hit` in step 3 of a frame of 0.25 s, which has 15 steps. */
  const hitIn3 = (hit: (loop: Loop) => void, options: Partial<LoopOptions> = {}) => {
    const loop: Loop = new Loop({ rate: 60, step: ({ tick }) => void (tick === 3 && hit(loop)), ...options });
    loop.advance(0.25);
    return loop;
  };
  const freeze = (loop: Loop) => loop.hitStop(0.1);

  test("begins right after its step, and the frame continues after it", () => {
    let delta = 0;
    const loop = hitIn3(freeze, { render: (info) => void (delta = info.delta) });
    // Four steps, six that are frozen, and five more.
    expect([loop.tick, loop.overstep, loop.speed, loop.stats.lostSeconds]).toEqual([9, 0, 1, 0]);
    expect(delta).toBeCloseTo(0.15, 12);
    expect(loop.stats.effectiveSpeed).toBeCloseTo(0.6, 12);
  });

  test("ends between two steps", () => {
    const loop = hitIn3((hit) => hit.hitStop(0.02));
    // 0.23 s: 13.8 steps.
    expect(loop.tick).toBe(13);
    expect(loop.overstep).toBeCloseTo(0.8 / 60, 15);
    loop.advance(0.1);
    expect(loop.tick).toBe(19);
  });

  test("is the longer one of two in a step, and each of two in different steps", () => {
    const both = (loop: Loop) => {
      loop.hitStop(0.05);
      loop.hitStop(0.1);
      expect([loop.speed, loop.due]).toEqual([0, 1]);
    };
    expect(hitIn3(both).tick).toBe(9);
    const loop: Loop = new Loop({
      rate: 60,
      step: ({ tick }) => void (tick % 4 === 3 && loop.hitStop(0.05)),
    });
    loop.advance(0.25);
    // 4 + 3 frozen + 4 + 3 frozen + 1.
    expect(loop.tick).toBe(9);
  });

  test("counts real time at any speed, also if the step changes it", () => {
    const at = (scale: number, hit: (loop: Loop) => void) => {
      const loop: Loop = new Loop({ rate: 60, step: ({ tick }) => void (tick === 3 && hit(loop)) });
      loop.timeScale = scale;
      loop.advance(0.25);
      return loop.tick;
    };
    expect(at(2, freeze)).toBe(18);
    expect(at(0.8, (loop) => loop.hitStop(0.0625))).toBe(9);
    const hitAndSet = (scale: number) => (loop: Loop) => {
      loop.timeScale = scale;
      loop.hitStop(0.1);
    };
    expect(at(1, hitAndSet(0.1))).toBe(9);
    expect(at(1, hitAndSet(0))).toBe(9);
  });

  test("in a frame whose ramp ends at 0", () => {
    const loop: Loop = new Loop({ rate: 60, step: ({ tick }) => void (tick === 1 && loop.hitStop(0.05)) });
    loop.timeScale = ramp(0, 0.2);
    loop.advance(0.25);
    // 6 steps in 0.25 s, so 1.2 of them are frozen.
    expect([loop.tick, loop.speed]).toEqual([4, 0]);
  });

  test("around a step, from listeners", () => {
    for (const event of ["beforeStep", "step", "afterStep"] as const) {
      const loop = new Loop({ rate: 60 });
      loop.on(event, ({ tick }) => void (tick === 3 && loop.hitStop(0.1)));
      loop.advance(0.25);
      expect(loop.tick, event).toBe(9);
    }
  });

  test("comes before the limits of the frame", () => {
    const limited = hitIn3(freeze, { maxSteps: 5 });
    expect([limited.tick, limited.stats.lostSeconds]).toEqual([5, 4 / 60]);
    const owing = hitIn3(freeze, { maxSteps: 5, overload: { catchUp: 1 } });
    expect([owing.tick, owing.debt]).toEqual([5, 4 / 60]);
    const long = hitIn3((loop) => loop.hitStop(0.2), { maxSteps: 5 });
    expect([long.tick, long.stats.lostSeconds, long.speed]).toEqual([4, 0, 0]);
  });

  test("waits for a pause, and for steps that are forced", () => {
    for (const hit of [
      (loop: Loop) => (loop.pause(), loop.hitStop(0.1)),
      (loop: Loop) => (loop.hitStop(0.1), loop.pause()),
    ]) {
      const loop = hitIn3(hit);
      loop.resume();
      loop.advance(0.15);
      expect(loop.tick).toBe(4 + 3);
    }
    const forced: Loop = new Loop({ rate: 60, step: ({ tick }) => void (tick === 3 && forced.hitStop(0.1)) });
    forced.runSteps(10);
    expect(forced.tick).toBe(10);
    forced.advance(0.15);
    expect(forced.tick).toBe(13);
  });

  test("with another stepping", () => {
    const loop = hitIn3((hit) => hit.hitStop(0.11), { stepping: semiFixed() });
    expect(loop.time).toBeCloseTo(0.14, 8);
    expect(loop.tick).toBe(9);
  });
});

test.each([
  ["60 Hz", {}],
  ["60 Hz, limited", { maxSteps: 4 }],
  ["60 Hz, with debt", { maxSteps: 4, overload: { catchUp: 0.1 } }],
  ["29.97 Hz", { rate: [30_000, 1001] }],
  ["144 Hz", { rate: 144 }],
] as [string, Partial<LoopOptions>][])("%s: no time is lost or invented by hit-stops", (_name, options) => {
  let seed = 1;
  const random = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let run = 0; run < 100; run++) {
    let [given, frozen] = [0, 0];
    const hit = () => {
      if (random() > 0.1) return;
      const length = Math.floor(random() * random() * 3e8);
      frozen += length;
      loop.hitStop(length / 1e9);
    };
    const loop = new Loop({ rate: 60, step: hit, ...options });
    const advance = (length: number) => {
      given += length;
      loop.advance(length / 1e9);
    };
    for (let frame = 0; frame < 100; frame++) advance(Math.floor(random() * random() * 2.4e8));
    while (loop.speed === 0) advance(1e6);
    const { time, overstep, debt, stats } = loop;
    // Exact but for the rounding of these sums.
    expect(time + overstep + debt + stats.lostSeconds).toBeCloseTo((given - frozen) / 1e9, 10);
    expect(frozen).toBeGreaterThan(0);
  }
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
    expect(() => slowMotion(0.3, 0.3, { easeIn: 0.1, easeOut: 0.200000001 })).toThrow(
      errorWith("bad-value", "seconds − easeIn (0.2)"),
    );
    expect(() => slowMotion(0.3, 0.3, { easeIn: 0.300000001 })).toThrow(errorWith("bad-value", "easeIn"));
    expect(() => slowMotion(0.3, 0.3, { easeIn: "0.1" as never })).toThrow(errorWith("bad-value", "easeIn"));
    expect(() => slowMotion(0.5, 1, { ease: 1 } as never)).toThrow(errorWith("unknown-option"));
    expect(() => ramp(0.5, 1, "ease" as never)).toThrow(errorWith("bad-value", "ramp: easing must be"));
    expect(() => ramp(0.5, 1, "toString" as never)).toThrow(errorWith("bad-value"));
  });
});
