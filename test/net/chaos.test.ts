// Random games on the worst network, with members that join, leave and die. `npm run soak` plays an hour of them.
import { describe, expect, test } from "vitest";
import { FULL } from "../full.js";
import { playChaos, type ChaosOptions } from "./chaos.js";

const seeds = (sample: number, full: number) =>
  Array.from({ length: FULL ? full : sample }, (_, seed) => seed);

/** Plays a game, and expects that it broke no law and was not a trivial one. */
function expectGame(options: ChaosOptions): void {
  const { faults, rollbacks, joins, drops } = playChaos(options);
  expect(faults, JSON.stringify(options)).toEqual([]);
  expect(rollbacks).toBeGreaterThan(100);
  expect(joins).toBeGreaterThan(options.players);
  expect(drops, JSON.stringify(options)).toBeGreaterThan(0);
}

describe.each([4, 8])("hell, with %i players that join, leave and die: no desync, no freeze", (players) => {
  test.each(seeds(players === 4 ? 3 : 2, 1000))("seed %i", (seed) => {
    expectGame({ seed, players, seconds: FULL ? 60 : 30, network: "hell", disturbedEvery: 6 });
  });
});

describe("also with frozen peers and broken lines: no desync, and the game goes on", () => {
  test.each(seeds(3, 200))("seed %i", (seed) => {
    expectGame({ seed, players: 5, seconds: 40, network: "hell", disturbedEvery: 4, isSevere: true });
  });
});

describe("a star on bad wifi", () => {
  test.each(seeds(2, 200))("seed %i", (seed) => {
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
