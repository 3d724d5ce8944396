import { describe, expect, test, vi } from "vitest";
import { ramp } from "../time/index.js";
import { manualDriver, manualLoop } from "../testing/index.js";
import type { FrameInfo, StepInfo } from "./info.js";
import { Loop } from "./loop.js";
import type { LoopOptions } from "./options.js";
import { onePerFrame, semiFixed, variable } from "./stepping.js";

const times = (count: number, run: () => void) => {
  for (let i = 0; i < count; i++) run();
};

/** Creates a loop that logs its calls. */
function recorded(options: Partial<ConstructorParameters<typeof Loop>[0]> = {}) {
  const steps: StepInfo[] = [];
  const frames: FrameInfo[] = [];
  const loop = new Loop({
    rate: 60,
    ...options,
    step: (info) => void steps.push({ ...info }),
    render: (info) => void frames.push({ ...info }),
  });
  return { loop, steps, frames };
}

describe("exact time", () => {
  test("24 hours of 1 / 144 s frames at 60 Hz run exactly 5,184,000 steps", () => {
    const loop = new Loop({ rate: 60 });
    times(24 * 3600 * 144, () => loop.advance(1 / 144));
    expect(loop.tick).toBe(5_184_000);
  });

  test("rounds time to nanoseconds, so a frame of exactly one step may fall short by a third of one", () => {
    const loop = new Loop({ rate: 60 });
    const ticks = Array.from({ length: 6 }, () => (loop.advance(1 / 60), loop.tick));
    expect(ticks).toEqual([1, 1, 3, 4, 4, 6]);
  });

  test("10 s at a time scale of 0.3 and 60 Hz run exactly 180 steps", () => {
    const loop = new Loop({ rate: 60, timeScale: 0.3 });
    times(600, () => loop.advance(1 / 60));
    expect(loop.tick).toBe(180);
  });

  test("time is tick / rate, computed and never summed", () => {
    const { loop, steps } = recorded({ rate: [60000, 1001] });
    loop.runSteps(1000);
    for (const { tick, dt, time } of steps) expect([dt, time]).toEqual([1001 / 60000, (tick * 1001) / 60000]);
    expect(loop.time).toBe((1000 * 1001) / 60000);
  });

  test("alpha is the overstep divided by dt", () => {
    const { loop, frames } = recorded({ rate: 10 });
    loop.advance(0.25);
    expect(frames[0]).toEqual({
      alpha: 0.5,
      tick: 2,
      steps: 2,
      shownTime: 0.15,
      delta: 0.25,
      realDelta: 0.25,
    });
    expect([loop.overstep, loop.alpha]).toEqual([0.05, 0.5]);
  });

  test("counts frames with zero or negative time, and simulates nothing", () => {
    const { loop, frames } = recorded();
    for (const seconds of [0, -1, -1e-9]) loop.advance(seconds);
    expect(loop.stats.framesWithoutTime).toBe(3);
    expect(frames.map(({ delta, realDelta, steps }) => [delta, realDelta, steps])).toEqual(times3([0, 0, 0]));
    expect(loop.overstep).toBe(0);
  });

  test.each([NaN, Infinity, -Infinity, 1e300, "1", undefined, null, 1n])(
    "%s is a clear error, and the loop lives on",
    (seconds) => {
      const loop = new Loop({ rate: 60 });
      loop.advance(0.01);
      expect(() => loop.advance(seconds as number)).toThrow(
        /^Loop\.advance: seconds must be a number from -4000000 to 4000000, got /,
      );
      loop.advance(0.01);
      expect([loop.tick, loop.stats.frames]).toEqual([1, 2]);
    },
  );
});

const times3 = <T>(value: T): T[] => [value, value, value];

describe("frames", () => {
  test("shown time never runs backwards, and starts at 0", () => {
    const shown: number[] = [];
    const loop = new Loop({ rate: 60, maxSteps: 2, render: ({ shownTime }) => void shown.push(shownTime) });
    const random = seeded(7);
    times(2000, () => {
      if (random() < 0.1) loop.timeScale = random() * 2;
      if (random() < 0.05) loop.runSteps();
      loop.advance(random() * 0.06 - 0.01);
    });
    expect(Math.min(...shown)).toBeGreaterThanOrEqual(0);
    for (let i = 1; i < shown.length; i++) expect(shown[i]).toBeGreaterThanOrEqual(shown[i - 1]!);
  });

  test("while paused, realDelta goes on for menus and delta is 0", () => {
    const { loop, frames, steps } = recorded();
    loop.pause();
    loop.advance(0.5);
    expect(frames[0]).toMatchObject({ delta: 0, realDelta: 0.5, steps: 0 });
    loop.resume();
    loop.advance(0.01);
    expect(steps).toHaveLength(0);
    expect(loop.overstep).toBe(0.01);
  });

  test("delta is scaled and clamped, realDelta is neither", () => {
    const { loop, frames } = recorded({ timeScale: 0.5 });
    loop.advance(2);
    expect(frames[0]).toMatchObject({ delta: 0.125, realDelta: 2 });
  });

  test("reuses the info objects", () => {
    const seen = new Set<unknown>();
    const loop = new Loop({
      rate: 60,
      step: (info) => void seen.add(info),
      render: (info) => void seen.add(info),
    });
    times(10, () => loop.advance(0.02));
    expect(seen.size).toBe(2);
  });

  test("calls callbacks as methods of the options", () => {
    class Game {
      rate = 60;
      steps = 0;
      step() {
        this.steps++;
      }
    }
    const game = new Game();
    new Loop(game).runSteps(3);
    expect(game.steps).toBe(3);
  });
});

