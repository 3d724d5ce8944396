import { describe, expect, test } from "vitest";
import { brawlFor } from "../../test/net/brawl.js";
import { button, simulation, text } from "../sim/index.js";
import { f64, layout, list, u32 } from "../state/index.js";
import { expectNetplay } from "./index.js";

/** A game in which players move by their inputs and by commands. */
const walkers = (step?: (world: { x: number }) => void) =>
  simulation({
    name: "walkers",
    version: 1,
    rate: 60,
    players: 2,
    state: layout({ x: f64, said: u32, at: list(2, f64) }),
    input: { go: button },
    commands: { say: { text: text(40) } },
    step(world, inputs, { commands }) {
      inputs.forEach(({ go }, player) => (world.at[player]! += go ? 1 : 0));
      for (const { text: said } of commands) world.said += said.length;
      step?.(world);
    },
  });

const brawl = brawlFor(2);
const brawlOfFour = brawlFor(4);

const quick = { seconds: 10, network: "good wifi", seed: 7 } as const;

describe("a game that is deterministic", () => {
  test("passes, and returns its figures", () => {
    const result = expectNetplay(brawlOfFour, { peers: 4, seconds: 20, network: "bad wifi", seed: 7 });
    expect(result.ticks).toBeGreaterThan(1000);
    expect(result.rollbacks).toBeGreaterThan(100);
    expect(result.resimulatedTicks).toBeGreaterThan(result.rollbacks);
    expect(result.longestStall).toBeLessThan(1000);
    expect(result.bytesPerSecond).toBeGreaterThan(60 * 3 * 4);
  });

  test("is the same game with the same seed, and another one with another", () => {
    const once = expectNetplay(brawl, quick);
    expect(expectNetplay(brawl, quick)).toEqual(once);
    expect(expectNetplay(brawl, { ...quick, seed: 8 }).hash).not.toEqual(once.hash);
  });

  test("passes in lockstep, without a rollback", () => {
    const { rollbacks, ticks } = expectNetplay(brawl, { ...quick, window: 0 });
    expect(rollbacks).toBe(0);
    expect(ticks).toBeGreaterThan(400);
  });

  test("passes with several seats per peer, and with spectators", () => {
    expect(expectNetplay(brawlOfFour, { ...quick, peers: 2 }).ticks).toBeGreaterThan(400);
    expect(expectNetplay(brawl, { ...quick, peers: 4 }).ticks).toBeGreaterThan(300);
  });

  test("passes with more than eight players, through a relay", () => {
    const crowd = simulation({
      ...walkers().options,
      players: 12 as number,
      state: layout({ x: f64, said: u32, at: list(12, f64) }),
    });
    expect(expectNetplay(crowd, { ...quick, seconds: 6 }).ticks).toBeGreaterThan(150);
  });
});

describe("inputs and commands", () => {
  test("are random by default", () => {
    let said = 0;
    const game = walkers();
    const { step } = game.options;
    const heard = simulation({
      ...game.options,
      step(world, inputs, context) {
        step(world, inputs, context);
        said = Math.max(said, world.said);
      },
    });
    expectNetplay(heard, quick);
    expect(said).toBeGreaterThan(100);
  });

  test("can be given, for each seat and tick", () => {
    const seats = new Set<number>();
    const ticks = new Set<number>();
    const { ticks: played } = expectNetplay(walkers(), {
      ...quick,
      inputs(player, { seat, tick, random }) {
        seats.add(seat);
        if (seat === 1) ticks.add(tick);
        if (random.chance(0.1)) player.go = !player.go;
      },
      commands(command, { seat, tick }) {
        if (tick % 50 === 0) command("say", { text: `${seat}` });
      },
    });
    expect(seats).toEqual(new Set([0, 1]));
    expect(ticks.size).toBeGreaterThanOrEqual(played);
  });
});

describe("throws", () => {
  test("if a step depends on anything but state and inputs: with tick, fields and how to reproduce it", () => {
    let calls = 0;
    const leaking = walkers((world) => (world.x = ++calls % 1000 === 0 ? world.x + 1 : world.x));
    expect(() => expectNetplay(leaking, quick)).toThrow(
      /^expectNetplay: walkers: (peers \d and \d have different states at tick \d+|peer \d reports a desync with peer \d at state \d+) \(after \d+\.\d s\)\nThe first difference between peer \d and peer \d, at state \d+:\nx: \d+ ≠ \d+\.\nTo reproduce: expectNetplay\(game, \{ peers: 2, seconds: 10, network: "good wifi", seed: 7 \}\)$/,
    );
  });

  test("if no guess was wrong, unless it is lockstep", () => {
    const still = { ...quick, inputs: () => {}, commands: () => {} };
    const moving = walkers((world) => (world.x += 1));
    expect(() => expectNetplay(moving, still)).toThrow(
      "expectNetplay: walkers: no guess was ever wrong, so no rollback was tested. Use a worse network, less delay, or inputs that change.\n" +
        'To reproduce: expectNetplay(game, { peers: 2, seconds: 10, network: "good wifi", seed: 7, … })',
    );
    expect(expectNetplay(moving, { ...still, window: 0 }).rollbacks).toBe(0);
  });

  test("if the world did not change", () => {
    const inert = simulation({ ...walkers().options, step() {} });
    expect(() => expectNetplay(inert, quick)).toThrow(
      "walkers: the world did not change, so nothing was tested.",
    );
  });

  test("if the game never starts", () => {
    const cut = { ...quick, network: { loss: 1 } };
    expect(() => expectNetplay(walkers(), cut)).toThrow(
      'walkers: peer 0 has confirmed no tick, its state is "waiting".',
    );
  });

  test("what a step throws, with the seed", () => {
    const error = new Error("no such crate");
    const failing = walkers((world) => {
      if (++world.x === 100) throw error;
    });
    expect(() => expectNetplay(failing, quick)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          /^expectNetplay: walkers: no such crate \(after \d\.\d s\)\.\nTo reproduce: .*seed: 7 /,
        ),
        cause: error,
      }),
    );
  });

  test("if a peer freezes", () => {
    // Packets arrive in clusters, often more than a second apart.
    const gaps = { loss: 0.9, burst: 100 };
    expect(() => expectNetplay(brawl, { ...quick, seconds: 30, network: gaps })).toThrow(
      /^expectNetplay: brawl: peer \d is frozen: it has been at tick \d+ for 1 s, although packets arrive \(after \d+\.\d s\)\.\nTo reproduce: expectNetplay\(game, \{ peers: 2, seconds: 30, network: \{ loss: 0\.9, burst: 100 \}, seed: 7 \}\)$/,
    );
  });
});
