// Random games on the worst network, with members that join, leave and die. `npm run soak` plays an hour of them.
import { describe, expect, test } from "vitest";
import { FULL } from "../full.js";
import { playChaos, type ChaosOptions } from "./chaos.js";

/** All seeds, or a sample: those that found a fault once, and others. */
const seeds = (sample: readonly number[], full: number) =>
  FULL ? Array.from({ length: full }, (_, seed) => seed) : sample;

/** Plays a game, and expects that it broke no law and was not a trivial one. */
function expectGame(options: ChaosOptions): void {
  const { faults, rollbacks, joins } = playChaos(options);
  expect(faults, JSON.stringify(options)).toEqual([]);
  expect(rollbacks).toBeGreaterThan(100);
  expect(joins).toBeGreaterThan(options.players);
}

describe.each([4, 8])("hell, with %i players that join, leave and die: no desync, no freeze", (players) => {
  test.each(seeds(players === 4 ? [247, 387] : [1], 1000))("seed %i", (seed) => {
    expectGame({ seed, players, seconds: FULL ? 60 : 30, network: "hell", disturbedEvery: 6 });
  });
});

describe("also with frozen peers and broken lines: no desync, and the game goes on", () => {
  test.each(seeds([134, 198], 400))("seed %i", (seed) => {
    expectGame({ seed, players: 5, seconds: 40, network: "hell", disturbedEvery: 4, isSevere: true });
  });
});

describe("a star on bad wifi", () => {
  test.each(seeds([16], 300))("seed %i", (seed) => {
    expectGame({ seed, players: 6, seconds: 30, network: "bad wifi", disturbedEvery: 5, isStar: true });
  });
});

test("a game is the same each time, from its seed", () => {
  const play = () => {
    const log: string[] = [];
    playChaos({
      seed: 7,
      players: 4,
      seconds: 15,
      network: "hell",
      disturbedEvery: 3,
      log: (text) => log.push(text),
    });
    return log;
  };
  const first = play();
  expect(first.length).toBeGreaterThan(20);
  expect(play()).toEqual(first);
});

test("a game that breaks a law is noticed", () => {
  const { faults } = playChaos({ seed: 1, players: 4, seconds: 20, network: "hell", isTampered: true });
  expect(faults.join()).toContain("another state");
});
