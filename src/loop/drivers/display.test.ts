// The display as a driver. test/pacing measures how even its frames are.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { errorWith } from "../../../test/error-with.js";
import { manualDisplay } from "../../testing/index.js";
import { Loop } from "../loop.js";
import { display } from "./display.js";
import { runHidden } from "./run-hidden.js";

test("where there is no display, the error names the drivers that work", async () => {
  const loop = new Loop({ rate: 60 });
  const screen = display();
  expect(() => loop.start(screen)).toThrow(
    errorWith(
      "unsupported",
      "display: requestAnimationFrame does not exist on this platform. Use timer(), or nodeTimer() of tickwise/node.",
    ),
  );
  expect([loop.running, loop.parts]).toEqual([false, []]);
  await expect(display().rate()).rejects.toThrow(errorWith("unsupported"));
});

describe("the rate of a display", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  test("is 60 Hz if its page has no frames", async () => {
    const screen = display({ frames: { now: () => 0, begin: () => () => {} } });
    const found = screen.rate();
    vi.advanceTimersByTime(5000);
    expect(await found).toBe(60);
    expect(await screen.rate()).toBe(60);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is known to all who ask, and the search leaves nothing behind", async () => {
    let frame: ((timestamp: number) => void) | undefined;
    let searches = 0;
    const screen = display({
      frames: {
        now: () => 0,
        begin(run) {
          searches++;
          frame = run;
          return () => (frame = undefined);
        },
      },
    });
    const told: number[] = [];
    screen.on("rate", (hertz) => void told.push(Math.round(hertz)));
    const both = Promise.all([screen.rate(), screen.rate()]);
    for (let i = 0; frame && i < 300; i++) frame(3 + i * 8.3333);
    const [one, other] = await both;
    expect(Math.round(one)).toBe(120);
    expect([other, told, searches, frame, vi.getTimerCount()]).toEqual([one, [120], 1, undefined, 0]);
  });

  test("may be searched for while a loop runs", async () => {
    const screen = manualDisplay({}, 3);
    const loop = new Loop({ rate: 60 });
    loop.start(screen);
    const found = screen.rate();
    screen.display(75, 3);
    expect(Math.round(await found)).toBe(75);
    expect(Math.abs(loop.time - 3)).toBeLessThan(0.05);
  });

  test("goes on if a loop starts meanwhile", async () => {
    const screen = manualDisplay({}, 3);
    const found = screen.rate();
    screen.display(75, 0.5);
    const loop = new Loop({ rate: 60 });
    loop.start(screen);
    screen.display(75, 3);
    expect(Math.round(await found)).toBe(75);
    expect(loop.tick).toBeGreaterThan(170);
  });
});

test("says what it knows, and what it was created with", () => {
  const options = { frameCap: 60 } as const;
  const screen = manualDisplay(options, 3);
  const loop = new Loop({ rate: 60 });
  expect([screen.info.period, screen.info.locked]).toEqual([0, false]);
  loop.start(screen);
  screen.display(120, 2);
  expect(screen.info).toMatchObject({ locked: true, refreshes: 1, coarse: false });
  expect(screen.info.period).toBeCloseTo(1000 / 120, 3);
  expect(screen.options.frameCap).toBe(60);
});

test("a display that stops takes its parts along, and lends nothing twice", () => {
  const screen = manualDisplay({ frameCap: "half" }, 3);
  let drawn = 0;
  const loop = new Loop({ rate: 60, render: () => void drawn++ });
  for (let i = 0; i < 3; i++) {
    loop.start(screen);
    screen.display(60, 1);
    loop.stop();
    expect(loop.parts).toEqual([]);
  }
  expect(loop.kernel.lead).toBeLessThanOrEqual(1.5 * loop.kernel.step);
  drawn = 0;
  for (let i = 0; i < 10; i++) loop.advance(1 / 60);
  expect(drawn).toBe(10);
});

test("a clock of its own gives frames other times", () => {
  const screen = manualDisplay({
    clock: { advance: (time) => time / 2, at: (time) => time / 2, pageTimeOf: (time) => time * 2 },
  });
  const loop = new Loop({ rate: 100 });
  loop.start(screen);
  screen.play([0, 50, 100, 150, 200]);
  expect(loop.frame.timestamp).toBe(100);
  expect(Math.abs(loop.tick - 10)).toBeLessThanOrEqual(1);
  expect([screen.now(), screen.pageTimeOf!(100)]).toEqual([100, 200]);
});

describe("rejects", () => {
  test.each<[object, string]>([
    [{ frameCap: 0 }, "display: frameCap"],
    [{ frameCap: "third" }, "display: frameCap"],
    [{ hidden: "run" }, 'display: hidden must be "pause" or runHidden(), got "run". Try runHidden().'],
    [{ hidden: null }, "display: hidden"],
    [{ frames: null }, "display: frames"],
    [{ frames: 1 }, "display: frames"],
    [{ frames: {} }, "display: frames.begin"],
    [{ frames: { begin() {} } }, "display: frames.now"],
    [{ clock: null }, "display: clock"],
    [{ clock: {} }, "display: clock.advance"],
  ])("%o", (options, message) => {
    expect(() => display(options as never)).toThrow(errorWith("bad-value", message));
  });

  test("unknown options and events", () => {
    expect(() => display({ framecap: 60 } as never)).toThrow(
      'unknown option "framecap". Did you mean "frameCap"?',
    );
    expect(() => display().on("rates" as never, () => {})).toThrow(errorWith("unknown-name", "Display.on"));
    expect(() => display().on("rate", 1 as never)).toThrow(errorWith("bad-value", "Display.on: listener"));
    expect(typeof runHidden()).toBe("function");
  });
});
