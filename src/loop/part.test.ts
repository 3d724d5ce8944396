import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import type { StepInfo } from "./info.js";
import { Loop } from "./loop.js";
import { changeRate } from "./parts/change-rate.js";
import { every } from "./parts/every.js";

test("hooks are called in a fixed order, whatever the order of attachment", () => {
  const heard: string[] = [];
  const say = (what: string) => () => void heard.push(`${what} ${loop.tick}`);
  const names = [
    "afterRender",
    "present",
    "step",
    "lost",
    "afterStep",
    "align",
    "beforeRender",
    "leaveStep",
    "frame",
    "repay",
    "enterStep",
    "render",
    "lose",
    "scale",
    "beforeStep",
  ] as const;
  const loop: Loop = new Loop({ rate: 10, step: say("step()"), render: say("render()"), maxSteps: 1 });
  for (const name of names) loop.on(name, say(name));
  every(loop, 10, say("beat"));
  loop.use({ step: say("part"), render: say("part") });
  loop.advance(0.2);
  expect(heard).toEqual([
    "scale 0",
    "repay 0",
    "align 0",
    "beforeStep 0",
    "enterStep 0",
    "beat 0",
    "step() 0",
    "step 0",
    "part 0",
    "leaveStep 0",
    "afterStep 1",
    "lose 1",
    "lost 1",
    "frame 1",
    "present 1",
    "beforeRender 1",
    "render() 1",
    "render 1",
    "part 1",
    "afterRender 1",
  ]);
});

