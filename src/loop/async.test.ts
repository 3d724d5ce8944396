import { describe, expect, test } from "vitest";
import { manualLoop } from "../testing/index.js";

const later = () => new Promise((resolve) => setTimeout(resolve, 0));
const async = (async () => {
  await later();
  throw new Error("late");
}) as () => void;

describe("a callback that returns a promise throws, and its step does not count", () => {
  test("step", () => {
    const loop = manualLoop({ rate: 60, step: async });
    expect(() => loop.advance(1 / 60)).toThrow(
      "Loop: step must be synchronous, but it returned a promise. Remove async, and await before the loop starts.",
    );
    expect(loop.tick).toBe(0);
    expect(() => loop.runSteps(2)).toThrow("Loop: step must be synchronous");
    expect(loop.tick).toBe(0);
  });

  test("step, with a listener and a time scale", () => {
    const loop = manualLoop({ rate: 60, step: async, maxSteps: 2, timeScale: 0.5 });
    loop.on("step", () => {});
    expect(() => loop.advance(1 / 10)).toThrow("Loop: step must be synchronous");
    expect(loop.tick).toBe(0);
  });

  test("the step of an added object", () => {
    const loop = manualLoop({ rate: 60 });
    loop.add({ step: async });
    expect(() => loop.advance(1 / 60)).toThrow("Loop.add: step must be synchronous");
    expect(loop.tick).toBe(0);
  });

  test("a beat", () => {
    const loop = manualLoop({ rate: 60 });
    loop.every(10, async);
    expect(() => loop.advance(1 / 60)).toThrow("Loop.every: run must be synchronous");
    expect(loop.tick).toBe(0);
  });
});

test("an added object is the `this` of its step", () => {
  const loop = manualLoop({ rate: 60 });
  const counter = {
    count: 0,
    step() {
      this.count += 1;
    },
  };
  const remove = loop.add(counter);
  loop.runSteps(2);
  remove();
  loop.runSteps(1);
  expect(counter.count).toBe(2);
});

test("ignores other results of callbacks, and promises of render", () => {
  let count = 0;
  const loop = manualLoop({
    rate: 60,
    step: () => (count += 1) as never,
    render: (async () => {}) as () => void,
  });
  loop.every(60, (() => "text") as () => void);
  loop.runSteps(3);
  expect(count).toBe(3);
});