describe("overload", () => {
  test("a 5 s stall drops the time beyond maxFrameTime and reports it exactly", () => {
    const loop = manualLoop({ rate: 60, maxFrameTime: 0.25 });
    const overloads: unknown[] = [];
    loop.on("overload", (info) => void overloads.push({ ...info }));
    loop.advance(5);
    expect(loop.stats.steps).toBe(15);
    expect(loop.stats.lostSeconds).toBe(4.75);
    expect(loop.alpha).toBeLessThan(1);
    expect(overloads).toEqual([{ tick: 15, lost: 4.75, debt: 0, clamped: 4.75, skipped: 0 }]);
  });

  test("drop loses whole steps and keeps the fraction", () => {
    const loop = new Loop({ rate: 10, maxSteps: 1 });
    loop.advance(0.25);
    expect([loop.tick, loop.overstep, loop.stats.lostSeconds]).toEqual([1, 0.05, 0.1]);
  });

  test("after 60 s at 10 fps, returns to one step per frame at once", () => {
    const { loop, frames } = recorded({ maxSteps: 4 });
    times(600, () => loop.advance(0.1));
    frames.length = 0;
    times(60, () => loop.advance(1 / 60));
    for (const { steps } of frames) expect(steps).toBeLessThanOrEqual(2);
    expect(frames.reduce((sum, { steps }) => sum + steps, 0)).toBeLessThanOrEqual(61);
  });

  test("catchUp keeps debt up to its bound, loses the rest, and pays back within maxFrameTime", () => {
    const loop = new Loop({ rate: 60, maxFrameTime: 0.1, overload: { catchUp: 0.5 } });
    loop.advance(3);
    expect([loop.tick, loop.debt, loop.stats.lostSeconds]).toEqual([6, 0.5, 2.4]);
    const before = loop.tick;
    times(6, () => loop.advance(1 / 60));
    // 0.1 s per frame, including its own sixtieth.
    expect(loop.tick - before).toBe(36);
    expect(loop.debt).toBe(0);
  });

  test("does not pay debt at scale 0 or while paused", () => {
    const loop = new Loop({ rate: 60, overload: { catchUp: 1 } });
    loop.advance(1);
    const { tick, debt } = loop;
    loop.timeScale = 0;
    loop.advance(0.1);
    loop.timeScale = 1;
    loop.pause();
    loop.advance(0.1);
    expect([loop.tick, loop.debt]).toEqual([tick, debt]);
  });

  test("effective speed is continuous in frame time, without a cliff", () => {
    for (const policy of [{}, { maxSteps: 4 }, { maxFrameTime: 0.05 }, { overload: { catchUp: 0.3 } }]) {
      const speed = (frameTime: number) => {
        const loop = new Loop({ rate: 60, ...policy });
        const frames = Math.ceil(60 / frameTime);
        times(frames, () => loop.advance(frameTime));
        return loop.stats.effectiveSpeed;
      };
      let before = speed(0.001);
      for (let frameTime = 0.002; frameTime < 1; frameTime *= 1.02) {
        const now = speed(frameTime);
        expect(now).toBeLessThanOrEqual(1 + 1e-12);
        expect(Math.abs(now - before), `at ${frameTime} s with ${JSON.stringify(policy)}`).toBeLessThan(0.05);
        before = now;
      }
    }
  });

  test("a lower catchUp loses exactly the debt beyond it", () => {
    const loop = new Loop({ rate: 60, overload: { catchUp: 2 } });
    loop.advance(1.25);
    expect(loop.debt).toBe(1);
    loop.configure({ overload: { catchUp: 0.25 } });
    expect([loop.debt, loop.stats.lostSeconds]).toEqual([0.25, 0.75]);
    loop.configure({ overload: "drop" });
    expect([loop.debt, loop.stats.lostSeconds]).toEqual([0, 1]);
  });

  test("the rate can change before the first frame and after a reset", () => {
    const loop = new Loop({ rate: 60 });
    loop.configure({ rate: 30 });
    expect([loop.rate, loop.dt]).toEqual([[30, 1], 1 / 30]);
    loop.runSteps();
    loop.reset();
    loop.configure({ rate: 50 });
    expect(loop.dt).toBe(0.02);
  });
});

describe("a step that costs 1.5 × dt", () => {
  const COST = 1.5 / 60;

  /** Runs ten seconds on a 60 Hz display. Returns frames per second, effective speed and lost seconds of the last five. */
  function suffer(policy: ConstructorParameters<typeof Loop>[0] extends infer O ? Partial<O> : never) {
    const driver = manualDriver();
    const loop = new Loop({ rate: 60, ...policy, driver, step: () => driver.spend(COST) });
    loop.start();
    driver.display(60, 5);
    const { frames, lostSeconds } = loop.stats;
    const { tick } = loop;
    const start = driver.time;
    driver.display(60, 5);
    const seconds = (driver.time - start) / 1000;
    return {
      fps: Math.round((loop.stats.frames - frames) / seconds),
      speed: Number(((loop.tick - tick) / 60 / seconds).toFixed(2)),
      lost: Number(((loop.stats.lostSeconds - lostSeconds) / seconds).toFixed(2)),
      debt: loop.debt,
    };
  }

  test("with the clamp alone, the spiral ends at 2.6 frames per second", () => {
    expect(suffer({})).toEqual({ fps: 3, speed: 0.65, lost: 0.35, debt: 0 });
  });
  test("a tighter clamp keeps the frame rate proportionally higher", () => {
    expect(suffer({ maxFrameTime: 0.05 })).toMatchObject({ fps: 12, speed: 0.6 });
  });
  test("maxSteps keeps the frame rate up", () => {
    expect(suffer({ maxSteps: 1 })).toMatchObject({ fps: 30, speed: 0.5, lost: 0.5 });
  });
  test("stepBudget predicts the cost and runs one step per frame", () => {
    expect(suffer({ stepBudget: 0.012 })).toMatchObject({ fps: 30, speed: 0.5, lost: 0.5 });
  });
  test("with catchUp, debt stays at its bound and frames stay at the clamp", () => {
    const { debt, ...rest } = suffer({ overload: { catchUp: 0.5 } });
    expect(rest).toEqual({ fps: 3, speed: 0.65, lost: 0.35 });
    expect(debt).toBeCloseTo(0.5);
  });
  test("with a step budget, debt does not cause a spiral", () => {
    expect(suffer({ stepBudget: 0.012, overload: { catchUp: 0.5 } })).toMatchObject({ fps: 30, speed: 0.5 });
  });
  test("60 on 60 comes as 1-0-2 without display pacing: a budget of one step loses the third, unless it may be owed", () => {
    const lost = (options: Partial<LoopOptions>) => {
      const loop = manualLoop({
        rate: 60,
        stepBudget: 0.012,
        ...options,
        step: ({ dt }) => loop.driver.spend(dt / 2),
      });
      for (let frame = 0; frame <= 600; frame++) loop.driver.play([(frame * 1000) / 60]);
      return loop.stats.lostSeconds;
    };
    expect(lost({})).toBeCloseTo(10 / 3, 1);
    expect(lost({ pacing: "display" })).toBe(0);
    expect(lost({ overload: { catchUp: 0.05 } })).toBe(0);
  });
});

