// What callbacks may do to the loop that calls them: pause, stop, reset, and so on.
import { describe, expect, test } from "vitest";
import { manualDriver, manualLoop } from "../testing/index.js";
import { Loop } from "./loop.js";
import { catchUp } from "./parts/catch-up.js";
import { changeRate } from "./parts/change-rate.js";
import { every } from "./parts/every.js";
import { measure } from "./parts/measure.js";
import { onOverload } from "./parts/overload.js";
import { timeScale } from "./parts/time-scale.js";

const times = (count: number, run: () => void) => {
  for (let i = 0; i < count; i++) run();
};

/** A loop of 100 steps per second whose step 2 calls `act`, in a frame of 10.5 steps. */
function inStep2(act: (loop: Loop) => void) {
  const heard: string[] = [];
  const loop: Loop = new Loop({
    rate: 100,
    step({ tick }) {
      heard.push(`step ${tick}`);
      if (tick === 2) act(loop);
    },
    render: ({ tick, alpha }) => void heard.push(`render ${tick} ${alpha}`),
  });
  loop.on("afterStep", ({ tick }) => void (tick === 2 && heard.push("after")));
  loop.advance(0.105);
  return { loop, heard };
}

describe("pause and hit-stop in a step end the frame's steps; what is left of its time was never given", () => {
  test.each<[string, (loop: Loop) => void]>([
    ["pause", (loop) => loop.pause()],
    ["pause and resume", (loop) => (loop.pause(), loop.resume())],
    ["hitStop", (loop) => timeScale(loop).hitStop(0.1)],
  ])("%s", (_, act) => {
    const { loop, heard } = inStep2(act);
    expect(heard).toEqual(["step 0", "step 1", "step 2", "after", "render 3 0.5"]);
    expect([loop.tick, loop.lostSeconds]).toEqual([3, 0]);
  });

  test("pause and resume in one frame do not affect the next", () => {
    const { loop } = inStep2((paused) => (paused.pause(), paused.resume()));
    loop.advance(0.1);
    expect(loop.tick).toBe(13);
  });

  test("in any callback around the step", () => {
    for (const event of ["beforeStep", "enterStep", "beat", "step", "leaveStep", "afterStep"] as const) {
      const loop = new Loop({ rate: 100 });
      loop.on(event, ({ tick }) => void (tick === 2 && loop.pause()));
      loop.advance(0.105);
      expect([event, loop.tick, loop.lostSeconds]).toEqual([event, 3, 0]);
    }
  });

  test("pausing in a frame that pays debt back loses nothing", () => {
    const loop = new Loop({ rate: 100, maxFrameTime: 0.1 });
    catchUp(loop, 0.001);
    loop.advance(0.101);
    loop.on("step", () => loop.pause());
    loop.advance(0.019);
    expect(loop.lostSeconds).toBe(0);
  });
});

describe("stop", () => {
  test("in a step finishes the step, and calls nothing more", () => {
    const { heard, loop } = inStep2((stopped) => stopped.stop());
    expect(heard).toEqual(["step 0", "step 1", "step 2", "after"]);
    expect([loop.tick, loop.alpha, loop.lostSeconds]).toEqual([3, 0.5, 0]);
  });

  test("in render, no further frame runs, although the driver has one", () => {
    const driver = manualDriver();
    const heard: string[] = [];
    const loop: Loop = new Loop({
      rate: 60,
      step: ({ tick }) => void heard.push(`step ${tick}`),
      render({ steps }) {
        heard.push("render");
        if (steps > 0) loop.stop();
      },
    });
    loop.start(driver);
    driver.play([0, 17, 100, 200]);
    expect(heard).toEqual(["render", "step 0", "render"]);
    expect(loop.running).toBe(false);
    expect(() => driver.wait(0.1)).toThrow("Call loop.start(driver) first");
  });

  test("before the drawing, nothing is drawn", () => {
    for (const event of ["frame", "present", "beforeRender"] as const) {
      let drawn = 0;
      const loop = new Loop({ rate: 60, render: () => void drawn++ });
      loop.on(event, () => loop.stop());
      loop.advance(0.1);
      expect([event, drawn, loop.tick]).toEqual([event, 0, 6]);
      // By hand, the next frame is whole.
      loop.advance(0.1);
      expect(loop.tick).toBe(12);
    }
  });

  test("in a step reports no overload in that frame", () => {
    const heard: string[] = [];
    const loop: Loop = new Loop({ rate: 100, step: () => loop.stop() });
    onOverload(loop, () => void heard.push("overload"));
    loop.on("afterStep", () => void heard.push("after"));
    loop.advance(5);
    expect(heard).toEqual(["after"]);
  });

  test("and a start in the same callback continue with the next frame", () => {
    const loop = manualLoop({
      rate: 100,
      step({ tick }) {
        if (tick !== 2) return;
        loop.stop();
        loop.start();
      },
    });
    loop.driver.play([1000, 1100]);
    expect([loop.tick, loop.running]).toEqual([3, true]);
    // The first frame sets the clock.
    loop.driver.play([1200, 1250]);
    expect(loop.tick).toBe(8);
  });
});

