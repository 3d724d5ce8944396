import { describe, expect, test } from "vitest";
import { FULL } from "../full.js";
import {
  burstFrames,
  distance,
  LENGTHS,
  pick,
  spellFrames,
  switchFrames,
  unsteadyFrames,
  type Clock,
} from "../../scenes/changing-displays.js";
import { displayFrames, noise, type DisplayFrame } from "../../scenes/display.js";
import { judder, judderOf } from "../../scenes/judder.js";
import { meanOfFour, paced, plainRaf, type Pacing, type Showing } from "../../scenes/pacing.js";
import { CLOCKS, pooledRms, RATES, REFRESHES, score } from "../../scenes/score.js";
import { DisplayClock } from "../../src/loop/display/display-clock.js";

function passFrame(clock: DisplayClock, timestamp: number, elapsed: number): void {
  clock.timestamp = timestamp;
  clock.elapsed = elapsed;
  clock.pass();
}

const display = paced({ maxFrameTime: 10 });

/** The clocks of browsers, and an exact one. */
const ALL_CLOCKS: Readonly<Record<string, Clock>> = { exact: {}, ...CLOCKS };
const ON_TIME = ["exact", "chrome", "firefox", "coarse"];
const SWITCHES = [
  [60, 120],
  [120, 60],
  [120, 144],
  [144, 120],
  [60, 75],
  [75, 60],
  [60, 144],
] as const;

/** The first frame that is judged: by then, steps run. */
const START = 10;
const rmsOf = (frames: readonly DisplayFrame[], { shown }: Showing) =>
  judder(judderOf(frames.slice(START), shown.slice(START))).rms;
const rms = (pacing: Pacing, frames: readonly DisplayFrame[], rate: number) =>
  rmsOf(frames, pacing(frames, rate));

/** Lists frames that move by nearly nothing, or by nearly twice as much as both the timestamps and the display. */
function wrongMoves(frames: readonly DisplayFrame[], { shown }: Showing): string[] {
  const wrong: string[] = [];
  for (let i = START; i < frames.length; i++) {
    const told = frames[i]!.stamp - frames[i - 1]!.stamp;
    const seen = frames[i]!.vsync - frames[i - 1]!.vsync;
    const moved = shown[i]! - shown[i - 1]!;
    if (moved < 0.25 * Math.min(told, seen) || moved > 1.75 * Math.max(told, seen))
      wrong.push(`frame ${i} moved by ${moved} ms in ${told} ms`);
  }
  return wrong;
}

/** Checks that what is shown follows the timestamps of a display whose longest period is known. Returns its RMS judder. */
function expectFollowed(
  frames: readonly DisplayFrame[],
  rate: number,
  grid: number,
  period: number,
  what: string,
) {
  const showing = display(frames, rate);
  expect(distance(frames, showing, grid), what).toBeLessThan(period);
  expect(wrongMoves(frames, showing), what).toEqual([]);
  const lead = showing.lead.reduce((most, lead) => Math.max(most, Math.abs(lead)), 0);
  expect(lead, what).toBeLessThanOrEqual(500 / rate + 1e-9);
  return rmsOf(frames, showing);
}