describe("beats", () => {
  test("run just before the first step at or after their time", () => {
    const heard: string[] = [];
    const loop = new Loop({ rate: 60, step: ({ tick }) => void heard.push(`${tick}`) });
    const beat = loop.every(25, ({ tick, dt, time }) => void heard.push(`beat ${tick} ${dt} ${time}`));
    loop.runSteps(6);
    expect(heard).toEqual([
      "beat 0 0.04 0",
      "0",
      "1",
      "2",
      "beat 1 0.04 0.04",
      "3",
      "4",
      "beat 2 0.04 0.08",
      "5",
    ]);
    expect(beat.tick).toBe(3);
  });

  test("60 and 20 Hz are in phase after 24 hours", () => {
    const loop = new Loop({ rate: 60 });
    let wrong = 0;
    loop.every(20, ({ tick }) => {
      if (loop.tick !== tick * 3) wrong++;
    });
    loop.runSteps(24 * 3600 * 60);
    expect(wrong).toBe(0);
  });

  test("alpha lies between the last two beats", () => {
    const loop = new Loop({ rate: 60 });
    const beat = loop.every(10, () => {});
    const alphas: number[] = [];
    loop.on("render", () => void alphas.push(beat.alpha));
    times(18, () => loop.advance(1 / 60));
    for (const alpha of alphas) expect(alpha).toSatisfy((a: number) => a >= 0 && a <= 1);
    expect(beat.alpha).toBeCloseTo(loop.shownTime * 10 - (beat.tick - 1), 10);
  });

  test("dispose ends a beat, even from its own callback; a beat declared in a step starts with the next step", () => {
    const heard: string[] = [];
    const loop: Loop = new Loop({
      rate: 60,
      step({ tick }) {
        if (tick === 1) loop.every(60, (late) => void heard.push(`late ${late.tick}`));
      },
    });
    const beat = loop.every(60, ({ tick }) => {
      heard.push(`once ${tick}`);
      beat.dispose();
    });
    loop.runSteps(4);
    expect(heard).toEqual(["once 0", "late 2", "late 3"]);
  });
});

describe("systems and events", () => {
  test("a step runs its parts in the documented order", () => {
    const heard: string[] = [];
    const say = (what: string) => () => void heard.push(`${what} ${loop.tick}`);
    const loop: Loop = new Loop({ rate: 60, step: say("step"), render: say("render") });
    loop.on("afterStep", say("after"));
    loop.on("step", say("listener"));
    loop.on("beforeStep", say("before"));
    loop.on("enterStep", say("enter"));
    loop.on("leaveStep", say("leave"));
    loop.on("beforeRender", say("before render"));
    loop.on("render", say("render listener"));
    loop.add({ step: say("system"), render: say("system render") });
    loop.every(60, say("beat"));
    loop.advance(1 / 60);
    expect(heard).toEqual([
      "before 0",
      "enter 0",
      "beat 0",
      "step 0",
      "system 0",
      "listener 0",
      "leave 0",
      "after 1",
      "before render 1",
      "render 1",
      "system render 1",
      "render listener 1",
    ]);
  });

  test("listeners may be added and removed during dispatch", () => {
    const heard: string[] = [];
    const loop = new Loop({ rate: 60 });
    loop.on("step", () => {
      heard.push("a");
      removeB();
      loop.on("step", () => void heard.push("new"));
    });
    const removeB = loop.on("step", () => void heard.push("b"));
    loop.on("step", () => void heard.push("c"));
    loop.runSteps();
    expect(heard).toEqual(["a", "c"]);
    loop.runSteps();
    expect(heard).toEqual(["a", "c", "a", "c", "new"]);
  });

  test("the first listener may be attached inside a step", () => {
    const heard: string[] = [];
    const loop: Loop = new Loop({
      rate: 60,
      step({ tick }) {
        if (tick === 1) loop.add({ step: (info) => void heard.push(`system ${info.tick}`) });
      },
    });
    times(10, () => loop.advance(0.02));
    expect(heard[0]).toBe("system 1");
    expect(heard).toHaveLength(loop.tick - 1);
  });

  test("calls systems as methods, and removes them", () => {
    class Ball {
      y = 0;
      step({ dt }: StepInfo) {
        this.y += dt;
      }
    }
    const ball = new Ball();
    const loop = new Loop({ rate: 50 });
    const remove = loop.add(ball);
    loop.runSteps(2);
    remove();
    loop.runSteps(2);
    expect(ball.y).toBe(0.04);
  });

  test("emits pause and resume once each", () => {
    const loop = manualLoop({ rate: 60 });
    const heard: string[] = [];
    for (const event of ["pause", "resume", "stop", "start", "reset"] as const)
      loop.on(event, () => void heard.push(event));
    times(2, () => loop.pause());
    times(2, () => loop.resume());
    times(2, () => loop.stop());
    times(2, () => loop.start());
    loop.reset();
    expect(heard).toEqual(["pause", "resume", "stop", "start", "reset"]);
  });
});

