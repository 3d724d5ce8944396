// The beats of a simulation repeat whatever a session does: rewinds, replays, rollbacks, loads.
import { describe, expect, test } from "vitest";
import { changeRate, every } from "../../src/loop/index.js";
import { button, guard, localSession, migrate, play, simulation, syncTest } from "../../src/sim/index.js";
import { simulatedNetwork } from "../../src/net/simulated.js";
import { readReplay, record, replayPlayer, verify } from "../../src/replay/index.js";
import { f64, hashText, layout, list, u32 } from "../../src/state/index.js";
import { expectNetplay, manualDriver, manualLoop } from "../../src/testing/index.js";
import { errorWith } from "../error-with.js";
import { Party } from "../net/party.js";

/** Two players push; a beat thinks at 7 Hz, and another one, at [1, 3] Hz, counts. All of it depends on the order. */
const thinkers = simulation({
  name: "thinkers",
  version: 1,
  rate: 60,
  players: 2,
  state: layout({ x: list(2, f64), wish: f64, thoughts: u32, counts: u32, lastTick: u32, order: f64 }),
  input: { push: button },
  effects: { thought: { beat: u32 } },
  beats: {
    think: {
      rate: 7,
      run(world, { beat, tick, dt, random, emit }) {
        world.wish = random.float() * dt + world.x[0]!;
        world.order = world.order * 3 + 1;
        world.thoughts = beat + 1;
        world.lastTick = tick;
        emit("thought", { beat });
      },
    },
    count: {
      rate: [1, 3],
      run(world) {
        world.order = world.order * 3 + 2;
        world.counts++;
      },
    },
  },
  step(world, inputs, { random }) {
    inputs.forEach(({ push }, player) => {
      if (push) world.x[player]! += world.wish * 1e-3 + random.float();
    });
    if (world.order > 1e9) world.order = 0;
  },
});

const pushing = (players: readonly { push: boolean }[], { tick }: { tick: number }) =>
  players.forEach((player, seat) => ((player as { push: boolean }).push = (tick >> (2 + seat)) % 2 === 0));

/** The number of beats of rate b that begin before or with step `tick`, of 60 steps per second. */
const beatsUntil = (tick: number, numerator: number, denominator = 1) =>
  Math.floor((tick * numerator) / (60 * denominator)) + 1;

describe("in a local session", () => {
  test("beat k of rate b runs just before the first step n with n / rate ≥ k / b", () => {
    const session = localSession(thinkers, { inputs: pushing });
    for (let tick = 0; tick < 1000; tick++) {
      session.advance();
      expect([session.world.thoughts, session.world.counts]).toEqual([
        beatsUntil(tick, 7),
        beatsUntil(tick, 1, 3),
      ]);
    }
  });

  test("beats run in the order and at the times of the loop's own", () => {
    const rates = { odd: 25, slow: [1, 3], fast: 150, same: 60, none: [60000, 1001] } as const;
    const heard: string[] = [];
    const game = simulation({
      name: "order",
      version: 1,
      rate: [60000, 1001],
      state: layout({ x: u32 }),
      beats: Object.fromEntries(
        Object.entries(rates).map(([name, rate]) => [
          name,
          {
            rate,
            run(_world: unknown, { beat, time }: { beat: number; time: number }) {
              heard.push(`${name} ${beat} ${time}`);
            },
          },
        ]),
      ),
      step: (_world, _inputs, { tick }) => void heard.push(`step ${tick}`),
    });
    const session = localSession(game);
    for (let i = 0; i < 500; i++) session.advance();
    const expected: string[] = [];
    const loop = manualLoop({
      rate: [60000, 1001],
      step: ({ tick }) => void expected.push(`step ${tick}`),
    });
    for (const [name, rate] of Object.entries(rates))
      every(loop, rate, ({ tick, time }) => void expected.push(`${name} ${tick} ${time}`));
    loop.runSteps(500);
    expect(heard).toEqual(expected);
    expect(heard.length).toBeGreaterThan(2000);
  });

  test("seeking, rewinding and loading repeat them", () => {
    const session = localSession(thinkers, { inputs: pushing, history: { seconds: 20 } });
    const hashes: string[] = [];
    for (let tick = 0; tick <= 600; tick++) {
      hashes.push(hashText(session.hash()));
      if (tick < 600) session.advance();
    }
    for (const tick of [599, 17, 300, 301, 0, 8, 9]) {
      session.seek(tick);
      expect(hashText(session.hash())).toBe(hashes[tick]);
    }
    session.seek(600);
    session.rewind(3);
    for (let i = 1; i <= 100; i++) {
      session.advance();
      expect(hashText(session.hash())).toBe(hashes[600 - 3 * i]);
    }
    session.endRewind();
    const bytes = session.bytes();
    for (let tick = session.tick; tick < 600; tick++) session.advance();
    expect(hashText(session.hash())).toBe(hashes[600]);
    const other = localSession(thinkers, { inputs: pushing });
    other.load(bytes);
    while (other.tick < 600) other.advance();
    expect(hashText(other.hash())).toBe(hashes[600]);
  });

  test("a speculative step runs them on the discarded state only", () => {
    const plain = localSession(thinkers, { inputs: pushing });
    const ahead = localSession(thinkers, { inputs: pushing, present: "speculate" });
    for (let i = 0; i < 100; i++) {
      plain.advance();
      ahead.advance();
      ahead.view(0.5);
      ahead.view(0.9);
      expect(ahead.hash()).toEqual(plain.hash());
    }
  });

  test("each effect of a beat is delivered once, with the tick of its step", () => {
    const session = localSession(thinkers, { present: "none" });
    const heard: string[] = [];
    session.on("effect", ({ beat, tick }) => void heard.push(`${beat} ${tick}`));
    for (let i = 0; i < 30; i++) session.advance();
    expect(heard).toEqual(["0 0", "1 9", "2 18", "3 26"]);
  });

  test("a step that throws undoes its beats, and the next call repeats them", () => {
    let isBroken = true;
    const game = simulation({
      ...thinkers.options,
      step(world, inputs, context) {
        thinkers.options.step(world, inputs, context);
        if (context.tick === 18 && isBroken) throw new Error("broken");
      },
    });
    const session = localSession(game, { inputs: pushing });
    const sound = localSession(thinkers, { inputs: pushing });
    for (let i = 0; i < 18; i++) session.advance();
    expect(session.world.thoughts).toBe(2);
    expect(() => session.advance()).toThrow("broken");
    expect(session.world.thoughts).toBe(2);
    isBroken = false;
    for (let i = 0; i < 40; i++) session.advance();
    for (let i = 0; i < 58; i++) sound.advance();
    expect(session.hash()).toEqual(sound.hash());
  });
});