describe("reset", () => {
  test("in a step takes effect once the frame's steps have ended", () => {
    const heard: unknown[] = [];
    const loop: Loop = new Loop({
      rate: 10,
      step({ tick }) {
        heard.push(tick);
        if (heard.length === 2) loop.reset();
      },
      render: ({ tick, alpha, shownTime }) => void heard.push({ tick, alpha, shownTime }),
      maxFrameTime: 1,
    });
    loop.on("reset", () => void heard.push("reset"));
    loop.advance(0.55);
    expect(heard).toEqual([0, 1, "reset", { tick: 0, alpha: 0, shownTime: 0 }]);
    expect([loop.tick, loop.kernel.owed, loop.lostSeconds]).toEqual([0, 0, 0]);
    loop.advance(0.1);
    expect(heard.slice(4)).toEqual([0, { tick: 1, alpha: 0, shownTime: 0 }]);
  });

  test("in render takes effect after the frame", () => {
    const heard: string[] = [];
    const loop: Loop = new Loop({
      rate: 10,
      render({ tick }) {
        heard.push(`render ${tick}`);
        if (tick === 2) loop.reset();
        heard.push(`still ${loop.tick}`);
      },
    });
    loop.on("afterRender", () => void heard.push(`after ${loop.tick}`));
    loop.on("reset", () => void heard.push(`reset ${loop.tick}`));
    loop.advance(0.2);
    expect(heard).toEqual(["render 2", "still 2", "after 2", "reset 0"]);
  });

  test.each(["pause", "stop", "reset"] as const)(
    "whose listener calls %s leaves the next frame whole",
    (action) => {
      let asks = false;
      let renders = 0;
      const loop: Loop = new Loop({
        rate: 10,
        render() {
          renders++;
          if (asks) loop.reset();
          asks = false;
        },
      });
      const off = loop.on("reset", () => {
        off();
        loop[action]();
        loop.resume();
      });
      times(2, () => loop.advance(0.1));
      asks = true;
      loop.advance(0.1);
      loop.advance(0.2);
      expect([loop.tick, renders]).toEqual([2, 4]);
    },
  );

  test("in a forced step runs the other steps first", () => {
    const loop: Loop = new Loop({ rate: 60, step: ({ tick }) => void (tick === 1 && loop.reset()) });
    let steps = 0;
    loop.on("afterStep", () => void steps++);
    loop.runSteps(5);
    expect([steps, loop.tick]).toEqual([5, 0]);
  });

  test("in a beat, whose phase then starts again", () => {
    const heard: string[] = [];
    const loop: Loop = new Loop({ rate: 10, step: ({ tick }) => void heard.push(`${tick}`) });
    every(loop, 5, ({ tick }) => {
      heard.push(`beat ${tick}`);
      if (heard.length > 3) loop.reset();
    });
    loop.advance(0.25);
    loop.advance(0.2);
    loop.advance(0.1);
    expect(heard).toEqual(["beat 0", "0", "1", "beat 1", "2", "beat 0", "0"]);
  });

  test("and a new rate in one callback: the loop starts again at the new rate", () => {
    for (const acts of [
      (loop: Loop) => (changeRate(loop, 10), loop.reset()),
      (loop: Loop) => (loop.reset(), changeRate(loop, 10)),
    ]) {
      const loop: Loop = new Loop({ rate: 60, render: ({ tick }) => void (tick === 6 && acts(loop)) });
      loop.advance(0.1);
      expect([loop.tick, loop.time, loop.rate]).toEqual([0, 0, [10, 1]]);
      loop.advance(0.2);
      expect([loop.tick, loop.time]).toEqual([2, 0.2]);
    }
  });

  test("does not distort the costs of its frame", () => {
    let clock = 5000;
    let asks = false;
    const loop: Loop = new Loop({
      rate: 10,
      step() {
        clock += 1;
        if (asks) loop.reset();
        asks = false;
      },
      render: () => void (clock += 2),
    });
    const figures = measure(loop, () => clock);
    loop.advance(0.1);
    asks = true;
    loop.advance(0.1);
    expect(figures.renderCost).toBe(0.002);
  });
});

