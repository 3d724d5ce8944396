import { describe, expect, test } from "vitest";
import { errorWith } from "../../../test/error-with.js";
import { Loop } from "../loop.js";
import { rateInStep } from "../rate-in-step.js";
import { every } from "./every.js";

const times = (count: number, run: () => void) => {
  for (let i = 0; i < count; i++) run();
};

test("a beat runs just before the first step at or after its time", () => {
  const heard: string[] = [];
  const loop = new Loop({ rate: 60, step: ({ tick }) => void heard.push(`${tick}`) });
  const beat = every(loop, 25, ({ tick, dt, time }) => void heard.push(`beat ${tick} ${dt} ${time}`));
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

test("several beats before a step run in order of exact time, then of declaration", () => {
  const heard: string[] = [];
  const loop = new Loop({ rate: 10, step: ({ tick }) => void heard.push(`${tick}`) });
  every(loop, 40, ({ tick }) => void heard.push(`a${tick}`));
  every(loop, 30, ({ tick }) => void heard.push(`b${tick}`));
  every(loop, 20, ({ tick }) => void heard.push(`c${tick}`));
  loop.runSteps(2);
  expect(heard.join(" ")).toBe("a0 b0 c0 0 a1 b1 a2 c1 b2 a3 a4 b3 c2 1");
});

test("60 and 20 Hz are in phase after 24 hours", () => {
  const loop = new Loop({ rate: 60 });
  let wrong = 0;
  const beat = every(loop, 20, ({ tick }) => {
    if (loop.tick !== tick * 3) wrong++;
  });
  loop.runSteps(24 * 3600 * 60);
  expect([wrong, beat.tick]).toEqual([0, 24 * 3600 * 20]);
});

test("alpha lies between the last two beats, and grows evenly", () => {
  const loop = new Loop({ rate: 60 });
  const beat = every(loop, 10, () => {});
  const alphas: number[] = [];
  loop.on("render", () => void alphas.push(beat.alpha));
  times(120, () => loop.advance(1 / 240));
  for (const alpha of alphas) expect(alpha >= 0 && alpha <= 1).toBe(true);
  expect(beat.alpha).toBeCloseTo(loop.frame.shownTime * 10 - (beat.tick - 1), 10);
  const moves = alphas.slice(40).map((alpha, i) => alpha - alphas[i + 39]!);
  for (const move of moves.filter((change) => change > 0)) expect(move).toBeCloseTo(10 / 240, 9);
});

describe("a beat that is declared later", () => {
  test("in a step starts with the next step", () => {
    const heard: string[] = [];
    const loop: Loop = new Loop({
      rate: 60,
      step({ tick }) {
        if (tick === 1) every(loop, 60, (late) => void heard.push(`late ${late.tick}`));
      },
    });
    const beat = every(loop, 60, ({ tick }) => {
      heard.push(`once ${tick}`);
      beat.dispose();
    });
    loop.runSteps(4);
    expect(heard).toEqual(["once 0", "late 2", "late 3"]);
  });

  test("has the phase that it would have had from the start", () => {
    const loop = new Loop({ rate: 60 });
    const early = every(loop, 7, () => {});
    loop.runSteps(100);
    const late = every(loop, 7, () => {});
    expect(late.tick).toBe(early.tick);
    loop.runSteps(1000);
    expect(late.tick).toBe(early.tick);
  });
});

test("dispose ends a beat", () => {
  const loop = new Loop({ rate: 60 });
  const beat = every(loop, 60, () => {});
  loop.runSteps(3);
  beat.dispose();
  beat.dispose();
  loop.runSteps(3);
  expect(beat.tick).toBe(3);
});

test("a beat that throws runs again; one whose step throws does not", () => {
  const heard: string[] = [];
  let fails = true;
  const loop = new Loop({ rate: 10, step: ({ tick }) => void heard.push(`${tick}`) });
  every(loop, 5, ({ tick }) => void heard.push(`first ${tick}`));
  every(loop, 5, ({ tick }) => {
    heard.push(`second ${tick}`);
    if (fails) throw new Error("mine");
  });
  expect(() => loop.advance(0.1)).toThrow("mine");
  fails = false;
  loop.advance(0);
  expect(heard).toEqual(["first 0", "second 0", "second 0", "0"]);
});

test("events of a beat: before and after its callback, before each frame, and resets", () => {
  const heard: string[] = [];
  const loop = new Loop({ rate: 10 });
  const beat = every(loop, 5, ({ tick }) => void heard.push(`run ${tick}`));
  beat.on("enterStep", ({ tick, dt }) => void heard.push(`enter ${tick} ${dt}`));
  const off = beat.on("leaveStep", ({ tick }) => void heard.push(`leave ${tick}`));
  beat.on("beforeRender", ({ tick, alpha, steps }) => void heard.push(`draw ${tick} ${alpha} ${steps}`));
  beat.on("reset", () => void heard.push("reset"));
  loop.advance(0.15);
  off();
  loop.advance(0.1);
  loop.reset();
  expect(heard).toEqual(["enter 0 0.2", "run 0", "leave 0", "draw 1 0.25 1", "draw 1 0.75 1", "reset"]);
});

test("inside a beat, the rate is the beat's", () => {
  const rates: unknown[] = [];
  const loop = new Loop({ rate: 60, step: () => void rates.push(rateInStep()) });
  every(loop, 4, () => void rates.push(rateInStep()));
  loop.runSteps(1);
  expect([rates, rateInStep()]).toEqual([
    [
      [4, 1],
      [60, 1],
    ],
    undefined,
  ]);
});

describe("rejects", () => {
  const loop = new Loop({ rate: 60 });

  test.each([0, -1, NaN, "4", undefined, null, [60, 0]])("the rate %o", (rate) => {
    expect(() => every(loop, rate as number, () => {})).toThrow(
      errorWith("bad-value", "every: rate must be"),
    );
  });

  test("other bad arguments", () => {
    expect(() => every({} as never, 4, () => {})).toThrow(
      errorWith("bad-value", "every: loop must be a Loop"),
    );
    expect(() => every(loop, 4, 1 as never)).toThrow(errorWith("bad-value", "every: run must be a function"));
    expect(() => Reflect.apply(every, undefined, [loop, 4, () => {}, {}])).toThrow("every: takes at most 3");
    const beat = every(loop, 4, () => {});
    expect(() => beat.on("step" as never, () => {})).toThrow(errorWith("unknown-name", "Beat.on"));
    expect(() => beat.on("reset", 1 as never)).toThrow(errorWith("bad-value", "Beat.on: listener"));
  });
});
