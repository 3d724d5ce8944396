import fc from "fast-check";
import { expect, test } from "vitest";
import { catchUp, every, Loop, measure, onOverload, ramp, timeScale, timestampOf } from "../../src/index.js";
import { elapsed, fineRate, rate, runs, scale } from "./arbitraries.js";
import { Model, type Deed } from "./model.js";

/** An action on a loop. Times are whole nanoseconds, scales whole billionths. */
type Action =
  | { do: "advance"; time: number; deed: Deed; after: number }
  | { do: "pause" | "resume" | "reset" }
  | { do: "scale"; scale: number }
  | { do: "hitStop"; time: number }
  | { do: "runSteps"; count: number }
  | { do: "limit"; maxFrame: number; maxSteps: number; catchUp: number };

const short = fc.integer({ min: 1, max: 4e8 });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.constantFrom("pause" as const, "stop" as const, "reset" as const, "throw" as const),
  fc.record({ hitStop: short.map(BigInt) }),
);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 12,
    // The deed belongs to the step this many steps after the current one; negative for none.
    arbitrary: fc.record({
      do: fc.constant("advance" as const),
      time: elapsed,
      deed,
      after: fc.integer({ min: -12, max: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pause" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("resume" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reset" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("scale" as const), scale }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("hitStop" as const), time: short }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("runSteps" as const), count: fc.nat(4) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("limit" as const),
      maxFrame: fc.integer({ min: 1, max: 1e9 }),
      maxSteps: fc.nat(6),
      catchUp: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5e9 })),
    }),
  },
);

/** A loop and its model, and what runs actions on both. `told` gets everything that callbacks were told. */
function play(rated: readonly [number, number], told: unknown[] = []) {
  /** Steps that ran, in the loop and in the model. */
  const ran = [0, 0];
  let at = -1;
  let deedNow: Deed = "stop";
  const loop: Loop = new Loop({
    rate: rated,
    step(info) {
      told.push({ ...info });
      if (info.tick === at) doIt();
      ran[0]!++;
    },
    render: (info) => void told.push({ ...info }),
  });
  const doIt = () => {
    if (deedNow === "throw") throw new Error("mine");
    else if (typeof deedNow === "string") loop[deedNow]();
    else timeScale(loop).hitStop(Number(deedNow.hitStop) / 1e9);
  };
  const debt = catchUp(loop, 0);
  const model = new Model(...loop.rate);
  const advance = ({ time, deed: what, after }: Action & { do: "advance" }) => {
    at = after < 0 ? -1 : loop.tick + after;
    deedNow = what;
    const inUnits = typeof what === "string" ? what : { hitStop: model.units(what.hitStop) };
    ran[1]! += Number(model.frame(BigInt(time), BigInt(at), inUnits));
    try {
      loop.advance(time / 1e9);
    } catch (error) {
      if ((error as Error).message !== "mine") throw error;
    }
    at = -1;
  };
  const act = (what: Action) => {
    switch (what.do) {
      case "advance":
        advance(what);
        break;
      case "scale":
        timeScale(loop).set(what.scale / 1e9);
        model.scale = BigInt(what.scale);
        break;
      case "hitStop":
        timeScale(loop).hitStop(what.time / 1e9);
        model.hitStop(model.units(BigInt(what.time)));
        break;
      case "runSteps":
        loop.runSteps(what.count);
        model.runSteps(BigInt(what.count));
        ran[1]! += what.count;
        break;
      case "limit":
        loop.maxFrameTime = what.maxFrame / 1e9;
        loop.maxSteps = what.maxSteps || Infinity;
        debt.max = what.catchUp / 1e9;
        model.maxFrame = model.units(BigInt(what.maxFrame));
        model.maxSteps = what.maxSteps ? BigInt(what.maxSteps) : undefined;
        model.maxDebt = model.units(BigInt(what.catchUp));
        break;
      default:
        loop[what.do]();
        if (what.do === "reset") model.reset();
        else model.isPaused = what.do === "pause";
    }
  };
  return { loop, model, debt, act, ran };
}

/** Ticks, owed, lost and frozen time, and debt equal the model's after each call. */
function equalsModel(rated: readonly [number, number], actions: readonly Action[]): void {
  const { loop, model, debt, act, ran } = play(rated);
  for (const what of actions) {
    const { shownTime } = loop.frame;
    act(what);
    model.check();
    const { kernel, frame } = loop;
    // How much debt a frame may pay back is rounded to a unit, their sum is not.
    const debts = BigInt(Math.round(debt.debt * kernel.second));
    expect([BigInt(loop.tick), BigInt(kernel.owed) + debts]).toEqual([model.tick, model.owed + model.debt]);
    expect(Math.abs(Number(debts - model.debt))).toBeLessThan(model.debt > 0n ? 100 : 1);
    expectUnits(loop.lostSeconds, model.lost, model.numerator);
    expectUnits(timeScale(loop).stopped, model.stopped, model.numerator);
    expect(loop.paused).toBe(model.isPaused);
    expect(frame.alpha >= 0 && frame.alpha <= 1).toBe(true);
    // Never back, except by a reset.
    expect(frame.shownTime).toBeGreaterThanOrEqual(loop.tick > 0 ? shownTime : 0);
    expect(ran[0]).toBe(ran[1]);
    expect(frame.shownTime).toBeLessThanOrEqual(loop.time);
  }
}

