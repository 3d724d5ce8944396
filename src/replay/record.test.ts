import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { duel, duelSession, fidgets } from "../../test/replay/duel.js";
import { wrongWith } from "../../test/replay/files.js";
import { axis, button, fraction, int, localSession, simulation } from "../sim/index.js";
import { layout, u32 } from "../state/index.js";
import { inputRuns, readReplay, readReplayInfo, record, replayPlayer, verify, type Replay } from "./index.js";

const textOf = (session: { hash(): readonly [number, number] }) => session.hash().join();

/** Returns the packed inputs of all ticks of a replay. */
function wordsOf(replay: Replay): number[][] {
  const cursor = replay.inputs();
  return Array.from({ length: replay.last - replay.first }, (_, i) => {
    cursor.seek(replay.first + i);
    return [...cursor.words];
  });
}

describe("a recording", () => {
  test("holds any inputs of any players, over any length", () => {
    const fields = [button, axis(16), int(0, 2 ** 31 - 2), axis(9), fraction(7)];
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 6 }),
        fc.array(fc.array(fc.tuple(fc.nat(63), fc.nat(), fc.nat(31)), { maxLength: 3 }), { maxLength: 1500 }),
        fc.array(fc.nat(1500)),
        (players, inputs, changes, asked) => {
          const game = simulation({
            name: "any",
            version: 0,
            rate: [60000, 1001],
            players,
            state: layout({ n: u32 }),
            input: Object.fromEntries(Array.from({ length: inputs }, (_, i) => [`i${i}`, fields[i % 5]!])),
            step(world) {
              world.n++;
            },
          });
          const words = new Uint32Array(players * game.packing.words);
          const session = localSession(game, {
            inputs: {
              allPlayers: true,
              sample(all, _at, { tick }) {
                for (const [word, value, shift] of changes[tick]!)
                  if (words.length > 0) words[word % words.length]! ^= value << shift;
                all.set(words);
              },
            },
          });
          const recorder = record(session, { checkpoints: 7 / 60, keyframes: 0.5 });
          const done: number[][] = [];
          session.on("confirmed", (step) => done.push([...step.words]));
          session.skip(changes.length);
          const replay = readReplay(recorder.bytes());
          expect(replay.info.packing.slots).toEqual(game.packing.slots);
          expect(replay).toMatchObject({ first: 0, last: changes.length, ending: "done", message: "" });
          expect(wordsOf(replay)).toEqual(done);
          const cursor = replay.inputs();
          for (const tick of asked.filter((at) => at < changes.length)) {
            cursor.seek(tick);
            expect([...cursor.words]).toEqual(done[tick]);
          }
          session.dispose();
        },
      ),
      { numRuns: 60 },
    );
  });

  test("has metadata that can be read from its first bytes", async () => {
    const session = duelSession(5);
    const recorder = record(session, {
      meta: { names: ["Ada", "Bob"], build: 17 },
      checkpoints: 20 / 60,
      keyframes: 2,
    });
    session.skip(300);
    const bytes = await recorder.save();
    const info = readReplayInfo(bytes.subarray(0, 700));
    expect(info).toMatchObject({
      name: "duel",
      version: 1,
      rate: [60, 1],
      players: 2,
      seed: 5,
      fingerprint: session.simulation.fingerprint,
      checkpoints: 20,
      keyframes: 120,
      meta: { names: ["Ada", "Bob"], build: 17 },
    });
    expect(info.packing.slots).toEqual(session.simulation.packing.slots);
    const replay = readReplay(bytes);
    expect(replay.keyframes.map(({ tick }) => tick)).toEqual([120, 240, 300]);
    expect(replay.checkpoints.ticks).toEqual(Array.from({ length: 15 }, (_, i) => 20 * (i + 1)));
    expect(replay.seconds).toBe(5);
    expect(bytes.length).toBeLessThan(recorder.bytes().length);
  });

  test("holds the same states whether deflated or not", async () => {
    const session = duelSession();
    const recorder = record(session, { keyframes: 1 });
    session.skip(200);
    const [plain, packed] = [readReplay(recorder.bytes()), readReplay(await recorder.save())];
    for (const [i, frame] of plain.keyframes.entries())
      expect(packed.stateOf(packed.keyframes[i]!)).toEqual(plain.stateOf(frame));
    expect(session.diff(packed.stateOf(packed.keyframes.at(-1)!))).toEqual([]);
    expect(verify(session.simulation, packed).message).toBe("");
  });

  test("can be printed as runs of equal inputs per player", () => {
    const game = simulation({
      name: "walk",
      version: 1,
      rate: 60,
      players: 2,
      state: layout({ n: u32 }),
      input: { jump: button, walk: axis(8) },
      step() {},
    });
    const session = localSession(game, {
      inputs([a, b], { tick }) {
        a.jump = tick === 3 || tick === 4;
        b.walk = tick < 700 ? 0 : -1;
      },
    });
    const recorder = record(session);
    session.skip(1000);
    expect([...inputRuns(readReplay(recorder.bytes()))]).toEqual([
      { from: 0, to: 3, player: 0, values: { jump: false, walk: 0 } },
      { from: 3, to: 5, player: 0, values: { jump: true, walk: 0 } },
      { from: 0, to: 700, player: 1, values: { jump: false, walk: 0 } },
      { from: 5, to: 1000, player: 0, values: { jump: false, walk: 0 } },
      { from: 700, to: 1000, player: 1, values: { jump: false, walk: -1 } },
    ]);
  });
});