describe("calls from inside callbacks", () => {
  test("pause in a step ends the frame's steps; the rest of its time is discarded", () => {
    let frames = 0;
    const loop: Loop = new Loop({
      rate: 60,
      step: ({ tick }) => void (tick === 2 && loop.pause()),
      render: () => void frames++,
    });
    loop.advance(0.1);
    expect([loop.tick, loop.stats.lostSeconds, loop.debt, frames]).toEqual([3, 0, 0, 1]);
    loop.resume();
    loop.advance(0.05);
    expect(loop.tick).toBe(6);
  });

  test("stop in a step finishes the step and calls nothing more; in render, no further frame runs", () => {
    const driver = manualDriver();
    const heard: string[] = [];
    const loop: Loop = new Loop({
      rate: 60,
      driver,
      step({ tick }) {
        heard.push(`step ${tick}`);
        if (tick === 1) loop.stop();
      },
      render: () => void heard.push("render"),
    });
    loop.start();
    driver.play([0, 100]);
    expect(heard).toEqual(["render", "step 0", "step 1"]);
    expect(loop.running).toBe(false);
    expect(() => driver.wait(0.1)).toThrow("Call loop.start() first");
  });

  test("stop in a step emits no overload", () => {
    const heard: string[] = [];
    const loop: Loop = new Loop({ rate: 100, step: () => loop.stop() });
    loop.on("overload", () => void heard.push("overload"));
    loop.on("afterStep", () => void heard.push("after"));
    loop.advance(5);
    expect(heard).toEqual(["after"]);
  });

  test("advance and runSteps throw inside a callback", () => {
    for (const call of [(loop: Loop) => loop.advance(0.1), (loop: Loop) => loop.runSteps()])
      for (const where of ["step", "render"] as const)
        for (const more of [{}, { measureCosts: true, now: () => 0 }]) {
          const loop: Loop = new Loop({ rate: 60, ...more, [where]: () => call(loop) });
          expect(() => times(2, () => loop.advance(0.02))).toThrow(
            /^Loop\.\w+: cannot be called from a callback \(tick \d\)\. Call it after the frame, for example with queueMicrotask\.$/,
          );
        }
  });

  test("reset in a step takes effect once the step has ended", () => {
    const heard: number[] = [];
    const loop: Loop = new Loop({
      rate: 60,
      step({ tick }) {
        heard.push(tick);
        if (heard.length === 2) loop.reset();
      },
      render: ({ tick, alpha }) => void expect([tick, alpha]).toEqual([loop.tick, loop.alpha]),
    });
    loop.advance(0.1);
    expect([heard, loop.tick, loop.overstep]).toEqual([[0, 1], 0, 0]);
    loop.advance(1 / 60);
    expect(heard).toEqual([0, 1, 0]);
  });

  test("a limit set in a step takes effect with the next frame", () => {
    for (const listeners of [0, 1])
      for (const bound of [{ maxSteps: 1 }, { stepBudget: 0.001 }, { maxFrameTime: 1 / 60 }]) {
        let clock = 0;
        const loop = new Loop({ rate: 60, now: () => (clock += 100) });
        if (listeners) loop.on("step", () => {});
        loop.advance(0.02);
        const off = loop.on("afterStep", () => {
          loop.configure(bound);
          off();
        });
        loop.advance(0.1);
        expect(loop.tick).toBe(7);
        loop.advance(0.1);
        expect(loop.tick).toBe(8);
      }
  });

  test("pause and resume in one frame do not affect the next", () => {
    let frame = 0;
    const loop: Loop = new Loop({
      rate: 60,
      step() {
        if (frame > 0) loop.timeScale = 1;
        else {
          loop.pause();
          loop.resume();
        }
      },
    });
    loop.advance(1 / 30);
    frame++;
    loop.advance(0.1);
    expect(loop.tick).toBe(7);
  });

  test("an overload policy set in a step takes effect with the next frame", () => {
    const loop: Loop = new Loop({
      rate: 60,
      maxSteps: 1,
      overload: { catchUp: 1 },
      step: () => loop.configure({ overload: "drop" }),
    });
    loop.advance(0.1);
    expect([loop.debt, loop.stats.lostSeconds]).toEqual([5 / 60, 0]);
    loop.advance(0);
    expect([loop.debt, loop.stats.lostSeconds, loop.stats.recent.lostSeconds]).toEqual([0, 5 / 60, 5 / 60]);
  });

  test("a listener attached in render is called in that frame", () => {
    for (const measureCosts of [false, true]) {
      let calls = 0;
      let attached = false;
      const loop: Loop = new Loop({
        rate: 60,
        measureCosts,
        now: () => 0,
        render() {
          if (attached || loop.stats.frames < 2) return;
          attached = true;
          loop.on("render", () => void calls++);
          loop.add({ render: () => void calls++ });
        },
      });
      times(2, () => loop.advance(0.01));
      expect(calls).toBe(2);
    }
  });

  test("a nested frame of the driver throws, and its time is part of the next frame", () => {
    const driver = manualDriver();
    let nested: unknown;
    const loop = new Loop({
      rate: 100,
      driver,
      step() {
        if (nested) return;
        try {
          driver.wait(0.1);
        } catch (error) {
          nested = error;
        }
      },
    });
    loop.start();
    driver.wait(0.1);
    driver.wait(0.1);
    expect(loop.tick).toBe(30);
    expect(nested).toMatchObject({
      code: "reentrant",
      message:
        "Driver.frame: cannot be called from a callback (tick 0). Call it after the frame, for example with queueMicrotask.",
    });
  });

  test("a scale or policy set in a step takes effect with the next frame", () => {
    const loop: Loop = new Loop({ rate: 60, step: () => void (loop.timeScale = 0.5) });
    loop.advance(0.1);
    expect(loop.tick).toBe(6);
    loop.advance(0.1);
    expect(loop.tick).toBe(9);
  });
});

/** Creates a loop, and a function that runs a frame whose step throws. */
function fallible(options: ConstructorParameters<typeof Loop>[0]) {
  let bad = false;
  const loop = new Loop({
    ...options,
    step(info) {
      if (bad) throw new Error("mine");
      options.step?.(info);
    },
  });
  const fail = (seconds: number) => {
    bad = true;
    expect(() => loop.advance(seconds)).toThrow("mine");
    bad = false;
  };
  return { loop, fail };
}

