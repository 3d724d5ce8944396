import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { every, Loop } from "../loop/index.js";
import { manualLoop } from "../testing/index.js";
import { traceLoop } from "./trace.js";

const measure = vi.spyOn(performance, "measure");
const mark = vi.spyOn(performance, "mark");
beforeEach(() => void vi.clearAllMocks());
afterAll(() => void vi.restoreAllMocks());
afterEach(() => performance.clearMeasures());

interface Span {
  readonly start: number;
  readonly end: number;
  readonly detail: Readonly<Record<string, unknown>>;
}
/** The spans recorded so far, as `[name, options]`. */
const spans = () => measure.mock.calls as unknown as readonly (readonly [string, Span])[];
const names = () => spans().map(([name]) => name);

test("one span per step and per drawing, named after its tick", () => {
  const loop = manualLoop({ rate: 50 });
  traceLoop(loop);
  loop.driver.play([1000, 1020, 1060, 1065]);
  expect(names().join(", ")).toBe("render 0, step 0, render 1, step 1, step 2, render 3, render 3");
  expect(spans()[4]![1].detail).toEqual({
    tick: 2,
    time: 0.04,
    devtools: {
      dataType: "track-entry",
      track: "Tickwise",
      color: "primary",
      properties: [
        ["tick", "2"],
        ["time", "0.04"],
      ],
    },
  });
  expect(spans()[6]![1].detail).toMatchObject({ tick: 3, steps: 0, alpha: 0.25 });
});

test("spans are in order, and hold what ran in them", () => {
  const inside: number[] = [];
  const loop = new Loop({
    rate: 50,
    step: () => void inside.push(performance.now()),
    render: () => void inside.push(performance.now()),
  });
  traceLoop(loop);
  every(loop, 50, () => inside.push(performance.now()));
  loop.advance(0.04);
  expect(names()).toEqual(["step 0", "step 1", "render 2"]);
  let last = 0;
  for (const [i, [name, { start, end }]] of spans().entries()) {
    expect(start, name).toBeGreaterThanOrEqual(last);
    const ran = i < 2 ? inside.slice(2 * i, 2 * i + 2) : inside.slice(4);
    for (const time of ran) expect(time >= start && time <= end, name).toBe(true);
    last = end;
  }
});

test("an overload is as long as the time that its frame had to simulate", () => {
  const loop = new Loop({ rate: 50, maxFrameTime: 0.02 });
  traceLoop(loop, { track: "Physics" });
  loop.advance(0.03);
  expect(names()).toEqual(["step 0", "overload 1", "render 1"]);
  const { start, end, detail } = spans()[1]![1];
  expect(end - start).toBeCloseTo(30, 6);
  expect(detail).toMatchObject({
    tick: 1,
    lost: 0.01,
    clamped: 0.01,
    skipped: 0,
    devtools: { track: "Physics" },
  });
});

test("a span does not begin before the page", () => {
  const loop = new Loop({ rate: 50 });
  traceLoop(loop);
  loop.advance(1e6);
  expect(spans().find(([name]) => name.startsWith("overload"))?.[1].start).toBe(0);
});

test("nothing is kept in the timeline, unless asked for; observers see it all", async () => {
  const seen: string[] = [];
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  const observer = new PerformanceObserver((list) => {
    seen.push(...list.getEntries().map(({ name }) => name));
    if (seen.length === 4) resolve();
  });
  observer.observe({ type: "measure" });
  const loop = new Loop({ rate: 50 });
  const stop = traceLoop(loop);
  loop.advance(0.02);
  const kept = () => performance.getEntriesByType("measure").map(({ name }) => name);
  expect(kept()).toEqual([]);
  stop();
  traceLoop(loop, { keep: true });
  loop.advance(0.02);
  expect(kept()).toEqual(["step 1", "render 2"]);
  await promise;
  observer.disconnect();
  expect(seen).toEqual(["step 0", "render 1", "step 1", "render 2"]);
});

test("costs nothing when it is off: no span, no mark, no part", () => {
  const loop = new Loop({ rate: 50 });
  loop.advance(0.02);
  const stop = traceLoop(loop);
  loop.advance(0.02);
  expect(names()).toEqual(["step 1", "render 2"]);
  stop();
  expect(loop.parts).toEqual([]);
  for (let frame = 0; frame < 100; frame++) loop.advance(0.02);
  loop.advance(10);
  expect(spans().length).toBe(2);
  expect(mark).not.toHaveBeenCalled();
});

test("rejects bad options, and platforms without User Timing", () => {
  const loop = new Loop({ rate: 50 });
  expect(() => traceLoop(loop, { keeps: true } as never)).toThrow(
    'traceLoop: unknown option "keeps". Did you mean "keep"?',
  );
  expect(() => traceLoop(loop, { keep: 1 } as never)).toThrow(/^traceLoop: keep must be a boolean, got 1/);
  expect(() => traceLoop(loop, { track: 1 } as never)).toThrow(/^traceLoop: track must be a string, got 1/);
  expect(() => traceLoop({} as never)).toThrow(/^traceLoop: loop must be a Loop/);
  vi.stubGlobal("performance", { now: () => 0 });
  try {
    expect(() => traceLoop(loop)).toThrow(
      "traceLoop: performance.measure does not exist on this platform. Use measure(loop).",
    );
  } finally {
    vi.unstubAllGlobals();
  }
});