describe("while listeners are called", () => {
  test("others may be added and removed", () => {
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

  test("one may remove itself, and twice is once", () => {
    let calls = 0;
    const loop = new Loop({ rate: 60 });
    const off = loop.on("step", () => {
      calls++;
      off();
      off();
    });
    loop.on("step", () => void (calls += 10));
    loop.runSteps(3);
    expect(calls).toBe(31);
  });

  test("a part that a step attaches takes part in what is left of that step", () => {
    const heard: string[] = [];
    const loop: Loop = new Loop({
      rate: 60,
      step({ tick }) {
        if (tick !== 1) return;
        const say = (what: string) => (info: StepInfo) => void heard.push(`${what} ${info.tick}`);
        loop.use({ beforeStep: say("before"), leaveStep: say("leave"), afterStep: say("after") });
      },
    });
    loop.advance(0.05);
    expect(heard).toEqual(["leave 1", "after 1", "before 2", "leave 2", "after 2"]);
  });

  test("a part that a step removes is not called again", () => {
    let calls = 0;
    const loop: Loop = new Loop({ rate: 60, step: ({ tick }) => void (tick === 2 && remove()) });
    const remove = loop.use({ leaveStep: () => void calls++, render: () => void (calls += 100) });
    loop.advance(0.1);
    expect([calls, loop.parts]).toEqual([2, []]);
  });

  test("one that render attaches is called in that frame", () => {
    let calls = 0;
    let isAttached = false;
    const loop: Loop = new Loop({
      rate: 60,
      render() {
        if (isAttached) return;
        isAttached = true;
        loop.on("afterRender", () => void calls++);
        loop.use({ afterRender: () => void calls++ });
      },
    });
    loop.advance(0.01);
    expect(calls).toBe(2);
  });

  test("a part that scales time may come and go in a frame: it counts from the next one on", () => {
    const half = {
      scale: (time: { units: number }) => void (time.units /= 2),
      unscale: (s: number) => 2 * s,
    };
    let remove: (() => void) | undefined;
    const loop: Loop = new Loop({
      rate: 10,
      step({ tick }) {
        if (tick === 0) remove = loop.use(half);
        if (tick === 2) remove!();
      },
    });
    for (let i = 0; i < 3; i++) loop.advance(0.2);
    expect([loop.tick, loop.kernel.owed]).toEqual([2 + 1 + 2, 0]);
  });
});

describe("use", () => {
  test("calls hooks as methods of the part, and returns what removes it", () => {
    class Ball {
      y = 0;
      step({ dt }: StepInfo) {
        this.y += dt;
      }
    }
    const ball = new Ball();
    const loop = new Loop({ rate: 50 });
    const remove = loop.use(ball);
    expect(loop.parts).toEqual([ball]);
    loop.runSteps(2);
    remove();
    remove();
    loop.runSteps(2);
    expect([ball.y, loop.parts]).toEqual([0.04, []]);
  });

  test.each<[unknown, string]>([
    [undefined, "Loop.use: "],
    [null, "Loop.use: "],
    [1, "Loop.use: "],
    ["step", "Loop.use: "],
    [{}, "Loop.use: step must be a function, got undefined. Try { step() {} }."],
    [{ steps() {} }, "Loop.use: step must be a function, got undefined."],
    [{ step: 1 }, "Loop.use: step must be a function, got 1."],
    [{ step() {}, render: "draw" }, 'Loop.use: render must be a function, got "draw".'],
  ])("rejects %o, and attaches nothing of it", (part, message) => {
    const loop = new Loop({ rate: 60 });
    expect(() => loop.use(part as never)).toThrow(errorWith("bad-value", message));
    expect(loop.parts).toEqual([]);
    loop.advance(0.1);
  });

  test("a part with a bad hook is not attached in part", () => {
    let steps = 0;
    const loop = new Loop({ rate: 60 });
    expect(() => loop.use({ step: () => void steps++, render: 1 as never })).toThrow("Loop.use: render");
    loop.runSteps();
    expect(steps).toBe(0);
  });

  test("a part may refuse another, or a new rate", () => {
    const loop = new Loop({ rate: 60 });
    loop.use({
      use({ name }) {
        if (name === "every" || name === "changeRate") throw new Error(`no ${name}`);
      },
    });
    expect(() => every(loop, 4, () => {})).toThrow("no every");
    expect(() => every(loop, 4, () => {})).toThrow("no every");
    expect(() => changeRate(loop, 30)).toThrow("no changeRate");
    loop.use({ step() {} });
    expect([loop.parts.length, loop.rate]).toEqual([2, [60, 1]]);
  });
});

describe("on", () => {
  test.each(["steps", "toString", "__proto__", "", 1, null, undefined])("rejects the event %o", (event) => {
    expect(() => new Loop({ rate: 60 }).on(event as never, () => {})).toThrow(
      errorWith("unknown-name", "Loop.on"),
    );
  });

  test("suggests the event that was probably meant", () => {
    expect(() => new Loop({ rate: 60 }).on("steps" as never, () => {})).toThrow(
      'Loop.on: unknown event "steps". Did you mean "step"?',
    );
  });

  test.each([undefined, null, 1, "f", {}])("rejects %o as a listener", (listener) => {
    expect(() => new Loop({ rate: 60 }).on("step", listener as never)).toThrow(
      errorWith("bad-value", "Loop.on: listener must be a function"),
    );
  });
});

describe("a callback that returns a promise throws, and its step does not count", () => {
  const async = (async () => {
    await Promise.resolve();
    throw new Error("late");
  }) as () => void;
  const message = (subject: string) =>
    errorWith("async-callback", `${subject} must be synchronous, but it returned a promise.`);

  test("step", () => {
    const loop = new Loop({ rate: 60, step: async });
    expect(() => loop.advance(0.1)).toThrow(message("Loop: step"));
    expect(() => loop.runSteps(2)).toThrow(message("Loop: step"));
    expect(loop.tick).toBe(0);
  });

  test("the step of a part", () => {
    const loop = new Loop({ rate: 60 });
    loop.use({ step: async });
    expect(() => loop.advance(0.1)).toThrow(message("Loop.use: step"));
    expect(loop.tick).toBe(0);
  });

  test("a beat", () => {
    const loop = new Loop({ rate: 60 });
    every(loop, 10, async);
    expect(() => loop.advance(0.1)).toThrow(message("every: run"));
    expect(loop.tick).toBe(0);
  });

  test("other results are ignored, and so are promises of render", () => {
    let steps = 0;
    const loop = new Loop({
      rate: 60,
      step: () => (steps += 1) as never,
      render: (async () => {}) as () => void,
    });
    every(loop, 60, (() => "text") as () => void);
    loop.runSteps(3);
    expect(steps).toBe(3);
  });
});
