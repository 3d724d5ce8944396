// The models of "Five loops" and "Spiral of death", without a page.
import { Loop, measure } from "tickwise";
import { manualDriver, manualLoop } from "tickwise/testing";
import { describe, expect, test } from "vitest";
import { readAddress, readValues, writeAddress } from "../../lab/src/address.js";
import { Display } from "../../lab/src/display.js";
import { FiveLoops } from "../../lab/src/five-loops/five-loops.js";
import * as fiveLoopsMoment from "../../lab/src/five-loops/moment.js";
import { SETTINGS, type FiveLoopsSettings } from "../../lab/src/five-loops/settings.js";
import { POLICIES } from "../../lab/src/spiral/policies.js";
import * as spiralMoment from "../../lab/src/spiral/moment.js";
import { verdictOf } from "../../lab/src/spiral/verdict.js";
import { Spiral } from "../../lab/src/spiral/spiral.js";
import { exactSpring, spring, stepSpring } from "../../scenes/spring.js";

const VALUES = { rate: 40, fps: 60, jitter: 0, scale: 1 };

function fiveLoopsAfter(frames: number, settings = VALUES) {
  const model = new FiveLoops(settings);
  model.replay([frames]);
  return model;
}

test("the spring's error is small, and a quarter as large at twice the rate", () => {
  const errorAt = (rate: number) => {
    const ball = spring();
    for (let tick = 0; tick < 3 * rate; tick++) stepSpring(ball, 1 / rate);
    return Math.abs(ball.x - exactSpring(3));
  };
  expect(errorAt(60)).toBeLessThan(0.05);
  expect(errorAt(60) / errorAt(120)).toBeCloseTo(4, 0);
});

describe("display", () => {
  const framesOf = (fps: number, jitter: number) => {
    const display = new Display({ fps, jitter });
    return Array.from({ length: 1000 }, () => display.next());
  };

  test("without jitter, frames are even", () => {
    for (const seconds of framesOf(50, 0)) expect(seconds).toBeCloseTo(0.02, 12);
  });

  test("jitter keeps frames in order and within half a frame of their time", () => {
    const frames = framesOf(50, 100);
    expect(Math.min(...frames)).toBeGreaterThan(0);
    expect(Math.max(...frames)).toBeGreaterThan(0.03);
    let time = 0;
    frames.forEach((seconds, index) => {
      time += seconds;
      expect(Math.abs(time - (index + 1) / 50)).toBeLessThanOrEqual(0.01 + 1e-9);
    });
  });

  test("the same settings give the same frames", () => {
    expect(framesOf(50, 70)).toEqual(framesOf(50, 70));
  });

  test("a stall lengthens one frame only", () => {
    const display = new Display({ fps: 50, jitter: 0 });
    display.stall(0.5);
    expect([display.next(), display.next()].map((seconds) => seconds.toFixed(9))).toEqual([
      "0.520000000",
      "0.020000000",
    ]);
  });
});

/** Runs 20 seconds. Returns which lanes are as fast, exact and even as they should be. */
function faultlessLanes(settings: FiveLoopsSettings): boolean[] {
  const { lanes, rounds } = fiveLoopsAfter(settings.fps * 20, settings);
  return lanes.map(
    ({ slip, loop, drift, recent }) =>
      Math.abs(slip) <= loop.dt * rounds + 1e-6 && drift === 0 && recent.unevenness < 1e-6,
  );
}