describe("errors in callbacks", () => {
  test.each(["beforeStep", "enterStep", "step", "leaveStep", "afterStep", "beforeRender", "render"] as const)(
    "in %s stops the loop in a known state; it can go on",
    (where) => {
      const driver = manualDriver();
      const loop = new Loop({ rate: 60, driver });
      let broken = false;
      loop.on(where, () => {
        if (broken) throw new Error("mine");
      });
      loop.start();
      driver.wait(0);
      broken = true;
      expect(() => driver.wait(0.1)).toThrow("mine");
      expect(loop.running).toBe(false);
      expect(loop.overstep).toBeLessThan(1 / 60);
      broken = false;
      const { tick } = loop;
      loop.start();
      driver.play([driver.time, driver.time + 100]);
      expect(loop.tick - tick).toBe(6);
    },
  );

  test("runs a failed step again, but not its beats", () => {
    const heard: string[] = [];
    const loop = new Loop({
      rate: 60,
      step({ tick }) {
        heard.push(`step ${tick}`);
        if (heard.length === 4) throw new Error("mine");
      },
    });
    loop.every(60, ({ tick }) => void heard.push(`beat ${tick}`));
    expect(() => loop.runSteps(3)).toThrow("mine");
    loop.runSteps(2);
    expect(heard).toEqual(["beat 0", "step 0", "beat 1", "step 1", "step 1", "beat 2", "step 2"]);
  });

  test("restores debt and overstep after a frame that failed in its first step", () => {
    const { loop, fail } = fallible({ rate: 60, maxFrameTime: 0.1, overload: { catchUp: 1 } });
    loop.advance(1.11);
    const { debt, overstep } = loop;
    fail(1 / 60);
    expect([loop.debt, loop.overstep, loop.tick, loop.stats.lostSeconds]).toEqual([debt, overstep, 6, 0.01]);
  });

  test("a frame that failed after paying off the debt leaves none", () => {
    for (const end of ["throw", "pause"]) {
      let bad = false;
      const loop: Loop = new Loop({
        rate: 100,
        maxFrameTime: 0.1,
        overload: { catchUp: 0.5 },
        step() {
          if (bad && end === "throw") throw new Error("mine");
          if (bad) loop.pause();
        },
      });
      loop.advance(0.15);
      loop.advance(0.02);
      bad = true;
      try {
        loop.advance(0.03);
      } catch {
        // Only the state afterwards matters.
      }
      expect([loop.debt, loop.stats.overloads, loop.stats.lostSeconds]).toEqual([0, 1, 0]);
    }
  });

  test("pausing in a frame that pays debt back loses nothing", () => {
    const loop = new Loop({ rate: 100, maxFrameTime: 0.1, overload: { catchUp: 0.001 } });
    loop.advance(0.101);
    loop.on("step", () => loop.pause());
    loop.advance(0.019);
    expect([loop.stats.lostSeconds, loop.stats.overloads]).toEqual([0, 1]);
  });

  test("a frame that failed in its first step discards the clamped time", () => {
    for (const overload of ["drop", { catchUp: 10 }] as const) {
      const loop = new Loop({
        rate: 100,
        overload,
        step() {
          throw new Error("mine");
        },
      });
      expect(() => loop.advance(5)).toThrow("mine");
      expect([loop.debt, loop.stats.lostSeconds, loop.stats.overloads, loop.stats.frameTime]).toEqual([
        0, 0, 0, 5,
      ]);
    }
  });

  test("a reset listener that throws leaves the loop reset", () => {
    for (const run of [(loop: Loop) => loop.advance(0.03), (loop: Loop) => loop.runSteps(2)]) {
      let bad = false;
      const loop: Loop = new Loop({ rate: 100, render: () => void (bad && loop.reset()) });
      loop.advance(0.0575);
      loop.on("reset", () => {
        throw new Error("mine");
      });
      bad = true;
      expect(() => run(loop)).toThrow("mine");
      expect([loop.tick, loop.overstep, loop.stats.frames, loop.stats.frameTime]).toEqual([0, 0, 0, 0]);
      expect([loop.stats.effectiveSpeed, loop.timestampOf(0)]).toEqual([1, 0]);
    }
  });

  test("time saved up by a stepping survives an error", () => {
    const { loop, fail } = fallible({ rate: 100, stepping: variable({ min: 0.01, max: 0.01 }) });
    loop.advance(0.009);
    fail(0.002);
    loop.advance(0.002);
    expect(loop.tick).toBe(1);
  });

  test("shown time does not run backwards after an error", () => {
    const shown: number[] = [];
    const { loop, fail } = fallible({ rate: 10, render: ({ shownTime }) => void shown.push(shownTime) });
    loop.advance(0.1);
    loop.advance(0.09);
    fail(0.02);
    loop.advance(0.001);
    expect(shown).toEqual([0, 0.09, 0.091]);
  });

  test("stats count a failed frame, its steps and its clamped time", () => {
    const loop = new Loop({
      rate: 60,
      timeScale: 0.5,
      step({ tick }) {
        if (tick === 2) throw new Error("mine");
      },
    });
    expect(() => loop.advance(5)).toThrow("mine");
    const { stats } = loop;
    expect([stats.frames, stats.steps, stats.overloads]).toEqual([1, 2, 1]);
    expect([stats.lostSeconds, stats.recent.lostSeconds]).toEqual([2.375, 2.375]);
    expect(stats.effectiveSpeed).toBeGreaterThanOrEqual(0);
  });

  test("failed steps of a stepping are not repeated later", () => {
    const dts: number[] = [];
    const { loop, fail } = fallible({
      rate: 60,
      stepping: semiFixed(),
      step: ({ dt }) => void dts.push(dt),
    });
    loop.advance(0.04);
    const { time } = loop;
    fail(0.04);
    expect([loop.time, loop.alpha, loop.shownTime]).toEqual([time, 1, time]);
    dts.length = 0;
    loop.runSteps(3);
    expect(dts).toEqual([1 / 60, 1 / 60, 1 / 60]);
  });

  test("the loop can be started after a reset or start listener threw", () => {
    const driver = manualDriver();
    const loop: Loop = new Loop({
      rate: 60,
      driver,
      step() {
        loop.reset();
        throw new Error("first");
      },
    });
    const off = loop.on("reset", () => {
      throw new Error("second");
    });
    loop.start();
    expect(() => driver.wait(0.1)).toThrow("first");
    expect(loop.running).toBe(false);
    off();
    const offStart = loop.on("start", () => {
      throw new Error("third");
    });
    expect(() => loop.start()).toThrow("third");
    expect(loop.running).toBe(false);
    offStart();
    loop.start();
    expect(loop.running).toBe(true);
  });

  test("a stop listener that throws does not hide the first error", () => {
    const loop = manualLoop({
      rate: 60,
      step: () => {
        throw new Error("first");
      },
    });
    loop.on("stop", () => {
      throw new Error("second");
    });
    expect(() => loop.advance(0.1)).toThrow("first");
    expect(loop.running).toBe(false);
  });
});

