import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { duel, duelSession } from "../../test/replay/duel.js";
import { localSession, simulation, type Outside } from "../sim/index.js";
import { f64, layout } from "../state/index.js";
import { readReplay, record, verify, type RecordOptions } from "./index.js";

function recorded(ticks: number, options: RecordOptions = {}, game = duel()) {
  const session = duelSession(1, game);
  const recorder = record(session, options);
  session.skip(ticks);
  return readReplay(recorder.bytes());
}

/** A build that does something else in one tick. */
const changedAt = (at: number) => duel({ change: (world, tick) => tick === at && (world.heat += 1) });

describe("verify", () => {
  test("says ok, and what it came to", () => {
    const session = duelSession();
    const recorder = record(session);
    session.skip(250);
    const result = verify(session.simulation, readReplay(recorder.bytes()));
    // One in each second, and the last state.
    expect(result).toEqual({ ok: true, compared: 5, hash: session.hash(), message: "" });
  });

  test("finds the checkpoint, and the fields in the next state that was recorded", () => {
    const result = verify(changedAt(130), recorded(900, { keyframes: 5 }));
    expect(result).toMatchObject({ ok: false, tick: 180, after: 120, exact: false, fieldsAt: 300 });
    expect(result).toMatchObject({ differences: [{ path: "heat" }] });
    expect(result.message).toMatch(
      /^verify: duel comes out otherwise than it was recorded: state 180 differs, state 120 did not. In state 300, recorded ≠ now:\nheat: [\d.]+ ≠ [\d.]+$/,
    );
  });

  test("finds the very tick, where every tick has a hash", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 299 }), (at) => {
        const result = verify(changedAt(at), recorded(300, { everyTick: true }));
        expect(result).toMatchObject({ ok: false, tick: at + 1, after: at, exact: true });
      }),
      { numRuns: 15 },
    );
  });

  test("four bytes a tick are all that this costs", () => {
    const [without, with4] = [{ checkpoints: 0 }, { everyTick: true }].map((options) => {
      const session = duelSession();
      const recorder = record(session, { keyframes: 0, ...options });
      session.skip(1200);
      return recorder.bytes().length;
    });
    expect((with4! - without!) / 1200).toBeGreaterThan(4);
    expect((with4! - without!) / 1200).toBeLessThan(4.1);
  });

  test("says so where no state was recorded after it, or where what went astray fails", () => {
    expect(verify(changedAt(10), recorded(100, { keyframes: 0 })).message).toContain("No state was recorded");
    const failing = duel({
      change(world, tick) {
        if (tick === 10) world.heat += 1;
        if (tick === 90) throw new Error("astray");
      },
    });
    expect(verify(failing, recorded(100)).message).toContain("On the way to state 100: astray");
  });

  test("what lives outside is told by its hash", () => {
    class Counter implements Outside {
      n = 0;
      save = () => Uint8Array.of(this.n);
      load = ([n]: Uint8Array) => void (this.n = n!);
      hash = () => [this.n, 0] as const;
    }
    const make = (by: number) =>
      simulation({
        name: "outside",
        version: 1,
        rate: 60,
        state: layout({ x: f64 }),
        outside: { counter: () => new Counter() },
        step(_world, _inputs, { tick, outside }) {
          outside.counter.n += tick === 7 ? by : 1;
        },
      });
    const session = localSession(make(1));
    const recorder = record(session, { everyTick: true });
    session.skip(20);
    const result = verify(make(2), readReplay(recorder.bytes()));
    expect(result).toMatchObject({
      tick: 8,
      fieldsAt: 20,
      differences: [{ path: "outside.counter", a: "0000001400000000", b: "0000001500000000" }],
    });
    expect(verify(make(1), readReplay(recorder.bytes())).message).toBe("");
    expect(verify(make(1), readReplay(recorder.bytes()), { against: make(2) })).toMatchObject({ tick: 8 });
  });

  test("of two builds finds the first tick that a linear search finds, and its fields", () => {
    const replay = recorded(700, { keyframes: 2 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 699 }), fc.integer({ min: 1, max: 200 }), (at, every) => {
        const [a, b] = [duel(), changedAt(at)];
        const [left, right] = [duelSession(1, a), duelSession(1, b)];
        while (left.hash().join() === right.hash().join())
          for (const session of [left, right]) session.advance();
        const result = verify(a, replay, { against: b, every });
        expect(result).toMatchObject({ ok: false, tick: left.tick, exact: true, fieldsAt: left.tick });
        expect(result).toMatchObject({
          after: left.tick - 1,
          differences: [{ path: "heat", a: left.world.heat, b: right.world.heat }],
        });
      }),
      { numRuns: 25 },
    );
    expect(verify(duel(), replay, { against: duel() })).toMatchObject({ ok: true, compared: 7 });
  });

  test("of two builds, what is the same again is found by looking at every tick", () => {
    const flash = duel({
      change(world, tick) {
        if (tick === 50) world.speed[3] = 1;
        if (tick === 52) world.speed[3] = 0;
      },
    });
    const replay = recorded(200);
    expect(verify(duel(), replay, { against: flash }).ok).toBe(true);
    expect(verify(duel(), replay, { against: flash, every: 1 })).toMatchObject({
      tick: 51,
      differences: [{ path: "at[3].speed", a: 0, b: 1 }],
    });
  });

  test("of two builds, what comes out otherwise only once is told with the ticks between which it was", () => {
    let isFirst = true;
    const once = duel({
      change(world, tick) {
        if (tick !== 650 || !isFirst) return;
        isFirst = false;
        world.heat += 1;
      },
    });
    const result = verify(duel(), recorded(700), { against: once, every: 600 });
    expect(result).toMatchObject({ ok: false, tick: 700, after: 600, exact: false });
    expect(result.message).toContain("one of them is not deterministic");
  });

  test("refuses a replay of another simulation, by what differs", () => {
    const replay = recorded(10);
    const options = duel().options;
    const named = simulation({ ...options, name: "other" });
    expect(() => verify(named, replay)).toThrow('verify: replay.name must be other, got "duel". Try');
    expect(() => verify(simulation({ ...options, version: 2 }), replay)).toThrow(
      "replay.version must be 2, got 1.",
    );
    expect(() => verify(simulation({ ...options, rate: 30 }), replay)).toThrow("replay.rate must be 30,1");
    expect(() => verify(duel(), replay, { against: named })).toThrow("verify: against must be a build with");
  });
});