describe("a recorder", () => {
  test("that starts late begins with the current state", () => {
    const session = duelSession();
    session.skip(77);
    const recorder = record(session);
    session.skip(100);
    const replay = readReplay(recorder.bytes());
    expect([replay.first, replay.last, recorder.first, recorder.last]).toEqual([77, 177, 77, 177]);
    expect(verify(session.simulation, replay)).toMatchObject({ ok: true, hash: session.hash() });
  });

  test("stores state 0 if it is not the one of the seed", () => {
    const other = localSession(duel(), { seed: "another" });
    const session = duelSession();
    session.load(other.bytes());
    const recorder = record(session);
    session.skip(50);
    const replay = readReplay(recorder.bytes());
    expect(replay.startState?.tick).toBe(0);
    expect(verify(session.simulation, replay)).toMatchObject({ ok: true, hash: session.hash() });
    expect(readReplay(record(duelSession()).bytes()).startState).toBeUndefined();
  });

  test("starts over when another state is loaded", () => {
    const session = duelSession();
    session.skip(30);
    const kept = session.bytes();
    const recorder = record(session, { checkpoints: 20 / 60 });
    session.skip(100);
    const first = recorder.take();
    session.load(kept);
    session.skip(20);
    expect([recorder.first, recorder.last]).toEqual([30, 50]);
    const replay = readReplay(Buffer.concat([first, recorder.take()]));
    expect([replay.first, replay.last]).toEqual([30, 50]);
    expect(verify(session.simulation, replay)).toMatchObject({ ok: true, hash: session.hash() });
  });

  test("take() returns pieces that form a file, after any of them", () => {
    const session = duelSession();
    const recorder = record(session, { checkpoints: 10 / 60, keyframes: 1 });
    const pieces: Uint8Array[] = [];
    for (let i = 0; i < 12; i++) {
      session.skip(i * 9);
      pieces.push(recorder.take());
      const replay = readReplay(Buffer.concat(pieces));
      expect(replay).toMatchObject({ last: session.tick, ending: "open" });
      expect(replay.message).toContain(`up to tick ${session.tick}`);
      expect(wrongWith(session.simulation, replay)).toBe("");
    }
    expect(recorder.take().length).toBe(0);
    expect(wordsOf(readReplay(Buffer.concat(pieces)))).toEqual(wordsOf(readReplay(recorder.bytes())));
  });

  test("is complete if it ends at a keyframe between two checkpoints", () => {
    const session = duelSession(5);
    const recorder = record(session, { checkpoints: 1, keyframes: 0.5 });
    for (let tick = 1; tick <= 90; tick++) {
      session.advance();
      const replay = readReplay(recorder.bytes());
      expect([replay.last, replay.message]).toEqual([tick, ""]);
      expect(replay.checkpoints.ticks.at(-1)).toBe(tick);
    }
    expect(verify(session.simulation, readReplay(recorder.bytes())).ok).toBe(true);
  });

  test("drops the ticks that a seek undid, whatever was taken before", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ on: fc.nat(150), back: fc.nat(200), take: fc.boolean() }), { maxLength: 8 }),
        (moves) => {
          const session = localSession(duel(), { history: { seconds: 30 }, inputs: fidgets(1) });
          const recorder = record(session, { checkpoints: 1 / 60, keyframes: 1 });
          const done: number[][] = [];
          session.on("confirmed", ({ tick, words }) => (done[tick] = [...words]));
          const pieces: Uint8Array[] = [];
          for (const [i, { on, back, take }] of moves.entries()) {
            session.setInputs(fidgets(i));
            session.skip(on);
            if (take) pieces.push(recorder.take());
            session.seek(Math.max(session.first, session.tick - back));
          }
          session.skip(1);
          pieces.push(recorder.take());
          for (const bytes of [Buffer.concat(pieces), recorder.bytes()]) {
            const replay = readReplay(bytes);
            expect(["open", "done"]).toContain(replay.ending);
            expect(wordsOf(replay)).toEqual(done.slice(0, session.tick));
            expect(verify(session.simulation, replay)).toMatchObject({ ok: true, hash: session.hash() });
          }
          session.dispose();
        },
      ),
      { numRuns: 60 },
    );
  });

  test("misses no tick and no load if another listener throws", () => {
    const session = duelSession(5);
    const saved = session.bytes();
    const mine = new Error("mine");
    session.on("confirmed", ({ tick }) => {
      if (tick === 20) throw mine;
    });
    session.on("load", () => {
      throw mine;
    });
    const recorder = record(session, { everyTick: true });
    const advance = (ticks: number) => {
      for (let i = 0; i < ticks; i++) session.advance();
    };
    expect(() => advance(30)).toThrow(mine);
    advance(9);
    expect([recorder.first, recorder.last]).toEqual([0, 30]);
    expect(() => session.load(saved)).toThrow(mine);
    advance(10);
    expect([recorder.first, recorder.last]).toEqual([0, 10]);
    expect(verify(session.simulation, readReplay(recorder.bytes()))).toMatchObject({ ok: true, message: "" });
  });

  test("starts over after a seek to before its first tick", () => {
    const session = localSession(duel(), { history: { seconds: 10 }, inputs: fidgets(1) });
    session.skip(50);
    const recorder = record(session);
    session.skip(50);
    session.seek(20);
    session.skip(30);
    const replay = readReplay(recorder.bytes());
    expect([replay.first, replay.last]).toEqual([21, 50]);
    expect(verify(session.simulation, replay).message).toBe("");
  });

  test("after stop(), the file is complete even if the session was disposed", async () => {
    const session = duelSession();
    const recorder = record(session);
    session.skip(90);
    recorder.stop();
    session.skip(10);
    session.dispose();
    const replay = readReplay(await recorder.save());
    expect(replay).toMatchObject({ last: 90, ending: "done" });
    expect(replay.keyframes.map(({ tick }) => tick)).toEqual([90]);
    const other = record(duelSession());
    expect(readReplay(other.bytes())).toMatchObject({ last: 0, ending: "done" });
  });

  test("the piece that is taken after stop() ends the file", () => {
    const session = duelSession();
    const recorder = record(session);
    session.skip(70);
    const pieces = [recorder.take()];
    session.skip(20);
    recorder.stop();
    pieces.push(recorder.take(), recorder.take());
    const replay = readReplay(new Uint8Array(Buffer.concat(pieces)));
    expect(replay).toMatchObject({ last: 90, ending: "done", message: "" });
    expect(verify(session.simulation, replay)).toMatchObject({ ok: true, compared: 2 });
  });

  describe("if the session can no longer save its state, the file ends with its last checkpoint", () => {
    let inStep = () => {};
    const game = simulation({
      name: "crash",
      version: 1,
      rate: 60,
      state: layout({ n: u32 }),
      external: {
        part: () => {
          let n = 1;
          return {
            add: () => n++,
            save: () => Uint8Array.of(n),
            load: ([saved]: Uint8Array) => void (n = saved!),
            hash: () => [n, n] as const,
          };
        },
      },
      step(world, _, { tick, external }) {
        world.n++;
        external.part.add();
        if (tick === 90) inStep();
      },
    });
    const begin = () => {
      const session = localSession(game);
      const recorder = record(session);
      session.skip(90);
      return { session, recorder };
    };
    const complete = { last: 90, ending: "done", message: "", compared: 1 };
    const foundIn = (bytes: Uint8Array) => {
      const replay = readReplay(bytes);
      inStep = () => {};
      return { last: replay.last, ending: replay.ending, ...verify(game, replay) };
    };

    test("after dispose", () => {
      const { session, recorder } = begin();
      session.dispose();
      expect(foundIn(recorder.bytes())).toMatchObject(complete);
    });
    test("after a step threw", () => {
      const { session, recorder } = begin();
      inStep = () => {
        throw new Error("boom");
      };
      expect(() => session.advance()).toThrow("boom");
      expect(foundIn(recorder.bytes())).toMatchObject(complete);
    });
    test("during a step", () => {
      const { session, recorder } = begin();
      let bytes = new Uint8Array(0);
      inStep = () => void (bytes = new Uint8Array(recorder.bytes()));
      session.advance();
      expect(foundIn(bytes)).toMatchObject(complete);
    });
  });

  test("seeking to the same tick again and again does not make the file longer", () => {
    const session = localSession(duel(), { history: { seconds: 5 }, inputs: fidgets(1) });
    const recorder = record(session, { checkpoints: 0 });
    session.skip(100);
    const sizes = Array.from({ length: 50 }, () => {
      session.seek(50);
      session.skip(2);
      return recorder.bytes().length;
    });
    expect(sizes.at(-1)).toBe(sizes[1]);
    expect(wrongWith(session.simulation, readReplay(recorder.bytes()))).toBe("");
  });

  test("records a replay player, and the inputs after takeOver", () => {
    const session = duelSession();
    const first = record(session);
    session.skip(200);
    const player = replayPlayer(session.simulation, readReplay(first.bytes()));
    const second = record(player);
    for (let i = 0; i < 120; i++) player.advance();
    player.takeOver(fidgets(9));
    for (let i = 0; i < 100; i++) player.advance();
    const replay = readReplay(second.bytes());
    expect([replay.first, replay.last]).toEqual([0, 220]);
    expect(verify(session.simulation, replay)).toMatchObject({ ok: true, hash: player.hash() });
    expect(wordsOf(replay).slice(0, 120)).toEqual(wordsOf(player.replay).slice(0, 120));
    expect(textOf(player)).not.toBe(textOf(session));
  });

  test.each([
    [() => record(undefined as never), "bad-value", "record: session must be a session, got undefined"],
    [() => record({} as never), "bad-value", "record: session must be a session, got {}"],
    [
      () => record(duel() as never),
      "bad-value",
      "record: session must be a session, got a Simulation. Try localSession(game).",
    ],
    [() => record({ on() {} } as never), "bad-value", "record: session.hash must be a function"],
    [
      () => record(duelSession(), { meta: { save() {} } }),
      "bad-value",
      "record: meta.save must be a JSON value, got a function",
    ],
    [
      () => record(duelSession(), { meta: { score: NaN } }),
      "bad-value",
      "record: meta.score must be a JSON value, got NaN",
    ],
    [
      () => record(duelSession(), { meta: { text: "x".repeat(70_000) } }),
      "bad-value",
      "record: meta must be",
    ],
    [
      () => record(duelSession(), { meta: Promise.resolve({}) as never }),
      "bad-value",
      "record: meta must be an object, got a Promise, did you forget `await`?",
    ],
    [() => record(duelSession(), { meta: { n: 1n } }), "bad-value", "record: meta must be"],
    [() => record(duelSession(), { meta: new Date(0) as never }), "bad-value", "record: meta must be"],
    [() => record(duelSession(), { meta: { toJSON() {} } }), "bad-value", "record: meta must be"],
    [
      () => record(duelSession(), { keyframe: 1 } as never),
      "unknown-option",
      'record: unknown option "keyframe". Did you mean "keyframes"?',
    ],
  ] as const)("rejects %o", (call, code, message) => {
    expect(call).toThrow(errorWith(code, message));
  });
});