describe.each(ON_TIME)("on the clock of %s", (name) => {
  const clock = ALL_CLOCKS[name]!;
  const { grid = 0 } = clock;

  test("spells at half and third rate neither freeze frames nor lose time", () => {
    for (const [seed, refresh] of [60, 59.94, 75, 120, 144, 240].entries()) {
      const frames = spellFrames(refresh, 60, clock, seed + 1);
      const ours = expectFollowed(frames, 60, grid, 1000 / refresh, `${refresh} Hz`);
      expect(ours).toBeLessThan(rms(plainRaf, frames, 60) + 0.0005);
    }
  });

  test("100 cycles of 100 frames at 60 Hz and 10 at 30 Hz lose no time", () => {
    const cycle = 120 / 60;
    const spells = Array.from({ length: 100 }, (_, i) => [i * cycle + 100 / 60, 20 / 60, 2] as const);
    const frames = displayFrames({ refresh: 60, seconds: 100 * cycle, ...clock, spells });
    expectFollowed(frames, 60, grid, 1000 / 60, "60 Hz");
  });

  test("a display that changes its rate is followed", () => {
    for (const [seed, rates] of SWITCHES.entries()) {
      const frames = switchFrames(rates, 60, clock, seed + 1);
      expectFollowed(frames, 60, grid, 1000 / Math.min(...rates), rates.join(" and "));
    }
  });

  const MINUTES = FULL ? 60 : 10;
  test(`${MINUTES} minutes of random bursts are followed`, () => {
    const frames = burstFrames(60, 60 * MINUTES, clock, 7);
    expectFollowed(frames, 60, grid, 1000 / 60, "random bursts");
  });

  test("a variable display is never much worse than its timestamps", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const frames = displayFrames({ refresh: [48, 144], seconds: 30, ...clock, seed });
      const ours = expectFollowed(frames, 60, grid, 1000 / 48, `seed ${seed}`);
      expect(ours).toBeLessThan(rms(plainRaf, frames, 60) + 0.001);
    }
  });
});

test("late timestamps: no frame freezes, and the shown time stays near them", () => {
  const { late } = CLOCKS;
  for (let seed = 1; seed <= 8; seed++) {
    const refresh = pick(noise(seed), REFRESHES);
    const frames = spellFrames(refresh, 60, late, seed);
    const showing = display(frames, 60);
    // Callbacks themselves are up to one refresh late.
    expect(distance(frames, showing, late.grid)).toBeLessThan(2000 / refresh);
    expect(rmsOf(frames, showing)).toBeLessThan(rms(plainRaf, frames, 60));
    const moves = showing.shown.slice(START).map((shown, i) => shown - showing.shown[i + START - 1]!);
    expect(Math.min(...moves)).toBeGreaterThan(0);
  }
});

describe("judder next to the plain loop's", () => {
  /** A trace of any kind. */
  function anyFrames(seed: number) {
    const random = noise(seed);
    const [name, clock] = pick(random, Object.entries(CLOCKS));
    const refresh = pick(random, [50, 59.94, 60, 75, 90, 100, 120, 144, 165, 240]);
    const kind = pick(random, ["spells", "switch", "bursts", "stall", "drops", "variable"] as const);
    const make = {
      spells: () => spellFrames(refresh, 30, clock, seed),
      switch: () => switchFrames(pick(random, SWITCHES), 30, clock, seed),
      bursts: () => burstFrames(refresh, 30, clock, seed),
      stall: () =>
        displayFrames({ refresh, seconds: 30, ...clock, stalls: [[5 + 20 * random(), random()]], seed }),
      drops: () => displayFrames({ refresh, seconds: 30, ...clock, drops: 0.1 * random(), seed }),
      variable: () => displayFrames({ refresh: [48, 144], seconds: 30, ...clock, seed }),
    };
    return { frames: make[kind](), kind: `${kind} ${name}`, rate: pick(random, RATES) };
  }

  test("exceeds it by more than half a point in at most 1 of 100 traces, and by 3 % of it in no kind of trace", () => {
    const TRACES = 200;
    const pools = new Map<string, [ours: number, plain: number]>();
    const above: string[] = [];
    for (let seed = 1; seed <= TRACES; seed++) {
      const { frames, kind, rate } = anyFrames(seed);
      const [ours, plain] = [display, plainRaf].map((pacing) => rms(pacing, frames, rate)) as [
        number,
        number,
      ];
      const pool = pools.get(kind) ?? [0, 0];
      pools.set(kind, [pool[0] + ours ** 2, pool[1] + plain ** 2]);
      if (ours > plain + 0.005) above.push(`${kind}, seed ${seed}: ${ours}, plain ${plain}`);
    }
    expect(above.length, above.join("\n")).toBeLessThanOrEqual(TRACES / 100);
    // 3 % for the first frames, in which the display is not known yet.
    for (const [kind, [ours, plain]] of pools)
      expect(Math.sqrt(ours), kind).toBeLessThan(Math.sqrt(plain) * 1.03);
  });
});