describe("elsewhere", () => {
  test("a replay repeats them, from the start and after a seek", async () => {
    const session = localSession(thinkers, { inputs: pushing });
    const recorder = record(session);
    const hashes = [hashText(session.hash())];
    for (let i = 0; i < 600; i++) {
      session.advance();
      hashes.push(hashText(session.hash()));
    }
    const replay = readReplay(await recorder.save());
    expect(verify(thinkers, replay)).toMatchObject({ ok: true });
    const player = replayPlayer(thinkers, replay);
    for (const tick of [500, 3, 128, 257]) {
      player.seek(tick);
      expect(hashText(player.hash())).toBe(hashes[tick]);
      for (let i = 0; i < 30; i++) player.advance();
      expect(hashText(player.hash())).toBe(hashes[tick + 30]);
    }
  });

  test("rollback between peers leads to the states of a local game", () => {
    const party = new Party(thinkers, "bad wifi");
    for (let seat = 0; seat < 2; seat++)
      party.add({
        seats: [seat],
        inputs: ((players: readonly { push: boolean }[], { tick }: { tick: number }) =>
          players.forEach((player) => (player.push = (tick >> (2 + seat)) % 2 === 0))) as never,
      });
    party.net.mesh();
    party.run(20);
    expect(party.faults()).toEqual([]);
    const local = localSession(thinkers, { inputs: pushing });
    const hashes = Array.from({ length: 1300 }, () => {
      const hash = local.hash().join();
      local.advance();
      return hash;
    });
    for (const { states, session } of party.guests) {
      expect(session.net.rollbacks).toBeGreaterThan(50);
      expect(states.size).toBeGreaterThan(500);
      for (const [tick, hash] of states) expect(`${tick} ${hash}`).toBe(`${tick} ${hashes[tick]}`);
    }
    party.dispose();
  });

  test("random games on a bad network stay equal", () => {
    const { rollbacks, ticks } = expectNetplay(thinkers, { seconds: 10, network: "bad wifi", seed: 3 });
    expect(ticks).toBeGreaterThan(400);
    expect(rollbacks).toBeGreaterThan(10);
  });

  test("a client predicts them like its server", () => {
    const net = simulatedNetwork({ network: { latency: 40, jitter: 5 }, seed: "beats" });
    const server = net.server(thinkers);
    const client = net.client(thinkers, server, { seats: [0], inputs: pushing as never });
    net.run(5);
    const { session } = client;
    expect(session.confirmed).toBeGreaterThan(200);
    expect(session.net.desyncs ?? 0).toBe(0);
    expect(session.world.thoughts).toBe(beatsUntil(session.tick - 1, 7));
    net.dispose();
  });

  test("the sync test passes, and finds a beat that depends on something else", () => {
    expect(syncTest(thinkers, { guard: guard() }).message).toBe("");
    let leak = 0;
    const leaky = simulation({
      ...thinkers.options,
      beats: { think: { rate: 7, run: (world) => void (world.wish = leak++) } },
    });
    const result = syncTest(leaky);
    expect(result.ok).toBe(false);
    expect(result.message).toContain("wish");
  });
});