describe("a frame inside a frame", () => {
  test("advance and runSteps throw in any callback", () => {
    for (const call of [(loop: Loop) => loop.advance(0.1), (loop: Loop) => loop.runSteps()])
      for (const where of ["step", "render"] as const) {
        const loop: Loop = new Loop({ rate: 60, [where]: () => call(loop) });
        expect(() => loop.advance(0.02)).toThrow(
          /^Loop\.\w+: cannot be called from a callback \(tick \d\)\. Call it after the frame/,
        );
        // Not because of the last frame.
        expect(() => call(new Loop({ rate: 60 }))).not.toThrow();
      }
  });

  test("a nested frame of the driver throws, and the loop goes on", () => {
    const driver = manualDriver();
    let nested: unknown;
    const loop = new Loop({
      rate: 100,
      step() {
        if (nested) return;
        try {
          driver.wait(0.1);
        } catch (error) {
          nested = error;
        }
      },
    });
    loop.start(driver);
    driver.wait(0.1);
    const { tick } = loop;
    driver.wait(0.1);
    expect(loop.tick - tick).toBe(10);
    expect(nested).toMatchObject({ code: "reentrant", call: "Loop.advance" });
  });

  test("another loop may run inside a step", () => {
    const inner = new Loop({ rate: 10 });
    const outer = new Loop({ rate: 60, step: ({ dt }) => inner.advance(dt) });
    for (let i = 0; i < 10; i++) outer.advance(0.1);
    expect([outer.tick, inner.tick]).toEqual([60, 10]);
  });
});

describe("settings in a step", () => {
  test("a time scale takes effect with the next frame", () => {
    const loop: Loop = new Loop({ rate: 60, step: () => timeScale(loop).set(0.5) });
    loop.advance(0.1);
    expect(loop.tick).toBe(6);
    loop.advance(0.1);
    expect(loop.tick).toBe(9);
  });

  test("maxFrameTime takes effect with the next frame, maxSteps at once", () => {
    const longer: Loop = new Loop({ rate: 100, step: () => void (longer.maxFrameTime = 0.01) });
    longer.advance(0.1);
    longer.advance(0.1);
    expect([longer.tick, longer.lostSeconds]).toEqual([11, 0.09]);
    const fewer: Loop = new Loop({ rate: 100, step: () => void (fewer.maxSteps = 4) });
    fewer.advance(0.1);
    expect([fewer.tick, fewer.lostSeconds]).toEqual([4, 0.06]);
  });

  test("a loop may be started on another driver in a step", () => {
    const [first, second] = [manualDriver(), manualDriver(7000)];
    const loop: Loop = new Loop({ rate: 100, step: ({ tick }) => void (tick === 4 && loop.start(second)) });
    loop.start(first);
    first.play([0, 100]);
    expect([loop.tick, loop.driver === second, loop.running]).toEqual([10, true, true]);
    expect(() => first.wait(0.1)).toThrow("no loop is running");
    second.play([7000, 7050]);
    expect(loop.tick).toBe(15);
  });
});

test("start, stop, pause, resume and reset are events, once each", () => {
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
