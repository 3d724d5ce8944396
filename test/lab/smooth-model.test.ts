// "Smooth" without a page: figures, fitted lattices, live measurement and trace files.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readValues } from "../../lab/src/address.js";
import { LANES } from "../../lab/src/smooth/lanes.js";
import { fitLattice } from "../../lab/src/smooth/lattice.js";
import { AVOIDABLE, avoidableOf, VISIBLE } from "../../lab/src/smooth/verdicts.js";
import { Live } from "../../lab/src/smooth/live.js";
import { Run } from "../../lab/src/smooth/run.js";
import { displayOf, SETTINGS } from "../../lab/src/smooth/settings.js";
import { framesOf, readTrace, writeTrace, type Trace } from "../../lab/src/smooth/trace.js";
import { displayFrames } from "../../scenes/display.js";
import { judder, judderOf } from "../../scenes/judder.js";
import { oracle } from "../../scenes/pacing.js";
import { CLOCKS, irregularPerMinute, score, warm } from "../../scenes/score.js";

const valuesOf = (query: string) => readValues(SETTINGS, new URLSearchParams(query));
const traceOf = (name: string) =>
  readTrace(readFileSync(new URL(`../../scenes/traces/${name}.json`, import.meta.url), "utf8"));

describe("a run", () => {
  test.each([
    "",
    "clock=whole",
    "clock=whole&stamps=late&refresh=120",
    "refresh=59.94",
    "refresh=144&rate=50&clock=fine&jitter=0.5",
    "drops=3",
  ])("figures equal the scores of the same display: %s", (query) => {
    const values = valuesOf(query);
    const options = displayOf(values);
    const run = Run.of(displayFrames(options), values.rate);
    LANES.forEach(({ pacing }, lane) => {
      const { irregular, ...figures } = run.figures[lane]!;
      expect(figures).toEqual(score(pacing, values.rate, options));
      // A frame dropped at the end makes the minute slightly shorter.
      expect(Math.abs(irregular - irregularPerMinute(pacing, values.rate, options))).toBeLessThanOrEqual(
        values.drops ? 1 : 0,
      );
    });
    expect(run.bestRms).toBe(score(oracle, values.rate, options).rms);
  });

  test("judder is recorded per refresh, and its sum is the picture's offset", () => {
    const frames = displayFrames({ ...displayOf(valuesOf("clock=whole&drops=2")), seconds: 20 });
    const run = Run.of(frames, 60);
    for (const { shown, judder: seen, off } of run.lanes) {
      const errors = judderOf(frames, shown);
      expect(seen.length).toBe(errors.length + 1);
      errors.forEach((error, index) => expect(seen[index + 1]).toBeCloseTo(error, 9));
      expect(off.at(-1)).toBeCloseTo(
        errors.reduce((sum, error) => sum + error, 0),
        6,
      );
    }
    expect(run.missed).toBe(frames.slice(1).reduce((sum, { refreshes }) => sum + refreshes - 1, 0));
  });

  test("dropped frames judder under any clock, and only the rest is avoidable", () => {
    const run = Run.of(displayFrames(displayOf(valuesOf("drops=2"))), 60);
    const [now, , display] = run.figures;
    // A green tick next to this figure would be a lie.
    expect(display!.rms).toBeGreaterThan(VISIBLE);
    expect(avoidableOf(display!.rms, run.bestRms)).toBeLessThan(AVOIDABLE);
    expect(avoidableOf(now!.rms, run.bestRms)).toBeGreaterThan(AVOIDABLE);
    expect(avoidableOf(run.bestRms, run.bestRms)).toBe(0);
  });

  test("only Tickwise is even and regular on a 1 ms clock, at 60 Hz on a 60 Hz display", () => {
    const [now, stamp, display] = Run.of(displayFrames(displayOf(valuesOf("clock=whole"))), 60).figures;
    expect(now!.rms).toBeGreaterThan(0.05);
    expect(stamp!.rms).toBeGreaterThan(0.02);
    expect(display!.rms).toBeLessThan(0.001);
    expect([now!.irregular > 20, stamp!.irregular > 0, display!.irregular]).toEqual([true, true, 0]);
  });

  test("steps are regular only if the rates are nearly in a whole ratio", () => {
    const isRegular = (query: string) =>
      Run.of(displayFrames({ ...displayOf(valuesOf(query)), seconds: 5 }), valuesOf(query).rate)
        .hasRegularSteps;
    expect(isRegular("refresh=59.94")).toBe(true);
    expect(isRegular("refresh=60&rate=120")).toBe(true);
    expect(isRegular("refresh=144")).toBe(false);
    expect(isRegular("refresh=144&sync=variable")).toBe(false);
  });

  test("a stall does not count as judder", () => {
    const frames = displayFrames({ refresh: 60, seconds: 10, stalls: [[5, 1]] });
    for (const { worst } of Run.of(frames, 60).figures.slice(1)) expect(worst).toBeLessThan(0.01);
  });
});

