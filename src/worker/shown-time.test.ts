import { describe, expect, test } from "vitest";
import { random } from "../math/index.js";
import { ShownTime } from "./shown-time.js";

const STEP = 1000 / 60;

/** Shows frames, with states that are ready after some time. Step n begins at n × STEP, and its state stands for one step later. */
function show(
  shown: ShownTime,
  { states, ready, frame = STEP }: { states: number; ready: (n: number) => number; frame?: number },
) {
  const at = new Float64Array(1);
  const moments: number[] = [];
  let starved = 0;
  let [next, newest] = [0, -Infinity];
  for (let now = 0; next < states; now += frame) {
    for (; next < states && next * STEP + ready(next) <= now; next++) {
      shown.add(ready(next));
      newest = (next + 1) * STEP;
    }
    at[0] = now;
    shown.advance(at);
    moments.push(at[0]);
    if (at[0] > newest && now > 2000) starved++;
  }
  return { moments, starved };
}

describe("the delay", () => {
  test("is the longest cost of a step and hand-over, for any bounded ones, and never starves then", () => {
    for (const seed of [1, 2, 3]) {
      const numbers = random(new Uint32Array(4)).seed(seed);
      // A step takes 4 to 9 ms, starts up to 0.5 ms late, and its state is handed over in 0.2 to 0.4 ms.
      const times = Array.from({ length: 4000 }, () =>
        [4 + 5 * numbers.float(), 0.5 * numbers.float(), 0.2 + 0.2 * numbers.float()].reduce((a, b) => a + b),
      );
      for (const frame of [STEP, 1000 / 144, 23.7]) {
        const shown = new ShownTime(STEP, 1);
        const { starved } = show(shown, { states: 4000, ready: (n) => times[n]!, frame });
        const longest = Math.max(...times.slice(-2048));
        expect(shown.wantedDelay).toBe(longest);
        expect(Math.abs(shown.delay - longest)).toBeLessThan(0.05);
        expect(longest).toBeGreaterThan(9);
        expect(longest).toBeLessThan(4 + 5 + 0.5 + 0.4);
        // A state can be later than all before it.
        expect(starved).toBeLessThan(3);
      }
    }
  });

  test("begins with one step, and shrinks once enough states have come", () => {
    const shown = new ShownTime(STEP, 0.999);
    show(shown, { states: 50, ready: () => 1 });
    expect(shown.delay).toBe(STEP);
    show(shown, { states: 400, ready: () => 1 });
    expect(shown.delay).toBeCloseTo(1, 2);
  });

  test("can be negative, for states that are ready a step before they are needed", () => {
    const shown = new ShownTime(STEP, 0.999);
    show(shown, { states: 900, ready: () => 4 - STEP });
    expect(shown.delay).toBeCloseTo(4 - STEP, 2);
  });
});

test("the shown time never goes back, and runs at most 1 % faster or slower than real time", () => {
  const shown = new ShownTime(STEP, 0.999);
  const { moments } = show(shown, { states: 3000, ready: (n) => (n < 1000 ? 2 : n < 2000 ? 14 : 5) });
  for (let i = 1; i < moments.length; i++) {
    const speed = (moments[i]! - moments[i - 1]!) / STEP;
    expect(speed).toBeGreaterThan(0.98999);
    expect(speed).toBeLessThan(1.01001);
  }
});

test("a clock that stands still or goes back shows the same moment", () => {
  const shown = new ShownTime(STEP, 0.999);
  const at = new Float64Array(1);
  const moments = [100, 116, 116, 90, 133].map((now) => {
    at[0] = now;
    shown.advance(at);
    return at[0]!;
  });
  expect(moments).toEqual([100, 116, 116, 116, 133].map((now) => now - STEP));
  expect(shown.frames).toBe(5);
});

test("a restart keeps the delay to begin with, and takes any clock", () => {
  const shown = new ShownTime(STEP, 0.999);
  show(shown, { states: 500, ready: () => 30 });
  const { delay } = shown;
  expect(delay).toBeGreaterThan(20);
  shown.restart();
  const at = new Float64Array([5]);
  shown.advance(at);
  expect(at[0]).toBe(5 - delay);
});