describe("locks", () => {
  test.each(Object.keys(LENGTHS))("100,000 frames of random length, %s: none is locked", (name) => {
    for (const grid of [0, 0.1]) {
      const clock = new DisplayClock();
      let locked = 0;
      let last = 0;
      for (const { stamp } of unsteadyFrames(name, 50_000, { grid }, 5)) {
        passFrame(clock, stamp, last ? stamp - last : Infinity);
        last = stamp;
        if (clock.locked) locked++;
      }
      expect(locked).toBe(0);
    }
  });

  test.each([
    // With less evidence, 6 frames are enough on all of these clocks, but frames of random length lock too.
    ["exact", 6],
    ["chrome", 7],
    ["coarse", 40],
    ["firefox", 40],
  ] as const)("a steady display on the clock of %s is known after %i frames", (name, most) => {
    for (const refresh of [60, 75, 120, 144, 165])
      for (let seed = 1; seed <= 10; seed++) {
        const frames = displayFrames({ refresh, seconds: 2, ...ALL_CLOCKS[name], seed });
        const clock = new DisplayClock();
        const first = frames.findIndex(({ stamp }, i) => {
          passFrame(clock, stamp, i ? stamp - frames[i - 1]!.stamp : Infinity);
          return clock.locked;
        });
        expect(first).toBeGreaterThan(0);
        expect(first).toBeLessThanOrEqual(most);
      }
  });
});

describe("timestamps rounded to 16.67 or 100 ms, as in privacy modes", () => {
  test.each([1000 / 60, 100])(
    "to %f ms: judder is less than half that of a mean of four, and no time is lost",
    (grid) => {
      const ours = pooledRms(display, { grid }, 30);
      expect(ours).toBeLessThan(pooledRms(meanOfFour, { grid }, 30) / 2);
      for (const refresh of [75, 144, 240]) {
        const frames = displayFrames({ refresh, seconds: 60, grid });
        expect(distance(frames, display(frames, 60), grid)).toBeLessThan(1000 / refresh + 1);
      }
    },
  );

  test("a stall and another rate are followed", () => {
    const frames = displayFrames({
      refresh: 144,
      changes: [[20, 75]],
      stalls: [[10, 1]],
      seconds: 60,
      grid: 100,
    });
    expect(distance(frames, display(frames, 60), 100)).toBeLessThan(1000 / 75);
    const { shown } = display(frames, 60);
    expect(judder(judderOf(frames.slice(-1000), shown.slice(-1000))).rms).toBeLessThan(0.02);
  });

  test("once timestamps are fine again, they are used", () => {
    const clock = new DisplayClock();
    let timestamp = 0;
    const pass = (elapsed: number) => passFrame(clock, (timestamp += elapsed), elapsed);
    for (let i = 0; i < 300; i++) pass(i % 6 === 5 ? 100 : 0);
    expect(clock.elapsed).toBeCloseTo(100 / 6, 0);
    for (let i = 0; i < 100; i++) pass(8.3 + 0.1 * (i % 3 === 0 ? 1 : 0));
    expect(clock.locked).toBe(true);
    expect(Math.abs(clock.elapsed - 25 / 3)).toBeLessThan(0.1);
  });
});

test("late timestamps on a grid of 1 ms at 360 Hz: 2 % at most", () => {
  for (let seed = 1; seed <= 5; seed++)
    expect(score(display, 60, { ...CLOCKS.late, refresh: 360, seconds: 30, seed }).rms).toBeLessThan(0.02);
});