describe("drivers", () => {
  test("loading before the first frame is not game time", () => {
    const loop = manualLoop({ rate: 60 });
    loop.driver.spend(10);
    loop.driver.wait(0);
    expect([loop.tick, loop.overstep, loop.stats.framesWithoutTime]).toEqual([0, 0, 0]);
    loop.driver.wait(0.1);
    expect(loop.tick).toBe(6);
  });

  test("time while stopped is not game time", () => {
    const loop = manualLoop({ rate: 60 });
    loop.driver.play([0, 50]);
    loop.stop();
    loop.start();
    loop.driver.play([60_000, 60_050]);
    expect([loop.tick, loop.stats.lostSeconds]).toEqual([6, 0]);
  });

  test("time still advances by nanoseconds after 40 days", () => {
    for (const attached of [false, true]) {
      const loop = new Loop({ rate: 60 });
      if (attached) loop.on("step", () => {});
      times(2, () => loop.advance(3_456_000.000000001));
      loop.advance(1e-10);
      expect(loop.overstep).toBe(0);
    }
  });

  test("clamps and reports the days that a machine slept", () => {
    const loop = manualLoop({ rate: 60 });
    loop.driver.play([0, 3 * 86_400_000]);
    expect([loop.tick, loop.stats.lostSeconds]).toEqual([15, 3 * 86_400 - 0.25]);
  });

  test("waits for a clock that steps back a little, and follows one that leaps back", () => {
    const loop = manualLoop({ rate: 100 });
    loop.driver.play([1000, 1100, 1050, 1150]);
    expect([loop.tick, loop.stats.framesWithoutTime]).toEqual([15, 1]);
    loop.driver.play([0, 50]);
    expect(loop.tick).toBe(20);
  });

  test("a timestamp that is not a number throws, and the loop continues", () => {
    const loop = manualLoop({ rate: 60 });
    expect(() => loop.driver.play([0, NaN])).toThrow(/^Driver: timestamp must be/);
    loop.driver.play([100]);
    expect([loop.tick, loop.running]).toEqual([6, true]);
  });

  test("a driver and advance() give the same ticks and alphas for the same times", () => {
    const stamps = Array.from({ length: 500 }, (_, i) => (i * 1000) / 60 + (i % 3) * 0.3);
    const driven = manualLoop({ rate: 60 });
    const byHand = new Loop({ rate: 60 });
    driven.driver.play([stamps[0]!]);
    for (let i = 1; i < stamps.length; i++) {
      driven.driver.play([stamps[i]!]);
      byHand.advance((stamps[i]! - stamps[i - 1]!) / 1000);
      expect([driven.tick, driven.alpha]).toEqual([byHand.tick, byHand.alpha]);
    }
  });

  test("a driver that fails to start leaves the loop stopped", () => {
    const driver = {
      ...manualDriver(),
      start: () => {
        throw new Error("no display");
      },
    };
    const loop = new Loop({ rate: 60, driver });
    expect(() => loop.start()).toThrow("no display");
    expect(loop.running).toBe(false);
  });
});

describe("timestampOf", () => {
  test("returns when shown time reaches a tick", () => {
    const loop = manualLoop({ rate: 50 });
    loop.driver.play([1000, 1050]);
    // Shown: 1.5 steps, 30 ms; tick 10 is 200 ms.
    expect(loop.shownTime).toBeCloseTo(0.03, 12);
    expect(loop.timestampOf(10)).toBeCloseTo(1050 + 170, 9);
    expect(loop.timestampOf(0)).toBeCloseTo(1020, 9);
    loop.timeScale = 0.5;
    expect(loop.timestampOf(10)).toBeCloseTo(1050 + 340, 9);
    loop.timeScale = 0;
    expect(loop.timestampOf(10)).toBe(Infinity);
    loop.timeScale = 1;
    loop.pause();
    expect(loop.timestampOf(10)).toBe(Infinity);
  });

  test("is right after lost time, and during a ramp", () => {
    const loop = manualLoop({ rate: 60 });
    loop.driver.play([0, 5000]);
    loop.timeScale = ramp(0.25, 1);
    const at = loop.timestampOf(30);
    loop.driver.play([(5000 + at) / 2, at]);
    expect(loop.shownTime).toBeCloseTo(0.5, 6);
  });

  test("returns the same inside a step as before and after its frame, during a ramp", () => {
    const at: number[] = [];
    const loop = manualLoop({ rate: 50, step: () => void at.push(loop.timestampOf(100)) });
    loop.driver.play([1000, 1100]);
    loop.timeScale = ramp(0.1, 0.5);
    at.length = 0;
    const before = loop.timestampOf(100);
    loop.driver.wait(0.1);
    for (const time of [...at, loop.timestampOf(100)]) expect(time).toBeCloseTo(before, 6);
  });

  test("returns the same inside a step as when drawing, in a frame that pays debt back", () => {
    const at: number[] = [];
    const ask = () => void at.push(Math.round(loop.timestampOf(100) * 1e6));
    const loop = new Loop({ rate: 100, maxFrameTime: 0.1, overload: { catchUp: 1 }, step: ask, render: ask });
    loop.advance(0.5);
    at.length = 0;
    loop.advance(0.02);
    expect(new Set(at).size).toBe(1);
  });

  test("counts from the driver's current time before its first frame", () => {
    const driver = manualDriver(5000);
    const loop = new Loop({ rate: 50, driver });
    loop.start();
    expect(loop.timestampOf(10)).toBe(5220);
  });

  test("with a stepping, the newest state is shown", () => {
    const loop = new Loop({ rate: 60, stepping: variable() });
    times(30, () => loop.advance(1 / 30));
    expect(loop.timestampOf(60)).toBeCloseTo(1000, 6);
  });

  test("accepts a timestamp of 0", () => {
    const loop = manualLoop({ rate: 50 });
    loop.driver.play([-100, -50, 0]);
    expect(loop.timestampOf(10)).toBeCloseTo(120, 9);
  });

  test("state 0 is shown before the first step", () => {
    const loop = manualLoop({ rate: 60 });
    loop.driver.play([500, 505]);
    expect(loop.timestampOf(0)).toBe(505);
  });

  test("without a driver, counts from the first advance", () => {
    const loop = new Loop({ rate: 50 });
    loop.advance(0.1);
    expect(loop.timestampOf(5)).toBeCloseTo(120, 9);
  });

  test("inside a step, counts from the last frame", () => {
    const at: number[] = [];
    const loop = manualLoop({ rate: 50, step: () => void at.push(loop.timestampOf(100)) });
    loop.driver.play([0, 100]);
    expect(at).toEqual(Array.from({ length: 5 }, () => 2020));
  });
});

