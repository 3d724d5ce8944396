import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { duel, duelSession } from "../../test/replay/duel.js";
import { bodyOf, chunksOf, typeOf, withChunks } from "../../test/replay/files.js";
import { localSession, simulation, type ExternalState } from "../sim/index.js";
import { f64, layout } from "../state/index.js";
import { chunkOf } from "./chunk.js";
import { readReplay, record, replayPlayer, verify, type Divergence, type RecordOptions } from "./index.js";
import { keyframeChunk } from "./keyframe.js";
import { ByteReader, varints } from "./varint.js";

function recorded(ticks: number, options: RecordOptions = {}, game = duel()) {
  const session = duelSession(1, game);
  const recorder = record(session, options);
  session.skip(ticks);
  return readReplay(recorder.bytes());
}

/** A build that behaves differently in one tick. */
const changedAt = (at: number) => duel({ change: (world, tick) => tick === at && (world.heat += 1) });

describe("verify", () => {
  test("returns ok, the number of states and the last hash", () => {
    const session = duelSession();
    const recorder = record(session);
    session.skip(250);
    const result = verify(session.simulation, readReplay(recorder.bytes()));
    // One per second, and the last state.
    expect(result).toEqual({ ok: true, compared: 5, hash: session.hash(), message: "", note: undefined });
  });

  test("finds the checkpoint, and the fields of the next keyframe", () => {
    const result = verify(changedAt(130), recorded(900, { keyframes: 5 }));
    expect(result).toMatchObject({ ok: false, tick: 180, after: 120, exact: false, fieldsAt: 300 });
    expect(result).toMatchObject({ differences: [{ path: "heat" }] });
    expect(result.message).toBe(`verify: ${result.ok ? "" : result.problem}`);
    expect(result.message).toMatch(
      /^verify: duel diverges from the recording: state 180 differs, state 120 did not. In state 300, recorded ≠ now:\nheat: [\d.]+ ≠ [\d.]+$/,
    );
  });

  test("finds the exact tick, if every tick has a hash", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 299 }), (at) => {
        const result = verify(changedAt(at), recorded(300, { everyTick: true }));
        expect(result).toMatchObject({ ok: false, tick: at + 1, after: at, exact: true });
      }),
      { numRuns: 15 },
    );
  });

  test("disposes the external state of both builds, even if one of them cannot start", () => {
    let live = 0;
    const make = (isBroken: boolean) =>
      simulation({
        name: "held",
        version: 1,
        rate: 60,
        state: layout({ x: f64 }),
        external: {
          held: () => {
            live++;
            return {
              save: () => Uint8Array.of(1),
              load() {},
              hash: () => [0, 0],
              dispose: () => void live--,
            };
          },
        },
        init() {
          if (isBroken) throw new Error("broken");
        },
        step() {},
      });
    const session = localSession(make(false));
    const recorder = record(session);
    session.skip(90);
    const replay = readReplay(recorder.bytes());
    expect(verify(make(false), replay, { against: make(false) }).ok).toBe(true);
    expect(live).toBe(1);
    expect(() => verify(make(false), replay, { against: make(true) })).toThrow("broken");
    expect(live).toBe(1);
  });

  test("a hash in every tick costs four bytes per tick", () => {
    const [without, with4] = [{ checkpoints: 0 }, { everyTick: true }].map((options) => {
      const session = duelSession();
      const recorder = record(session, { keyframes: 0, ...options });
      session.skip(1200);
      return recorder.bytes().length;
    });
    expect((with4! - without!) / 1200).toBeGreaterThan(4);
    expect((with4! - without!) / 1200).toBeLessThan(4.1);
  });

  test("says why no fields are listed: no keyframe follows, or a step throws after the divergence", () => {
    expect(verify(changedAt(10), recorded(100, { keyframes: 0 })).message).toContain(
      "No keyframe follows, so the differing fields cannot be listed.",
    );
    const failing = duel({
      change(world, tick) {
        if (tick === 10) world.heat += 1;
        if (tick === 90) throw new Error("astray");
      },
    });
    expect(verify(failing, recorded(100)).message).toContain("State 100 cannot be compared: astray");
  });

  test("reports external state by its hash", () => {
    class Counter implements ExternalState {
      n = 0;
      save = () => Uint8Array.of(this.n);
      load = ([n]: Uint8Array) => void (this.n = n!);
      hash = () => [this.n, 0] as const;
    }
    const make = (by: number) =>
      simulation({
        name: "external",
        version: 1,
        rate: 60,
        state: layout({ x: f64 }),
        external: { counter: () => new Counter() },
        step(_world, _inputs, { tick, external }) {
          external.counter.n += tick === 7 ? by : 1;
        },
      });
    const session = localSession(make(1));
    const recorder = record(session, { everyTick: true });
    session.skip(20);
    const result = verify(make(2), readReplay(recorder.bytes()));
    expect(result).toMatchObject({
      tick: 8,
      fieldsAt: 20,
      differences: [{ path: "external.counter", a: "0000001400000000", b: "0000001500000000" }],
    });
    expect(verify(make(1), readReplay(recorder.bytes())).message).toBe("");
    expect(verify(make(1), readReplay(recorder.bytes()), { against: make(2) })).toMatchObject({ tick: 8 });
  });

  test("finds the same first tick of two builds as a linear search, and its fields", () => {
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

  test("finds a difference of two builds that vanishes again with every: 1", () => {
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

  test("reports a build that is not deterministic, with the ticks between which it differed", () => {
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

  test("rejects a replay of another simulation, and says what differs", () => {
    const replay = recorded(10);
    const options = duel().options;
    const named = simulation({ ...options, name: "other" });
    const differ = "verify: the recording and the simulation differ in";
    expect(() => verify(named, replay)).toThrow(
      `${differ} name: "duel" ≠ "other". Use the build that it was recorded with.`,
    );
    expect(() => verify(simulation({ ...options, version: 2 }), replay)).toThrow(`${differ} version: 1 ≠ 2.`);
    expect(() => verify(simulation({ ...options, rate: 30 }), replay)).toThrow(
      `${differ} rate: 60/1 ≠ 30/1.`,
    );
    expect(() => verify(duel(), replay, { against: named })).toThrow(
      /^verify: against has the fingerprint \w+, but the simulation has \w+\. Compare builds/,
    );
    for (const call of [() => verify(named, replay), () => verify(duel(), replay, { against: named })])
      expect(call).toThrow(expect.objectContaining({ code: "wrong-simulation" }));
    expect(() => verify(undefined as never, replay)).toThrow("verify: simulation must be a simulation");
  });
});

test("verify rejects unknown options", () => {
  expect(() => verify(duel(), recorded(10), { evry: 1 } as never)).toThrow(
    'verify: unknown option "evry". Did you mean "every"?',
  );
});

describe("forged replays", () => {
  const fileOf = (seed: number, options: RecordOptions = {}, ticks = 1300) => {
    const session = duelSession(seed);
    const recorder = record(session, options);
    session.skip(ticks);
    return recorder.bytes();
  };

  /** A file with the keyframes of another, at the same ticks. */
  const grafted = (bytes: Uint8Array, other: Uint8Array, isGrafted = (_index: number) => true) => {
    const keyframes = chunksOf(other).filter((chunk) => typeOf(chunk) === "KEYF");
    let index = -1;
    return withChunks(
      bytes,
      chunksOf(bytes).map((chunk) =>
        typeOf(chunk) === "KEYF" && isGrafted(++index) ? keyframes[index]! : chunk,
      ),
    );
  };
  const without = (bytes: Uint8Array, type: string) =>
    withChunks(
      bytes,
      chunksOf(bytes).filter((chunk) => typeOf(chunk) !== type),
    );

  test("every keyframe is compared with the simulated state", () => {
    const [own, other] = [fileOf(1), fileOf(2)];
    expect(verify(duel(), readReplay(own)).ok).toBe(true);
    const ticks = readReplay(own).keyframes.map(({ tick }) => tick);
    expect(ticks).toEqual([600, 1200, 1300]);
    for (const [i, tick] of ticks.entries()) {
      const result = verify(duel(), readReplay(grafted(own, other, (index) => index === i)));
      expect(result).toMatchObject({ ok: false, reason: "keyframe", tick, fieldsAt: tick });
      expect(result.message).toContain(`verify: the keyframe of state ${tick} contradicts the recording`);
      expect(result).toMatchObject({
        differences: expect.arrayContaining([expect.objectContaining({ path: "heat" })]),
      });
    }
  });

  test("a keyframe without a checkpoint of its tick is compared too", () => {
    // Checkpoints every 70 ticks: none at 600.
    const options = { checkpoints: 70 / 60, keyframes: 10 };
    const [own, other] = [fileOf(1, options), fileOf(2, options)];
    expect(verify(duel(), readReplay(own)).ok).toBe(true);
    const result = verify(duel(), readReplay(grafted(own, other, (index) => index === 0)));
    expect(result).toMatchObject({ ok: false, reason: "keyframe", tick: 600, after: 560 });
  });

  test("a seek uses no keyframe that no checkpoint confirms", () => {
    const options = { checkpoints: 70 / 60, keyframes: 10 };
    const [own, other] = [fileOf(1, options), fileOf(2, options)];
    const straight = replayPlayer(duel(), readReplay(own));
    straight.seek(610);
    // Without the checkpoint of tick 600, which has its own chunk.
    const isThat = (chunk: Uint8Array) => {
      const body = bodyOf(chunk);
      return typeOf(chunk) === "CHEK" && new ByteReader(body, 0, body.length).varint() === 600;
    };
    const graft = grafted(own, other, (index) => index === 0);
    const stripped = withChunks(
      graft,
      chunksOf(graft).filter((chunk) => !isThat(chunk)),
    );
    expect(chunksOf(stripped).length).toBe(chunksOf(graft).length - 1);
    const player = replayPlayer(duel(), readReplay(stripped));
    player.seek(610);
    expect(player.hash()).toEqual(straight.hash());
  });

  test("every keyframe has a checkpoint of the same tick, whatever the rate", () => {
    for (const rate of [[60000, 1001], 62.5, 20.5, 60] as const) {
      const game = simulation({ ...duel().options, rate });
      const session = localSession(game);
      const recorder = record(session);
      session.skip(1500);
      const { states, checkpoints } = readReplay(recorder.bytes());
      expect(states.length).toBeGreaterThan(1);
      for (let i = 0; i < states.length; i++)
        expect(checkpoints.indexOf(states.tickOf(i))).toBeGreaterThanOrEqual(0);
    }
  });

  test("missing checkpoints are reported", () => {
    const bytes = fileOf(1, {});
    const chunks = chunksOf(bytes);
    const isCheck = (chunk: Uint8Array) => typeOf(chunk) === "CHEK";
    const first = chunks.findIndex(isCheck);
    const kept = chunks.filter((chunk, i) => !isCheck(chunk) || i === first);
    expect(kept.length).toBeLessThan(chunks.length);
    expect(verify(duel(), readReplay(withChunks(bytes, kept)))).toMatchObject({
      ok: false,
      reason: "no-checkpoints",
      message: expect.stringMatching(/^verify: \d+ of \d+ checkpoints are missing/),
    });
  });

  test("if the next checkpoint differs too, the simulation diverged, not the keyframe", () => {
    const replay = readReplay(fileOf(1, { checkpoints: 70 / 60, keyframes: 1 }));
    const result = verify(changedAt(150), replay);
    expect(result).toMatchObject({ ok: false, reason: "diverged", tick: 180, after: 140, fieldsAt: 180 });
    expect(result.message).toContain("duel diverges from the recording: state 180 differs");
  });

  test("a wrong hash of the first state is reported", () => {
    const session = duelSession();
    session.skip(5);
    const recorder = record(session, { checkpoints: 0 });
    session.skip(20);
    const bytes = recorder.bytes();
    const chunks = chunksOf(bytes);
    const [a, b] = [5, 1];
    const body = Uint8Array.from([a, b, 8, 1, 2, 3, 4, 5, 6, 7, 8]);
    const replay = readReplay(
      withChunks(bytes, [...chunks.slice(0, 2), chunkOf("CHEK", body), ...chunks.slice(2)]),
    );
    expect(replay.ending).toBe("done");
    expect(verify(duel(), replay).message).toContain("the first state, 5, differs.");
  });

  test.each<[string, Uint8Array, string]>([
    [
      "checkpoints stripped",
      without(fileOf(1), "CHEK"),
      "verify: no checkpoints were recorded in 1300 ticks",
    ],
    [
      "checkpoints and keyframes stripped",
      without(without(fileOf(1), "CHEK"), "KEYF"),
      "verify: no checkpoints",
    ],
    ["checkpoints emptied", emptied(fileOf(1)), "verify: no checkpoints"],
    ["no ticks", fileOf(1, {}, 0), "verify: no checkpoints were recorded in 0 ticks"],
    [
      "only its metadata",
      fileOf(1).subarray(0, 8 + chunksOf(fileOf(1))[0]!.length),
      "verify: no checkpoints",
    ],
  ])("a file with %s is not ok, as there is nothing to compare", (_, bytes, message) => {
    const result = verify(duel(), readReplay(bytes));
    expect(result).toMatchObject({ ok: false, reason: "no-checkpoints", tick: undefined, differences: [] });
    expect(result.message).toContain(message);
  });

  /** A file whose checkpoint chunks hold no checkpoints. */
  function emptied(bytes: Uint8Array): Uint8Array {
    return withChunks(
      bytes,
      chunksOf(bytes).map((chunk) =>
        typeOf(chunk) === "CHEK" ? chunkOf("CHEK", bodyOf(chunk).subarray(0, headSize(chunk))) : chunk,
      ),
    );
  }

  /** The size of the first tick, the interval and the hash size. */
  function headSize(chunk: Uint8Array): number {
    const reader = new ByteReader(bodyOf(chunk), 0, chunk.length);
    reader.varint();
    reader.varint();
    return reader.at + 1;
  }

  test("a file with a damaged first chunk is not ok", () => {
    const bytes = fileOf(1).slice();
    bytes[8 + chunksOf(bytes)[0]!.length + 20]! ^= 1;
    const replay = readReplay(bytes);
    expect([replay.last, replay.ending]).toEqual([0, "damaged"]);
    expect(verify(duel(), replay)).toMatchObject({ ok: false, reason: "damaged" });
  });

  test("a seek to a keyframe that contradicts its checkpoint reports it, and simulates the inputs instead", () => {
    const replay = readReplay(grafted(fileOf(1), fileOf(2)));
    for (const ticks of [[600], [1300, 600, 700, 50], [1250, 601]]) {
      const reported: Divergence[] = [];
      const player = replayPlayer(duel(), replay, { diverged: (divergence) => reported.push(divergence) });
      for (const tick of ticks) {
        player.seek(tick);
        const straight = duelSession(1);
        straight.skip(tick);
        expect([player.tick, player.hash()]).toEqual([tick, straight.hash()]);
      }
      const [first] = replay.keyframes.filter(({ tick }) => tick <= ticks[0]!).slice(-1);
      expect(reported).toEqual([{ tick: first!.tick, keyframe: true }]);
      expect(player.divergence).toEqual(reported[0]);
      player.dispose();
    }
  });

  test("rewinding to such a keyframe reports it too", () => {
    const [own, other] = [fileOf(1, { keyframes: 5 }), fileOf(2, { keyframes: 5 })];
    const replay = readReplay(grafted(own, other, (index) => index < 2));
    const reported: Divergence[] = [];
    const player = replayPlayer(duel(), replay, { diverged: (divergence) => reported.push(divergence) });
    player.seek(1300);
    player.rewind(10);
    while (player.tick > 0) player.advance();
    expect(reported).toEqual([{ tick: expect.any(Number), keyframe: true }]);
    player.endRewind();
    const straight = duelSession(1);
    expect(player.hash()).toEqual(straight.hash());
  });

  test("states that were simulated from such a keyframe are no longer used", () => {
    const options = { checkpoints: 1260 / 60, keyframes: 10 };
    const replay = readReplay(grafted(fileOf(1, options), fileOf(2, options)));
    const player = replayPlayer(duel(), replay);
    player.seek(900);
    player.seek(1300);
    expect(player.divergence).toEqual({ tick: 600, keyframe: true });
    for (const tick of [1300, 900, 601]) {
      player.seek(tick);
      const straight = duelSession(1);
      straight.skip(tick);
      expect(player.hash()).toEqual(straight.hash());
    }
  });

  test("a divergence is reported even after a keyframe was", () => {
    const replay = readReplay(grafted(fileOf(1), fileOf(2)));
    const reported: Divergence[] = [];
    const player = replayPlayer(changedAt(700), replay, {
      diverged: (divergence) => reported.push(divergence),
    });
    player.seek(600);
    player.seek(1300);
    expect(reported).toEqual([{ tick: 600, keyframe: true }, { tick: 720 }]);
  });

  test("a first state that contradicts its checkpoint is reported", () => {
    const session = duelSession(1);
    session.skip(30);
    const recorder = record(session, { everyTick: true });
    session.skip(30);
    const bytes = recorder.bytes();
    const other = duelSession(2);
    other.skip(30);
    const start = keyframeChunk("STRT", 30, other.bytes());
    const hash = [...varints(30, 1), 8, ...bodyOfHash(duelSession(1), 30)];
    const [head, , ...rest] = chunksOf(bytes);
    const replay = readReplay(
      withChunks(bytes, [head!, start, chunkOf("CHEK", Uint8Array.from(hash)), ...rest]),
    );
    const reported: Divergence[] = [];
    const player = replayPlayer(duel(), replay, { diverged: (divergence) => reported.push(divergence) });
    expect(player.divergence).toEqual({ tick: 30, keyframe: true });
    player.advance();
    expect(reported[0]).toEqual({ tick: 30, keyframe: true });
  });

  function bodyOfHash(session: ReturnType<typeof duelSession>, tick: number): Uint8Array {
    session.skip(tick);
    return new Uint8Array(Uint32Array.from(session.hash()).buffer);
  }
});
