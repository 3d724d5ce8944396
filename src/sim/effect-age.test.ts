import { describe, expect, test } from "vitest";
import { f64, layout, u32 } from "../state/index.js";
import { manualDriver } from "../testing/index.js";
import { localSession, play, simulation } from "./index.js";

const RATE = 60;
const smoking = simulation({
  name: "smoke",
  version: 1,
  rate: RATE,
  state: layout({ x: f64.lerp }),
  effects: { puff: { x: f64 } },
  step(world, _, { emit }) {
    world.x += 1;
    emit("puff", { x: world.x });
  },
});

/** Plays frames of some seconds each. Returns the effects, each with the time that its frame showed. */
function played(frames: readonly number[], options = {}) {
  const driver = manualDriver(1000);
  const heard: { tick: number; age: number; shownTime: number }[] = [];
  let waiting: { tick: number; age: number }[] = [];
  play(smoking, {
    driver,
    maxFrameTime: 5,
    ...options,
    effect: ({ tick, age }) => void waiting.push({ tick, age }),
    render(_, { shownTime }) {
      heard.push(...waiting.map((effect) => ({ ...effect, shownTime })));
      waiting = [];
    },
  });
  let now = 1000;
  driver.play([now, ...frames.map((seconds) => (now += seconds * 1e3))]);
  return heard;
}

describe.each(["interpolate", "speculate"])("%s", (present) => {
  test.each([24, 30, 59.94, 60, 144, 240])(
    "age is shown time since the state after the tick, at %d fps",
    (fps) => {
      const heard = played(
        Array.from({ length: 200 }, () => 1 / fps),
        { present },
      );
      expect(heard.length).toBeGreaterThan(40);
      for (const { tick, age, shownTime } of heard) {
        expect(age).toBeGreaterThanOrEqual(0);
        expect(age).toBeCloseTo(shownTime - (tick + 1) / RATE, 9);
        // It is delivered in the first frame that shows it.
        expect(age).toBeLessThan(1 / fps + 1e-9);
      }
    },
  );
});

test("after a stall of two seconds, two seconds of smoke are spread over two seconds", () => {
  const heard = played([1 / 60, 1 / 60, 2]);
  const stall = heard.filter(({ shownTime }) => shownTime > 1);
  expect(stall.length).toBe(120);
  const ages = stall.map(({ age }) => age);
  expect(Math.max(...ages)).toBeCloseTo(119 / 60, 1);
  expect(Math.min(...ages)).toBeLessThan(1 / 60);
  // Evenly: one puff per step.
  for (let i = 1; i < ages.length; i++) expect(ages[i - 1]! - ages[i]!).toBeCloseTo(1 / 60, 9);
});

test("each effect has the age of the first frame that shows it", () => {
  const session = localSession(smoking);
  const ages: number[] = [];
  session.on("effect", ({ age }) => void ages.push(age));
  for (let i = 0; i < 3; i++) session.advance();
  session.view(0.25);
  expect(ages.length).toBe(2);
  session.view(0.5);
  session.view(1);
  expect(ages.map((age) => age * RATE)).toEqual([1.25, 0.25, 0]);
});

test("a headless session has no picture in which effects could age", () => {
  const session = localSession(smoking, { present: "none" });
  const ages: number[] = [];
  session.on("effect", ({ age }) => void ages.push(age));
  for (let i = 0; i < 3; i++) session.advance();
  expect(ages).toEqual([0, 0, 0]);
});

test.each([24, 60, 144, 240])(
  "an animation that a step starts begins at age 0 on the screen, at %d fps",
  (fps) => {
    const game = simulation({
      name: "animation",
      version: 1,
      rate: 10,
      state: layout({ started: u32 }),
      step(world, _, { tick }) {
        // The first state that has it.
        if (tick === 4) world.started = tick + 1;
      },
    });
    const driver = manualDriver(1000);
    const ages: number[] = [];
    play(game, {
      driver,
      render({ started }, { shownTime }) {
        if (started > 0) ages.push(shownTime - started / 10);
      },
    });
    driver.play(Array.from({ length: fps }, (_, frame) => 1000 + (frame * 1e3) / fps));
    expect(ages[0]).toBeGreaterThan(-1e-9);
    expect(ages[0]).toBeLessThan(1 / fps);
    for (let i = 1; i < ages.length; i++) expect(ages[i]! - ages[i - 1]!).toBeCloseTo(1 / fps, 8);
  },
);