test("equals the model in BigInt after each call: given = simulated + owed + debt + lost, exactly", () => {
  fc.assert(fc.property(rate, fc.array(action, { maxLength: 60 }), equalsModel), runs(500));
});

test("the same with frames that are taken in pieces", () => {
  // Frames of at most 2^53 units: those of others are rounded.
  const simple = action
    .map((what) => (what.do === "limit" ? { ...what, catchUp: 0 } : what))
    .filter(
      (what) =>
        what.do !== "advance" || (what.time < 2.9e8 && (what.deed === "pause" || what.deed === "stop")),
    );
  fc.assert(fc.property(fineRate, fc.array(simple, { maxLength: 30 }), equalsModel), runs(200));
});

/** Seconds distinguish single units up to about 10^14 of them. */
function expectUnits(seconds: number, units: bigint, numerator: bigint): void {
  if (units < 10n ** 14n) expect(Math.round(seconds * 1e9 * Number(numerator))).toBe(Number(units));
  else expect(Math.abs(seconds / (Number(units) / Number(numerator) / 1e9) - 1)).toBeLessThan(1e-14);
}

test("parts and listeners that only look change nothing", () => {
  fc.assert(
    fc.property(rate, fc.array(action, { maxLength: 40 }), (rated, actions) => {
      const [plain, attached] = [false, true].map((isAttached) => {
        const told: unknown[] = [];
        const { loop, act } = play(rated, told);
        if (isAttached) {
          measure(loop);
          onOverload(loop, () => {});
          every(loop, 7, () => {});
          loop.use({ beforeStep() {}, afterStep: () => void timestampOf(loop, loop.tick), present() {} });
        }
        for (const what of actions) act(what);
        return told;
      });
      expect(attached).toEqual(plain);
    }),
    runs(100),
  );
});

test("any split of the same time into frames gives the same steps", () => {
  const parts = fc.array(fc.integer({ min: 1, max: 3e8 }), { minLength: 1, maxLength: 40 });
  const change = fc.option(fc.record({ to: scale, over: fc.integer({ min: 1, max: 1e9 }) }), {
    nil: undefined,
  });
  fc.assert(
    fc.property(rate, scale, parts, change, fc.nat(2e8), (rated, scaled, times, ramped, hitStop) => {
      const total = times.reduce((sum, time) => sum + time, 0);
      const run = (frames: readonly number[]) => {
        const loop = new Loop({ rate: rated, maxFrameTime: 3600 });
        timeScale(loop).set(scaled / 1e9);
        if (ramped) timeScale(loop).set(ramp(ramped.to / 1e9, ramped.over / 1e9, "easeInOut"));
        timeScale(loop).hitStop(hitStop / 1e9);
        for (const frame of frames) loop.advance(frame / 1e9);
        return loop;
      };
      const [many, one] = [run(times), run([total])];
      const [first, second] = [many, one].map(
        ({ tick, kernel }) => BigInt(tick) * BigInt(kernel.step) + BigInt(kernel.owed),
      );
      // Along a ramp, time is rounded.
      const off = Number(first! - second!) / many.kernel.second;
      expect(Math.abs(off)).toBeLessThanOrEqual(ramped ? 1e-8 : 0);
    }),
    runs(200),
  );
});

test("slow motion runs the same steps, bit for bit", () => {
  fc.assert(
    fc.property(
      rate,
      scale,
      fc.array(fc.integer({ min: 1, max: 5e7 }), { maxLength: 50 }),
      (rated, value, frames) => {
        const steps: unknown[] = [];
        const slow = new Loop({ rate: rated, step: (info) => void steps.push({ ...info }) });
        timeScale(slow).set(value / 1e9);
        for (const time of frames) slow.advance(time / 1e9);
        const full: unknown[] = [];
        const other = new Loop({ rate: rated, step: (info) => void full.push({ ...info }) });
        other.runSteps(steps.length);
        expect(steps).toEqual(full);
      },
    ),
    runs(200),
  );
});

test("the timestamp of a tick is when it is shown, at any speed", () => {
  for (const value of [1, 0.5, 3])
    for (const isRamp of [false, true]) {
      const loop = new Loop({ rate: 50 });
      loop.advance(0.1);
      timeScale(loop).set(isRamp ? ramp(value, 0.4, "easeIn") : value);
      timeScale(loop).hitStop(0.05);
      const at = timestampOf(loop, 20);
      for (let i = 0; loop.frame.timestamp < at - 1 && i < 1e4; i++) loop.advance(0.001);
      loop.advance((at - loop.frame.timestamp) / 1000);
      expect(loop.frame.shownTime).toBeCloseTo(20 * loop.dt, 6);
    }
});