describe("a session that breaks its contract is rejected by name", () => {
  /** A session of our own that only emits what the test says. */
  function custom(parts: object = {}) {
    const listeners: ((confirmed: object) => void)[] = [];
    const session = {
      simulation: duel(),
      seed: 0,
      tick: 0,
      confirmed: 0,
      hash: () => [1, 2],
      bytes: () => new Uint8Array(8),
      on(event: string, listener: (confirmed: object) => void) {
        if (event === "confirmed") listeners.push(listener);
        return () => {};
      },
      ...parts,
    };
    const width = session.simulation.players * session.simulation.packing.words;
    const confirm = (tick: unknown, words: unknown = new Uint32Array(width)) =>
      listeners.forEach((listener) => listener({ tick, words, hash: session.hash, bytes: session.bytes }));
    return { session: session as never, confirm, width };
  }

  test("by the words of a tick", () => {
    const { session, confirm, width } = custom();
    record(session);
    expect(() => confirm(0, [0, 0])).toThrow(
      errorWith(
        "bad-value",
        `record: the words of the session's confirmed event must be a Uint32Array of length ${width}, got [0,0]`,
      ),
    );
    expect(() => confirm(0, new Uint32Array(width + 1))).toThrow(
      errorWith("bad-value", `their length must be ${width}, got ${width + 1}`),
    );
  });

  test("by ticks that skip", () => {
    const { session, confirm } = custom();
    record(session);
    confirm(0);
    expect(() => confirm(2)).toThrow(
      errorWith("not-ready", "record: the session confirmed tick 2 after tick 0, so the inputs between"),
    );
    expect(() => confirm(1.5)).toThrow(errorWith("bad-value", "record: the tick of the session's confirmed"));
    confirm(1);
  });

  test("by states without bytes", () => {
    const empty = new Uint8Array();
    expect(() => record(custom({ bytes: () => empty }).session)).toThrow(
      errorWith("bad-value", "record: the length of session.bytes() must be 1 or more, got 0"),
    );
    expect(() => record(custom({ bytes: () => "state" }).session)).toThrow(
      errorWith("bad-value", 'record: the result of session.bytes must be a Uint8Array, got "state"'),
    );
    const { session, confirm } = custom();
    const recorder = record(session, { keyframes: 0.1 });
    Object.assign(session, { bytes: () => empty, tick: 1, confirmed: 1 });
    confirm(0);
    expect(() => recorder.bytes()).toThrow(errorWith("bad-value", "record: the length of session.bytes()"));
  });
});
