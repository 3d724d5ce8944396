import { afterEach, describe, expect, test, vi } from "vitest";
import type { LongFrame, LongScript } from "../platform/index.js";
import type { Loop } from "../loop/index.js";
import type * as testing from "../testing/index.js";
import { hitchText } from "./hitches.js";

const script = (options: Partial<LongScript> = {}): LongScript => ({
  invoker: "TimerHandler:setTimeout",
  invokerType: "user-callback",
  sourceURL: "https://example.com/game/level.js?v=3#x",
  sourceFunctionName: "loadLevel",
  sourceCharPosition: 120,
  duration: 90,
  forcedStyleAndLayoutDuration: 0,
  ...options,
});
const frame = (duration: number, ...scripts: LongScript[]): LongFrame => ({
  startTime: 1000,
  duration,
  styleAndLayoutStart: 1000 + duration - 2,
  scripts,
});

describe("names the culprit", () => {
  test("a function, with its file, its position and what called it", () => {
    expect(hitchText([frame(100, script())])).toBe(
      "One recent frame of the page took 50 ms or more: 100 ms. loadLevel (level.js, character 120, called by TimerHandler:setTimeout) took 90 ms of it. Do it in a worker, in small parts, or while the game loads.",
    );
  });

  test("the one that took longest in all frames together", () => {
    const other = script({ sourceFunctionName: "other", duration: 70 });
    expect(
      hitchText([
        frame(100, other),
        frame(80, script({ duration: 40 })),
        frame(90, script({ duration: 45 })),
      ]),
    ).toMatch(
      /^3 recent frames of the page took 50 ms or more, the longest 100 ms\. loadLevel .* took 85 ms of it\./,
    );
  });

  test("a function without a name, and a position that is not known", () => {
    const it = script({ sourceFunctionName: "", sourceCharPosition: -1, invoker: "IMG#hero.onload" });
    expect(hitchText([frame(100, it)])).toContain(
      " A function (level.js, called by IMG#hero.onload) took 90 ms",
    );
  });

  test("a frame callback, which may be the loop's own", () => {
    const it = script({ invoker: "FrameRequestCallback", sourceFunctionName: "onFrame" });
    expect(hitchText([frame(100, it)])).toMatch(
      /It runs in frames: make steps and drawing cheaper, or spread/,
    );
  });

  test("a message of a worker", () => {
    expect(hitchText([frame(100, script({ invoker: "Worker.onmessage" }))])).toMatch(
      /The page rebuilds the objects of the worker's message: transfer typed arrays instead\.$/,
    );
  });

  test("a script that is evaluated", () => {
    const it = script({
      invokerType: "module-script",
      invoker: "https://example.com/a.js",
      sourceFunctionName: "",
    });
    expect(hitchText([frame(100, it)])).toContain(
      "The script (level.js, character 120) took 90 ms of it. Load it before the game starts.",
    );
  });

  test("forced layouts", () => {
    expect(hitchText([frame(100, script({ forcedStyleAndLayoutDuration: 80 }))])).toContain(
      "80 ms of that were forced layouts: read sizes and positions before you change styles.",
    );
  });

  test("style, layout and painting", () => {
    expect(hitchText([{ ...frame(100, script({ duration: 20 })), styleAndLayoutStart: 1030 }])).toContain(
      "70 ms went into style, layout and painting: change less of the page.",
    );
  });

  test("the browser itself, also if nothing was drawn", () => {
    for (const it of [
      frame(100),
      frame(100, script({ duration: 10 })),
      { ...frame(100), styleAndLayoutStart: 0 },
    ])
      expect(hitchText([it])).toMatch(
        /No script took most of it\. The browser itself did: it parsed a large response/,
      );
  });
});

describe("diagnose", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  /** Loads a fresh copy of the modules in a browser that reports these frames, and diagnoses a loop that ran for three seconds. */
  async function kinds(frames: readonly LongFrame[], play: Play = byHand, types = ["long-animation-frame"]) {
    const waiting = [...frames];
    class Observer {
      static readonly supportedEntryTypes = types;
      observe() {}
      takeRecords = () => waiting.splice(0);
    }
    vi.stubGlobal("PerformanceObserver", Observer);
    vi.stubGlobal("performance", { now: () => 10_000 });
    return diagnosed(play);
  }
  async function diagnosed(play: Play) {
    vi.resetModules();
    const [{ diagnose }, fresh, { manualDriver }] = await Promise.all([
      import("./diagnose.js"),
      import("../loop/index.js"),
      import("../testing/index.js"),
    ]);
    const loop = new fresh.Loop({ rate: 50 });
    fresh.measure(loop);
    play(loop, { manualDriver });
    return diagnose(loop).map(({ kind }) => kind);
  }
  type Testing = Pick<typeof testing, "manualDriver">;
  type Play = (loop: Loop, its: Testing) => void;
  function byHand(loop: Loop) {
    for (let i = 0; i < 150; i++) loop.advance(0.02);
  }
  /** Ends at a time of the page, or of another clock. */
  const until =
    (end: number) =>
    (loop: Loop, { manualDriver }: Testing) => {
      const driver = manualDriver(end - 3000);
      loop.start(driver);
      driver.display(50, 3);
    };
  const at = (startTime: number) => ({ ...frame(100, script()), startTime });

  test("knows the long frames of the loop's recent frames", async () => {
    expect(await kinds([at(7100)])).toEqual(["hitch"]);
    expect(await kinds([at(7001)])).toEqual(["hitch"]);
    expect(await kinds([at(6999)])).toEqual([]);
    expect(await kinds([])).toEqual([]);
  });

  test("looks at the last 64 only", async () => {
    const old = Array.from({ length: 64 }, () => at(1000));
    expect(await kinds([at(9000), ...old])).toEqual([]);
    expect(await kinds([...old, at(9000)])).toEqual(["hitch"]);
  });

  test("says nothing for a loop on a virtual clock, and where frames are not reported", async () => {
    expect(await kinds([at(9000)], until(3000))).toEqual([]);
    expect(await kinds([at(9000)], until(10_000))).toEqual(["hitch"]);
    expect(await kinds([at(9000)], byHand, ["mark"])).toEqual([]);
    vi.unstubAllGlobals();
    expect(await diagnosed(byHand)).toEqual([]);
  });
});