describe("due, frameStart and frameEnd", () => {
  /** Logs `due`, `frameStart` and `frameEnd` in each step and between frames. */
  function watched(options: Partial<LoopOptions> = {}) {
    const told: [due: number, from: number, to: number][] = [];
    const look = () => void told.push([loop.due, loop.frameStart, loop.frameEnd]);
    const loop = manualLoop({ rate: 50, ...options, step: look });
    return { loop, told, look };
  }

  test("a step sees the steps still due, including itself, and the frame's time", () => {
    const { loop, told } = watched();
    loop.driver.play([1000, 1070, 1080, 1100]);
    expect(told).toEqual([
      [3, 1000, 1070],
      [2, 1000, 1070],
      [1, 1000, 1070],
      // 10 ms are left over.
      [1, 1070, 1080],
      [1, 1080, 1100],
    ]);
  });

  test("outside of steps none is due, and the times are the last frame's", () => {
    const { loop, told, look } = watched({ render: () => look() });
    look();
    loop.driver.play([1000, 1040]);
    look();
    expect(told.map(([due]) => due)).toEqual([0, 0, 2, 1, 0, 0]);
    expect(told.at(-1)).toEqual([0, 1000, 1040]);
  });

  test("a clamped stall is one frame with its real time", () => {
    const { loop, told } = watched({ maxFrameTime: 0.1 });
    loop.driver.play([1000, 6000]);
    expect(told.map(([due]) => due)).toEqual([5, 4, 3, 2, 1]);
    expect(told[0]).toEqual([5, 1000, 6000]);
  });

  test("no more are due than maxSteps allows", () => {
    const { loop, told } = watched({ maxSteps: 2 });
    loop.driver.play([1000, 1100]);
    expect(told.map(([due]) => due)).toEqual([2, 1]);
  });

  test("with catchUp, debt is due with the rest", () => {
    const { loop, told } = watched({ maxSteps: 3, overload: { catchUp: 1 } });
    loop.driver.play([1000, 1100, 1120]);
    expect(told.map(([due]) => due)).toEqual([3, 2, 1, 3, 2, 1]);
  });

  test("a time scale changes the steps that are due, but not the frame's time", () => {
    const { loop, told } = watched({ timeScale: 2 });
    loop.driver.play([1000, 1020]);
    expect(told).toEqual([
      [2, 1000, 1020],
      [1, 1000, 1020],
    ]);
  });

  test("is the same with listeners attached", () => {
    const { loop, told, look } = watched();
    loop.on("beforeStep", look);
    loop.driver.play([1000, 1040]);
    expect(told).toEqual([
      [2, 1000, 1040],
      [2, 1000, 1040],
      [1, 1000, 1040],
      [1, 1000, 1040],
    ]);
  });

  test("on a display, a frame's time is a whole number of refreshes", () => {
    const { loop, told } = watched({ rate: 60, pacing: "display" });
    loop.driver.display(60, 2);
    const [due, from, to] = told.at(-1)!;
    expect(due).toBe(1);
    expect(to).toBeCloseTo(2000, 6);
    expect(to - from).toBeCloseTo(1000 / 60, 3);
  });

  test("without a driver, time starts with the loop, and forced steps take none", () => {
    const told: number[][] = [];
    const loop = new Loop({
      rate: 50,
      now: () => 0,
      step: () =>
        void told.push([loop.due, loop.frameStart, loop.frameEnd].map((ms) => Math.round(ms * 1e6) / 1e6)),
    });
    loop.advance(0.04);
    loop.advance(0.02);
    loop.runSteps(2);
    expect(told).toEqual([
      [2, 0, 40],
      [1, 0, 40],
      [1, 40, 60],
      [2, 60, 60],
      [1, 60, 60],
    ]);
  });

  test("due follows the policy that the frame began with", () => {
    const { loop, told } = watched({ maxSteps: 3 });
    loop.driver.play([1000, 1100]);
    loop.on("step", () => loop.configure({ maxSteps: 1 }));
    loop.driver.play([1200]);
    expect(told.map(([due]) => due)).toEqual([3, 2, 1, 3, 2, 1]);
  });

  test("after a pause, a stop or a reset in a step, only that step is due", () => {
    for (const end of ["pause", "stop", "reset"] as const) {
      const due: number[] = [];
      const loop = manualLoop({
        rate: 50,
        step() {
          due.push(loop.due);
          loop[end]();
          due.push(loop.due);
        },
      });
      loop.driver.play([1000, 1100]);
      expect([due, end]).toEqual([[5, 1], end]);
    }
  });

  test("with a step budget, due counts the steps that are likely to fit", () => {
    const due: number[][] = [];
    const loop = manualLoop({
      rate: 50,
      stepBudget: 0.035,
      overload: "drop",
      step() {
        due.at(-1)!.push(loop.due);
        loop.driver.spend(0.01);
      },
    });
    for (const stamp of [1000, 1100, 1200]) {
      due.push([]);
      loop.driver.play([stamp]);
    }
    // The cost is unknown at first; then a step of 10 ms fits three times.
    expect(due).toEqual([[], [5, 2, 1], [3, 2, 1]]);
  });
});

describe("runSteps", () => {
  test("runs exactly that many steps while paused, and draws once", () => {
    const { loop, steps, frames } = recorded({ maxSteps: 1 });
    loop.pause();
    loop.runSteps(5);
    expect(steps.map(({ tick }) => tick)).toEqual([0, 1, 2, 3, 4]);
    expect(frames).toHaveLength(1);
    expect(frames[0]).toMatchObject({ steps: 5, delta: 5 / 60, realDelta: 0 });
    loop.runSteps(0);
    expect(loop.tick).toBe(5);
  });

  test.each([-1, 1.5, NaN, "2", null])("rejects %s", (count) => {
    expect(() => new Loop({ rate: 60 }).runSteps(count as number)).toThrow(
      /^Loop\.runSteps: count must be a whole number, 0 or more, got /,
    );
  });
});