describe("five loops", () => {
  test("40 Hz on a 60 Hz display: pace, drift and evenness of each lane", () => {
    const { lanes } = fiveLoopsAfter(450);
    expect(lanes.map((lane) => lane.steps)).toEqual([450, 450, 450, 300, 300]);
    expect(lanes.map((lane) => lane.pace.toFixed(2))).toEqual(["1.50", "1.00", "1.00", "1.00", "1.00"]);
    expect(lanes.map((lane) => lane.drift === 0)).toEqual([false, false, false, true, true]);
    expect(lanes.map((lane) => lane.recent.unevenness < 1e-6)).toEqual([true, true, true, false, true]);
    expect(lanes[0]!.recent.distance).toBeGreaterThan(20);
    expect(lanes[4]!.recent.distance).toBeLessThan(0.2);
  });

  test.each([
    { rate: 60, fps: 25, jitter: 0, scale: 1 },
    { rate: 10, fps: 240, jitter: 40, scale: 1 },
    { rate: 240, fps: 5, jitter: 100, scale: 2.5 },
    { rate: 37, fps: 61, jitter: 100, scale: 0.1 },
  ])("only the last lane is faultless on any display: %o", (settings) => {
    expect(faultlessLanes(settings)).toEqual([false, false, false, false, true]);
  });

  test("with four whole steps per frame, splitting frames and the accumulator are faultless, too", () => {
    const settings = { rate: 60, fps: 15, jitter: 0, scale: 1 };
    expect(faultlessLanes(settings)).toEqual([false, false, true, true, true]);
  });

  test("a stall loses the time above the 0.25 s clamp, in every lane", () => {
    const model = fiveLoopsAfter(30);
    model.stall();
    model.frame();
    for (const lane of model.lanes) expect(lane.lostSeconds).toBeCloseTo(0.5 + 1 / 60 - 0.25, 8);
  });

  test("lost time and steps add up over all rounds", () => {
    const model = fiveLoopsAfter(30);
    model.stall();
    model.replay([900]);
    expect(model.rounds).toBe(3);
    expect(model.lanes[4]!.lostSeconds).toBeCloseTo(0.5 + 1 / 60 - 0.25, 8);
    expect(model.lanes[0]!.steps).toBe(930);
  });

  test("a manual step is one step in every lane", () => {
    const model = fiveLoopsAfter(60);
    const before = model.lanes.map((lane) => lane.steps);
    model.step();
    expect(model.lanes.map((lane, index) => lane.steps - before[index]!)).toEqual([1, 1, 1, 1, 1]);
    expect(model.lanes[4]!.drift).toBe(0);
  });

  test("a link reproduces the same state, bit for bit", () => {
    const settings = { ...VALUES, jitter: 80, scale: 1.5 };
    const seen = fiveLoopsAfter(130, settings);
    seen.stall();
    seen.replay([70]);
    seen.step();
    seen.step();
    seen.replay([400]);
    const text = fiveLoopsMoment.writeMoment(seen.events);
    expect(text).toBe("130s70nn400");
    const again = new FiveLoops(settings);
    again.replay(fiveLoopsMoment.readMoment(text));
    const figures = ({ lanes }: FiveLoops) =>
      lanes.map(({ x, exactX, steps, drift }) => [x, exactX, steps, drift]);
    expect(figures(again)).toEqual(figures(seen));
  });

  test("an invalid or overlong moment is the start", () => {
    for (const text of ["", "x", "12x", "-4", "1e9", "99999", "9".repeat(400)])
      expect(fiveLoopsMoment.readMoment(text)).toEqual([]);
  });

  test("the accumulator lanes equal a manual loop with the same frames", () => {
    const settings = { rate: 50, fps: 47, jitter: 100, scale: 1 };
    const { lanes } = fiveLoopsAfter(200, settings);
    const display = new Display(settings);
    const ball = spring();
    const loop = manualLoop({ rate: 50, step: ({ dt }) => stepSpring(ball, dt) });
    for (let frame = 0; frame < 200; frame++) loop.advance(display.next());
    expect(lanes[3]!.steps).toBe(loop.tick);
    expect(lanes[4]!.steps).toBe(loop.tick);
    expect(lanes[3]!.x).toBe(ball.x);
  });
});