describe("a lattice", () => {
  test.each(Object.entries(CLOCKS))("fits the clock of %s, with and without dropped frames", (_, clock) => {
    for (const refresh of [60, 59.94, 75, 144, 165])
      for (const drops of [0, 0.02]) {
        const frames = displayFrames({ ...clock, refresh, drops, seconds: 30, seed: refresh });
        const { period, refreshes } = fitLattice(frames.map(({ stamp }) => stamp));
        expect(Math.abs((period * refresh) / 1000 - 1)).toBeLessThan(1e-5);
        let number = 0;
        const wrong = frames.filter((frame, index) => {
          if (index > 0) number += frame.refreshes;
          return refreshes[index] !== number;
        });
        // A timestamp that is late by nearly a period can be mistaken for the next refresh, if that one was missed.
        expect(wrong.length).toBeLessThanOrEqual("late" in clock && drops ? 2 : 0);
      }
  });

  test.each([
    ["chromium_idle_1", 60, 0],
    ["chromium_load2", 60, 18],
    ["firefox_idle", 60, 2],
  ])("%s: %f Hz, %i refreshes missed", (name, hertz, missed) => {
    const run = Run.of(framesOf(traceOf(name)).frames, 60);
    expect(1000 / run.period).toBeCloseTo(hertz, 1);
    expect(run.missed).toBe(missed);
    const display = run.figures[2]!;
    expect(display.irregular).toBe(0);
    expect(display.rms).toBeLessThan(run.bestRms + 0.001);
    expect(run.figures[0]!.rms).toBeGreaterThan(display.rms + 0.05);
  });

  test("fits no lattice to webkitgtk_idle, and uses its timestamps", () => {
    const { frames, noise } = framesOf(traceOf("webkitgtk_idle"));
    expect(noise).toBeNaN();
    const run = Run.of(frames, 60);
    expect(run.missed).toBe(0);
    expect(run.figures[1]!.rms).toBeLessThan(1e-9);
  });

  test("a recorded simulation gives the figures of that simulation", () => {
    const frames = displayFrames(displayOf(valuesOf("drops=1")));
    const trace = readTrace(
      writeTrace({ ua: "", T: frames.map(({ stamp }) => stamp), N: frames.map(({ now }) => now) }),
    );
    const [known, found] = [Run.of(frames, 60), Run.of(framesOf(trace).frames, 60)];
    expect(found.missed).toBe(known.missed);
    known.figures.forEach(({ rms, irregular }, lane) => {
      expect(found.figures[lane]!.rms).toBeCloseTo(rms, 3);
      expect(found.figures[lane]!.irregular).toBe(irregular);
    });
  });
});

describe("a live display", () => {
  const frames = displayFrames({ ...CLOCKS.chrome, refresh: 59.94, drops: 0.01, seconds: 70 });

  test("figures cover the last ten seconds, on the fitted lattice", () => {
    const live = new Live(60);
    frames.forEach((frame, index) => {
      live.add(frame);
      if (index % 30 === 0) live.fit();
    });
    live.fit();
    expect(1000 / live.run.period).toBeCloseTo(59.94, 2);
    const start = frames.findIndex(({ stamp }) => stamp >= frames.at(-1)!.stamp - 10_000);
    expect(live.run.frames.length).toBe(frames.length - start);
    LANES.forEach(({ pacing }, lane) => {
      const { shown } = pacing(frames, 60);
      const { rms } = judder(judderOf(frames.slice(start), shown.slice(start)));
      expect(live.run.figures[lane]!.rms).toBeCloseTo(rms, 3);
    });
  });

  test("fits no lattice to a variable-rate display, and uses its timestamps", () => {
    const live = new Live(60);
    for (const frame of displayFrames({ refresh: [48, 144], grid: 0.1, seconds: 8 })) live.add(frame);
    live.fit();
    expect(live.noise).toBeNaN();
    expect(live.run.missed).toBe(0);
    expect(live.run.figures[1]!.rms).toBeLessThan(1e-9);
  });

  test("saves the last minute as a trace", () => {
    const live = new Live(60);
    for (const frame of frames) live.add(frame);
    live.fit();
    const { ua, T, N } = live.trace("me");
    const kept = frames.filter(({ stamp }) => stamp >= frames.at(-1)!.stamp - 60_000);
    expect(ua).toBe("me");
    expect(T).toEqual(kept.map(({ stamp }) => stamp));
    expect(N).toEqual(kept.map(({ now }) => now));
  });

  test("has no figures before it is warm, and starts over after a pause", () => {
    const live = new Live(60);
    for (const frame of frames.slice(0, 120)) live.add(frame);
    live.fit();
    expect([live.isWarm, live.run.refreshes]).toEqual([false, 0]);
    for (const frame of frames.slice(120, 300)) live.add(frame);
    live.fit();
    expect(live.isWarm).toBe(true);
    live.add({ stamp: frames[300]!.stamp + 5000, now: 0 });
    expect([live.isWarm, live.run.refreshes, live.trace("").T.length]).toEqual([false, 0, 1]);
  });
});