describe("stats", () => {
  test("count frames by their steps, in total and recently", () => {
    const loop = new Loop({ rate: 60, maxFrameTime: 1 });
    times(1000, () => loop.advance(1 / 60));
    loop.advance(0.2);
    const { stats } = loop;
    expect([
      stats.frames,
      stats.steps,
      stats.framesWith(8),
      stats.framesWith(99),
      stats.framesWith(-1),
    ]).toEqual([1001, loop.tick, 1, 0, 0]);
    expect(stats.framesWith(0) + stats.framesWith(1) + stats.framesWith(2)).toBe(1000);
    expect(stats.recent.frames).toBeGreaterThanOrEqual(128);
    expect(stats.recent.frames).toBeLessThanOrEqual(256);
    expect(stats.frameTime).toBeCloseTo((1000 / 60 + 0.2) / 1001, 9);
    expect(stats.effectiveSpeed).toBe(1);
  });

  test("measure costs with the injected clock", () => {
    const driver = manualDriver();
    const loop = new Loop({
      rate: 50,
      driver,
      measureCosts: true,
      step: () => driver.spend(0.005),
      render: () => driver.spend(0.003),
    });
    loop.start();
    driver.display(60, 2);
    expect(loop.stats.stepCost).toBeCloseTo(0.005, 9);
    expect(loop.stats.renderCost).toBeCloseTo(0.003, 9);
    expect(loop.stats.load).toBeCloseTo(0.25, 7);
    expect(loop.stats.recent.load).toBeCloseTo(0.25, 7);
  });

  test.each([false, true])(
    "recent costs are those of the recent steps; with something attached: %s",
    (isAttached) => {
      let clock = 0;
      const loop = new Loop({
        rate: 50,
        measureCosts: true,
        now: () => clock,
        step: ({ tick }) => void (clock += tick < 128 ? 8 : 2),
      });
      if (isAttached) loop.on("afterStep", () => {});
      times(256, () => loop.advance(0.02));
      expect([loop.stats.recent.steps, loop.stats.recent.stepCost, loop.stats.stepCost]).toEqual([
        128, 0.002, 0.005,
      ]);
    },
  );

  test("measureCosts set while drawing does not count the clock itself", () => {
    const loop: Loop = new Loop({
      rate: 60,
      now: () => 5000,
      render: () => loop.configure({ measureCosts: true }),
    });
    times(3, () => loop.advance(0.01));
    expect(loop.stats.renderCost).toBe(0);
  });

  test("effective speed follows the steps of a stepping", () => {
    const loop = new Loop({ rate: 60, stepping: onePerFrame() });
    times(144, () => loop.advance(1 / 144));
    expect(loop.stats.effectiveSpeed).toBeCloseTo(2.4, 6);
  });

  test("a frame without time pays no debt", () => {
    const loop = new Loop({ rate: 60, maxSteps: 1, overload: { catchUp: 100 } });
    loop.advance(100);
    const { tick } = loop;
    times(10, () => loop.advance(0));
    expect(loop.tick).toBe(tick);
  });

  test("ignores a cost clock that leaps", () => {
    const readings = [5, NaN, 3, Infinity, -Infinity, 7];
    const loop = new Loop({ rate: 60, measureCosts: true, now: () => readings[loop.tick % 6]! });
    times(20, () => loop.advance(0.02));
    expect(loop.stats.stepCost).toSatisfy((cost: number) => cost >= 0 && cost < 1);
  });

  test("effective speed reflects time scale and lost time", () => {
    const loop = new Loop({ rate: 60, timeScale: 0.5 });
    times(100, () => loop.advance(0.5));
    expect(loop.stats.effectiveSpeed).toBeCloseTo(0.25, 9);
    expect([loop.speed, loop.timeScale]).toEqual([0.5, 0.5]);
    loop.pause();
    expect([loop.speed, loop.timeScale]).toEqual([0, 0.5]);
  });

  test("reset clears time and stats, and keeps settings", () => {
    const { loop } = recorded({ timeScale: 0.5, maxSteps: 2 });
    const beat = loop.every(30, () => {});
    loop.advance(1);
    loop.reset();
    expect([
      loop.tick,
      loop.time,
      loop.overstep,
      loop.alpha,
      loop.stats.frames,
      loop.stats.lostSeconds,
      beat.tick,
    ]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(loop.timeScale).toBe(0.5);
    loop.advance(0.2);
    expect([loop.tick, beat.tick]).toEqual([2, 1]);
  });
});

function seeded(seed: number): () => number {
  return () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

describe("a reset in a callback", () => {
  test.each(["pause", "stop", "reset"] as const)(
    "whose listener calls %s leaves the next frame whole",
    (action) => {
      let ask = false;
      let renders = 0;
      const loop: Loop = new Loop({
        rate: 10,
        step() {},
        render() {
          renders++;
          if (ask) loop.reset();
          ask = false;
        },
      });
      const stop = loop.on("reset", () => {
        stop();
        loop[action]();
        loop.resume();
      });
      times(2, () => loop.advance(0.1));
      ask = true;
      loop.advance(0.1);
      loop.advance(0.2);
      expect([loop.tick, renders]).toEqual([2, 4]);
    },
  );

  test("takes the pacing of a driver set meanwhile, from its first frame on", () => {
    vi.stubGlobal("requestAnimationFrame", () => 1);
    vi.stubGlobal("cancelAnimationFrame", () => {});
    const shown = [false, true].map((isAttached) => {
      let ask = true;
      const loop: Loop = new Loop({ rate: 60, step: () => ask && loop.reset() });
      if (isAttached) loop.on("afterStep", () => {});
      loop.advance(1 / 60);
      ask = false;
      loop.start();
      times(3, () => loop.advance(1 / 60));
      loop.stop();
      return [loop.pacing, loop.alpha, loop.lead];
    });
    vi.unstubAllGlobals();
    expect(shown[0]![0]).toBe("display");
    expect(shown[0]).toEqual(shown[1]);
  });

  test("does not distort the costs of its frame", () => {
    let clock = 5000;
    let ask = false;
    const loop: Loop = new Loop({
      rate: 10,
      measureCosts: true,
      now: () => clock,
      step() {
        clock += 1;
        if (ask) loop.reset();
        ask = false;
      },
      render: () => void (clock += 2),
    });
    loop.advance(0.1);
    ask = true;
    loop.advance(0.1);
    expect(loop.stats.renderCost).toBe(0.002);
  });
});

test("frames without a step add no step cost", () => {
  let clock = 0;
  const loop = new Loop({ rate: 10, measureCosts: true, now: () => ++clock, step() {}, render() {} });
  times(9, () => loop.advance(0.001));
  expect([loop.stats.stepCost, loop.stats.renderCost]).toEqual([0, 0.001]);
});

test("reading the clock for costs does not change timestampOf", () => {
  const loop = new Loop({ rate: 10, measureCosts: true });
  expect(loop.timestampOf(5)).toBe(600);
  loop.advance(0.1);
  expect(loop.timestampOf(5)).toBeCloseTo(600, 9);
});

test.each([
  ["raf", '"raf"'],
  [true, "true"],
  [null, "null"],
  [() => {}, "a function"],
  [{}, "{}"],
])("rejects %j as a driver, and shows it", (driver, shown) => {
  const message = `driver must be a driver, got ${shown}. Try browserDriver().`;
  expect(() => new Loop({ rate: 60, driver: driver as never })).toThrow(`Loop: ${message}`);
  const loop = new Loop({ rate: 60 });
  expect(() => loop.configure({ driver: driver as never })).toThrow(`Loop.configure: ${message}`);
  const half = { start() {}, stop() {} };
  expect(() => new Loop({ rate: 60, driver: half as never })).toThrow("Loop: driver.now must be a function");
});