describe("spiral", () => {
  test.each(POLICIES)("$name equals a loop on the manual driver's display", ({ id, options, attach }) => {
    const spiral = new Spiral({ cost: 150, rate: 60, fps: 60 });
    for (let time = 0; time < 9; time += 0.017) spiral.advanceTo(time);
    const { seen } = spiral.worlds.find(({ policy }) => policy.id === id)!;

    const driver = manualDriver();
    const loop = new Loop({
      rate: 60,
      ...options,
      step: ({ dt }) => driver.spend(dt * 1.5),
      render: () => {
        if (figures.frames === seen.frames) loop.stop();
      },
    });
    attach?.(loop);
    const figures = measure(loop);
    loop.start(driver);
    driver.display(60, 20);
    const { frames, steps, lostSeconds: lost } = figures;
    expect(seen).toMatchObject({ frames, steps, lost, shownTime: loop.frame.shownTime });
  });

  test("freezes without a limit, and only without", () => {
    const spiral = new Spiral({ cost: 150, rate: 60, fps: 60 });
    spiral.advanceTo(10);
    const rates = spiral.worlds.map((world) => world.frameRate(10));
    expect(rates[0]).toBeLessThan(0.5);
    for (const rate of rates.slice(1)) expect(rate).toBeGreaterThan(2);
  });

  test("figures and verdicts show that the loop without a limit is the worst", () => {
    const spiral = new Spiral({ cost: 150, rate: 60, fps: 60 });
    for (let tenths = 50; tenths <= 300; tenths++) {
      const now = tenths / 10;
      spiral.advanceTo(now);
      const [unlimited, ...limited] = spiral.worlds;
      for (const world of limited) {
        expect(unlimited!.longestFreeze(now)).toBeGreaterThan(3 * world.longestFreeze(now));
        expect(unlimited!.frameRate(now)).toBeLessThan(world.frameRate(now));
        expect(unlimited!.owed(now)).toBeGreaterThan(world.owed(now));
        expect(verdictOf(world, now).isFrozen).toBe(false);
      }
      expect(verdictOf(unlimited!, now)).toMatchObject({ isGood: false });
    }
    const { frameTime } = spiral.tops;
    expect(frameTime).toBeGreaterThan(5);
    expect(Math.max(...spiral.samples[0]!.frameTime)).toBeGreaterThan(frameTime - 1);
    expect(spiral.worlds.map((world) => verdictOf(world, 30).isGood)).toEqual([
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test("a machine that keeps up is playable at full speed under every policy", () => {
    const spiral = new Spiral({ cost: 60, rate: 60, fps: 75 });
    spiral.advanceTo(5);
    for (const world of spiral.worlds)
      expect(verdictOf(world, 5)).toEqual({
        isGood: true,
        isFrozen: false,
        text: "Playable, at full speed",
      });
  });

  test("a fast machine loses no time until a heavy second; then debt is paid back", () => {
    const spiral = new Spiral({ cost: 60, rate: 60, fps: 75 });
    spiral.advanceTo(3);
    expect(spiral.worlds.map(({ seen }) => seen.lost)).toEqual([0, 0, 0, 0, 0, 0]);
    spiral.addHeavySecond();
    spiral.advanceTo(4.5);
    const [drop, catchUp] = spiral.worlds.slice(4);
    expect(drop!.seen.lost).toBeGreaterThan(0.2);
    expect(Math.max(...spiral.samples[5]!.owed)).toBeGreaterThan(0.2);
    spiral.advanceTo(8);
    expect(catchUp!.owed(8)).toBeLessThan(0.05);
    expect(catchUp!.seen.lost).toBeLessThan(drop!.seen.lost);
  });

  test("the length of the page's frames changes nothing", () => {
    const once = new Spiral({ cost: 110, rate: 50, fps: 60 });
    const often = new Spiral({ cost: 110, rate: 50, fps: 60 });
    once.advanceTo(5);
    for (let time = 0; time < 5; time += 0.0137) often.advanceTo(time);
    often.advanceTo(5);
    expect(often.worlds.map(({ seen }) => seen)).toEqual(once.worlds.map(({ seen }) => seen));
  });

  test("writes and reads a moment; an invalid one is the start", () => {
    expect(spiralMoment.writeMoment([3.2], 12.34)).toBe("3.2h12.34");
    expect(spiralMoment.readMoment("3.2h12.34")).toEqual([3.2, 12.34]);
    for (const text of ["", "x", "12h3", "999", "1h2h", "-1"])
      expect(spiralMoment.readMoment(text)).toEqual([]);
  });
});

describe("address", () => {
  test("round-trips settings", () => {
    const values = { rate: 25, fps: 144, jitter: 30, scale: 0.35 };
    const { experiment, query } = readAddress(writeAddress("five-loops", values, "12s3"));
    expect(experiment).toBe("five-loops");
    expect(readValues(SETTINGS, query)).toEqual(values);
    expect(query.get("at")).toBe("12s3");
  });

  test("replaces invalid values with defaults, and clamps others to their range", () => {
    const { query } = readAddress("#five-loops?rate=banana&fps=99999&jitter=-5&scale=");
    expect(readValues(SETTINGS, query)).toEqual({ rate: 40, fps: 240, jitter: 0, scale: 1 });
  });
});