describe("a trace file", () => {
  const T = [0, 16.7, 33.3, 50];

  test("round-trips; N is optional, and unknown keys are ignored", () => {
    const trace: Trace = { ua: "x", T, N: T.map((stamp) => stamp + 1) };
    expect(readTrace(writeTrace(trace))).toEqual(trace);
    expect(readTrace(JSON.stringify({ T, load: 2 }))).toEqual({ ua: "", T });
  });

  test.each([
    ["", "it is not JSON"],
    ["T: [1, 2, 3]", "it is not JSON"],
    ["TWRP\u0001", "it is a replay of a game"],
    ['{"version":2,"T":[]}', "its version is 2, and this page reads version 1"],
    ['{"name":"x","version":"0.1.0"}', "it has no array “T” of timestamps"],
    ['{"format":"gltf","T":[]}', 'its format is "gltf", not "tickwise-trace"'],
    ["null", "it has no array “T” of timestamps"],
    ["[1, 2, 3]", "it has no array “T” of timestamps"],
    ['{"T":"1,2,3"}', "it has no array “T” of timestamps"],
    ['{"T":[]}', "“T” has fewer than 3 timestamps: 0"],
    ['{"T":[1,17]}', "“T” has fewer than 3 timestamps: 2"],
    ['{"T":[1,17,"33"]}', 'T[2] is not a number of milliseconds: "33"'],
    ['{"T":[1,null,33]}', "T[1] is not a number of milliseconds: null"],
    ['{"T":[1,17,1e400]}', "T[2] is not a number of milliseconds: null"],
    ['{"T":[1,17,1e14]}', "T[2] is not a number of milliseconds: 100000000000000"],
    ['{"T":[0,17,4e6]}', "it is longer than an hour"],
    ['{"T":[5,5,5]}', "its timestamps are all equal"],
    ['{"T":[51,34,17]}', "its timestamps are not in order"],
    [
      '{"T":[0,0.01,0.02]}',
      "its timestamps are 0.0100 ms apart, but those of a display are 1 to 250 ms apart",
    ],
    [
      '{"T":[0,2000,4000]}',
      "its timestamps are 2.00e+3 ms apart, but those of a display are 1 to 250 ms apart",
    ],
    ['{"T":[0,17,33],"N":[1,2]}', "“N” is not an array of the same length as “T”"],
    ['{"T":[0,17,33],"N":[1,2,{}]}', "N[2] is not a number of milliseconds: an object"],
    ['{"T":[0,17,33],"N":[1,2,9e9]}', "N[2] is more than an hour away from T[2]"],
  ])("rejects %s: %s", (text, message) => {
    expect(() => readTrace(text)).toThrow(expect.objectContaining({ name: "TraceError", message }));
  });

  test("rejects more frames than an hour has", () => {
    const text = `{"T":[${"1,".repeat(250_000)}1]}`;
    expect(() => readTrace(text)).toThrow("“T” has 250001 timestamps, but may have at most 250000");
  });

  test("replays odd timestamps: out of order, doubled, with gaps", () => {
    const odd = [
      [0, 16, 8, 24, 16, 32],
      [0, 16, 16, 16, 33, 33],
      [100, 0, 16, 33, 50],
      [0, 16, 33, 3e6, 3e6 + 16, 3e6 + 33],
      [0, 16, 33],
    ];
    for (const stamps of odd) {
      const run = Run.of(framesOf(readTrace(JSON.stringify({ T: stamps }))).frames, 60);
      expect(run.refreshes).toBeGreaterThanOrEqual(stamps.length);
      for (const { rms, worst } of run.figures) expect([rms, worst].some(Number.isNaN)).toBe(false);
    }
  });
});

test("warm-up frames do not count, unless there are no others", () => {
  const frames = displayFrames({ refresh: 60, seconds: 3 });
  expect(warm(frames)).toBe(121);
  expect(warm(frames.slice(0, 60))).toBe(0);
  expect(Run.of(frames, 60).warmRefresh).toBe(121);
  expect(
    Run.of(displayFrames({ refresh: 60, seconds: 3, drops: 0.1 }), 60).warmRefresh,
  ).toBeGreaterThanOrEqual(121);
  expect(Run.of(frames.slice(0, 60), 60).warmRefresh).toBe(0);
});