describe("declarations", () => {
  const declare = (beats: object | undefined, version = 1) =>
    simulation({
      name: "declared",
      version,
      rate: 60,
      state: layout({ x: u32 }),
      beats: beats as never,
      step() {},
    });

  test("only beats change the fingerprint, with their names, rates and order", () => {
    const run = () => {};
    const prints = [
      undefined,
      { a: { rate: 4, run } },
      { b: { rate: 4, run } },
      { a: { rate: 5, run } },
      { a: { rate: 4, run }, b: { rate: 4, run } },
      { b: { rate: 4, run }, a: { rate: 4, run } },
    ].map((beats) => declare(beats).fingerprint);
    expect(new Set(prints).size).toBe(6);
    expect(declare({}).fingerprint).toBe(declare(undefined).fingerprint);
    expect(declare({ a: { rate: [8, 2], run } }).fingerprint).toBe(prints[1]);
    // A simulation without beats keeps the fingerprint that it had before there were any.
    expect(prints[0]).toBe("d3e28a8a8cb23840");
  });

  test("bytes of a version with other beats are named and can be migrated", () => {
    const run = () => {};
    const old = localSession(declare({ a: { rate: 4, run } }));
    old.advance();
    const bytes = old.bytes();
    const same = localSession(declare({ a: { rate: 5, run } }));
    expect(() => same.load(bytes)).toThrow(errorWith("wrong-simulation", "the beats changed"));
    const without = localSession(declare(undefined));
    expect(() => without.load(bytes)).toThrow(errorWith("wrong-simulation", "the beats changed"));
    const game = declare({ b: { rate: 9, run } }, 2);
    const session = localSession(game);
    session.load(migrate(game, bytes));
    expect(session.tick).toBe(1);
  });

  test("a beat must be synchronous", async () => {
    const game = declare({ think: { rate: 4, run: async () => {} } });
    expect(() => localSession(game).advance()).toThrow(
      errorWith("async-callback", "Simulation: beats.think.run must be synchronous"),
    );
    await Promise.resolve();
  });

  test("maps and arrays are rejected: the beats of a map would never run", () => {
    const think = { rate: 4, run() {} };
    for (const [beats, shown] of [
      [new Map([["think", think]]), "a Map"],
      [new Set([think]), "a Set"],
      [[], "[]"],
      [[think], '[{"rate":4}]'],
      [Promise.resolve({ think }), "a Promise, did you forget `await`?"],
    ] as const)
      expect(() => declare(beats as never)).toThrow(
        errorWith("bad-value", `simulation: beats must be an object with a name for each beat, got ${shown}`),
      );
  });

  test("a guard covers beats", () => {
    const game = declare({ think: { rate: 4, run: () => void Math.random() } });
    expect(() => localSession(game, { guard: guard() }).advance()).toThrow(errorWith("forbidden-call"));
  });
});

describe("the loop of a session", () => {
  test("has no beats of its own, as they would go on during a rewind", () => {
    const driver = manualDriver();
    const { loop, session, dispose } = play(thinkers, { driver, history: { seconds: 10 } });
    expect(() => every(loop, 4, () => {})).toThrow(
      errorWith("rate-mismatch", "every: this loop drives a session, whose ticks may go back"),
    );
    driver.display(60, 1);
    const { thoughts } = session.world;
    session.rewind();
    driver.display(60, 0.5);
    expect(session.world.thoughts).toBe(beatsUntil(session.tick - 1, 7));
    expect(session.world.thoughts).toBeLessThan(thoughts);
    dispose();
  });

  test("keeps the rate of the simulation", () => {
    const driver = manualDriver();
    const { loop, dispose } = play(thinkers, { driver });
    for (const rate of [30, 60, [60, 2]] as const)
      expect(() => changeRate(loop, rate)).toThrow(
        errorWith("rate-mismatch", "changeRate: this loop drives a session"),
      );
    expect(() => changeRate(loop, 0)).toThrow(errorWith("bad-value"));
    expect(loop.rate).toEqual([60, 1]);
    dispose();
  });
});
