// The rate may change at any tick. A model in BigInt fractions checks time, steps and beats before and after.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Loop } from "../../src/index.js";

type Fraction = readonly [numerator: bigint, denominator: bigint];

const BILLION = 1_000_000_000n;
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const isLess = ([a, b]: Fraction, [c, d]: Fraction) => a * d < c * b;
const toNumber = ([a, b]: Fraction) => {
  const whole = a / b;
  // Twenty digits of the fraction are more than a double has.
  return Number(whole) + Number(((a - whole * b) * 10n ** 20n) / b) / 1e20;
};
const simplest = ([a, b]: Fraction): Fraction => {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y > 0n) [x, y] = [y, x % y];
  return x > 0n ? [a / x, b / x] : [0n, 1n];
};

interface Change {
  /** Frames before the change, in nanoseconds. */
  readonly frames: readonly number[];
  readonly rate: readonly [number, number];
}

/** Steps and times by definition: a step is due as soon as the time received reaches its end. */
class Model {
  tick = 0;
  /** Simulated seconds. */
  time: Fraction = [0n, 1n];
  received: Fraction = [0n, 1n];
  readonly heard: string[] = [];
  #beat = 0n;

  constructor(
    public rate: readonly [number, number],
    readonly beatRate: readonly [number, number],
  ) {}

  get dt(): Fraction {
    return [BigInt(this.rate[1]), BigInt(this.rate[0])];
  }

  advance(nanoseconds: number): void {
    this.received = simplest(plus(this.received, [BigInt(nanoseconds), BILLION]));
    for (;;) {
      const end = simplest(plus(this.time, this.dt));
      if (isLess(this.received, end)) return;
      for (;;) {
        const due: Fraction = [this.#beat * BigInt(this.beatRate[1]), BigInt(this.beatRate[0])];
        if (isLess(this.time, due)) break;
        this.heard.push(`beat ${this.#beat++}`);
      }
      this.heard.push(`step ${this.tick++}`);
      this.time = end;
    }
  }
}

const frame = fc.oneof(
  fc.constant(16_666_667),
  fc.constant(6_944_444),
  fc.integer({ min: 1, max: 200_000_000 }),
);
const changes = (rate: fc.Arbitrary<readonly [number, number]>) =>
  fc.array(fc.record({ frames: fc.array(frame, { maxLength: 12 }), rate }), { minLength: 1, maxLength: 12 });
const usual = fc.constantFrom<(readonly [number, number])[]>(
  ...[1, 10, 15, 20, 24, 25, 30, 48, 50, 60, 72, 75, 90, 100, 120, 144, 240].map(
    (rate) => [rate, 1] as const,
  ),
);
const odd = fc.oneof(
  usual,
  fc.tuple(fc.integer({ min: 10_000, max: 300_000 }), fc.constantFrom(1000, 1001)),
  fc.constantFrom<(readonly [number, number])[]>([60000, 1001], [59951, 1000], [143993, 1000]),
);
const beatRate = fc.constantFrom<(readonly [number, number])[]>([4, 1], [25, 1], [60, 1], [150, 1], [1, 3]);

/** Runs the changes on a loop and a model; `check` is called after each frame and each change. */
function play(
  list: readonly Change[],
  beat: readonly [number, number],
  isAttached: boolean,
  check: (loop: Loop, model: Model, heard: readonly string[]) => void,
): void {
  const heard: string[] = [];
  const first = [60, 1] as const;
  const model = new Model(first, beat);
  const loop = new Loop({
    rate: first,
    maxFrameTime: 1,
    step: ({ tick, time, dt }) => {
      heard.push(`step ${tick}`);
      expect(dt).toBe(loop.rate[1] / loop.rate[0]);
      expect(time).toBe(loop.time);
    },
  });
  if (isAttached) loop.every(beat, ({ tick }) => void heard.push(`beat ${tick}`));
  for (const { frames, rate } of list) {
    for (const time of frames) {
      const { shownTime } = loop;
      loop.advance(time / 1e9);
      model.advance(time);
      expect(loop.shownTime).toBeGreaterThanOrEqual(shownTime);
      expect(loop.shownTime).toBeLessThanOrEqual(loop.time);
      expect(loop.alpha).toBeGreaterThanOrEqual(0);
      expect(loop.alpha).toBeLessThanOrEqual(1);
      check(loop, model, heard);
    }
    loop.configure({ rate });
    model.rate = rate;
    check(loop, model, heard);
  }
}

test("between usual rates, ticks, time, overstep and beats are exact", () => {
  fc.assert(
    fc.property(changes(usual), beatRate, fc.boolean(), (list, beat, isAttached) => {
      play(list, beat, isAttached, (loop, model, heard) => {
        expect(loop.tick).toBe(model.tick);
        expect(loop.time).toBeCloseTo(toNumber(model.time), 14);
        const [a, b] = model.time;
        expect(loop.overstep).toBeCloseTo(toNumber(plus(model.received, [-a, b])), 14);
        const steps = model.heard.filter((text) => isAttached || text.startsWith("step"));
        expect(heard).toEqual(steps);
        expect(loop.stats.steps).toBe(model.tick);
        expect(loop.stats.frames === 0 ? 1 : loop.stats.effectiveSpeed).toBeCloseTo(1, 9);
      });
    }),
    { numRuns: 100 },
  );
});

test("between rates without a common unit, time is rounded like any number, and none is lost", () => {
  fc.assert(
    fc.property(changes(odd), beatRate, fc.boolean(), (list, beat, isAttached) => {
      let ticks = 0;
      play(list, beat, isAttached, (loop, model) => {
        // A step whose time is exactly due may come a frame later.
        expect(Math.abs(loop.tick - model.tick)).toBeLessThanOrEqual(1);
        expect(Math.abs(loop.time + loop.overstep - toNumber(model.received))).toBeLessThan(1e-12);
        const apart = loop.tick === model.tick ? loop.time - toNumber(model.time) : 0;
        expect(Math.abs(apart)).toBeLessThan(1e-12);
        expect(loop.tick).toBeGreaterThanOrEqual(ticks);
        ticks = loop.tick;
      });
    }),
    { numRuns: 100 },
  );
});

test("with display pacing, the picture never jumps, and received + lead = simulated + overstep", () => {
  fc.assert(
    fc.property(changes(usual), fc.constantFrom("interpolate", "latest"), (list, present) => {
      const loop = new Loop({ rate: 60, pacing: "display", present: present as "latest", maxFrameTime: 1 });
      let [received, longest] = [0, 1 / 60];
      for (const { frames, rate } of list) {
        for (const time of frames) {
          const { shownTime, dt } = loop;
          loop.advance(time / 1e9);
          received += time;
          expect(loop.shownTime).toBeGreaterThanOrEqual(shownTime);
          expect(loop.shownTime).toBeLessThanOrEqual(loop.time + 1e-12);
          expect(loop.alpha).toBeGreaterThanOrEqual(0);
          expect(loop.alpha).toBeLessThanOrEqual(1);
          // It moves by the frame's time, and by at most the longest step more.
          expect(loop.shownTime - shownTime).toBeLessThanOrEqual(time / 1e9 + longest + dt + 1e-9);
          expect(received / 1e9 + loop.lead).toBeCloseTo(loop.time + loop.overstep, 12);
          expect(Math.abs(loop.lead)).toBeLessThanOrEqual(longest / 2 + 1e-9);
        }
        loop.configure({ rate });
        longest = Math.max(longest, loop.dt);
        expect(received / 1e9 + loop.lead).toBeCloseTo(loop.time + loop.overstep, 12);
      }
    }),
    { numRuns: 100 },
  );
});
