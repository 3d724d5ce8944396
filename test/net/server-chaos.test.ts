// Random games of a server and eight clients on every network, with clients that join, leave, die and freeze, and lines that break.
import { describe, expect, test } from "vitest";
import { NETWORK_PROFILES, type NetworkProfile } from "../../src/net/network-profiles.js";
import { FULL } from "../full.js";
import { meanOf, playServerChaos, type ServerChaosOptions, type SteadyPlay } from "./server-chaos.js";

const seeds = (sample: number, full: number) =>
  Array.from({ length: FULL ? full : sample }, (_, seed) => seed);

/** Plays a game, and expects that it broke no law and was not a trivial one. */
function expectGame(options: ServerChaosOptions): readonly SteadyPlay[] {
  const { faults, rollbacks, confirmed, drops, steady } = playServerChaos(options);
  expect(faults, JSON.stringify(options)).toEqual([]);
  expect(confirmed).toBeGreaterThan(options.seconds * 60 * 2);
  expect(rollbacks).toBeGreaterThan(options.network === "LAN" ? 10 : 100);
  expect(drops).toBeGreaterThan(0);
  expect(steady.length).toBeGreaterThan(0);
  return steady;
}

const NETWORKS = Object.keys(NETWORK_PROFILES) as NetworkProfile[];

describe.each(NETWORKS)(
  "%s: clients agree with the server, nobody freezes, and inputs come in time",
  (network) => {
    const all: SteadyPlay[] = [];
    test.each(seeds(1, 1000))("seed %i", (seed) => {
      const clients = FULL ? 8 : network === "hell" ? 6 : 4;
      const seconds = FULL ? 60 : 25;
      const steady = expectGame({
        seed: `${network} ${seed}`,
        clients,
        seconds,
        network,
        disturbedEvery: FULL ? 6 : 2.5,
      });
      all.push(...steady);
    });

    test("at most one per cent of all inputs are late, with no larger margin than the line asks for", () => {
      const { ticks, late, margin, allowedMargin } = meanOf(all);
      expect(ticks).toBeGreaterThan(500);
      if (FULL)
        console.log(
          `${network}: ${(100 * late).toFixed(2)} % of ${ticks} inputs late, margin ${margin.toFixed(2)} of ${allowedMargin.toFixed(2)} ticks`,
        );
      // Reported only, as the line loses a fifth of all packets in bursts of eight.
      if (network === "hell") return;
      expect(late).toBeLessThanOrEqual(0.01);
      expect(margin).toBeLessThanOrEqual(allowedMargin);
    });
  },
);

// The clients load the server's states. Once nothing happens any more, they predict the right ones.
describe.each(["bad wifi", "hell"] as const)("%s, with states instead of inputs", (network) => {
  test.each(seeds(1, 200))("seed %i", (seed) => {
    const seconds = FULL ? 60 : 25;
    const { faults, loads, drops } = playServerChaos({
      seed: `states ${seed}`,
      clients: 5,
      seconds,
      network,
      down: "states",
      disturbedEvery: seconds / 10,
    });
    expect(faults).toEqual([]);
    expect(loads).toBeGreaterThan(5);
    expect(drops).toBeGreaterThan(0);
  });
});

test("a game is the same each time, from its seed", () => {
  const play = () => {
    const log: string[] = [];
    playServerChaos({
      seed: 7,
      clients: 3,
      seconds: 15,
      network: "hell",
      disturbedEvery: 1.5,
      log: (text) => log.push(text),
    });
    return log;
  };
  const first = play();
  expect(first.length).toBeGreaterThan(10);
  expect(play()).toEqual(first);
});

test("a client that breaks a law is noticed", () => {
  const { faults } = playServerChaos({
    seed: 1,
    clients: 3,
    seconds: 20,
    network: "good wifi",
    isTampered: true,
  });
  expect(faults.join()).toContain("another state");
  expect(faults.join()).toContain("desync");
});

// A client that wakes up asks for the whole state, and gets the inputs that it lacks before that.
test("with inputs, hell, seed 867: a client that was frozen goes on at once", () => {
  const { faults, longestStandstill } = playServerChaos({
    seed: "hell 867",
    clients: 8,
    seconds: 60,
    network: "hell",
    disturbedEvery: 6,
  });
  expect(faults).toEqual([]);
  expect(longestStandstill).toBeLessThan(500);
});

// Clients that were dropped while they were frozen, and connect again; and that have no state yet after tick 2048.
test.each([
  ["good wifi", 118],
  ["4G", 109],
  ["hell", 111],
] as const)("with states, %s, seed %i: clients come back at once", (network, seed) => {
  const { faults } = playServerChaos({
    seed: `${network} ${seed}`,
    clients: 8,
    seconds: 60,
    network,
    disturbedEvery: 6,
    down: "states",
  });
  expect(faults).toEqual([]);
});
