// Random games of a server and eight clients on every network, with clients that join, leave, die and freeze, and lines that break.
import { describe, expect, test } from "vitest";
import { NETWORK_PROFILES, type NetworkProfile } from "../../src/net/network-profiles.js";
import { FULL } from "../full.js";
import { playServerChaos, type ServerChaosOptions } from "./server-chaos.js";

const seeds = (sample: number, full: number) =>
  Array.from({ length: FULL ? full : sample }, (_, seed) => seed);

/** Plays a game, and expects that it broke no law and was not a trivial one. */
function expectGame(options: ServerChaosOptions): void {
  const { faults, rollbacks, confirmed, drops, steady } = playServerChaos(options);
  expect(faults, JSON.stringify(options)).toEqual([]);
  expect(confirmed).toBeGreaterThan(options.seconds * 60 * 2);
  expect(rollbacks).toBeGreaterThan(options.network === "LAN" ? 10 : 100);
  expect(drops).toBeGreaterThan(0);
  expect(steady.length).toBeGreaterThan(0);
}

const NETWORKS = Object.keys(NETWORK_PROFILES) as NetworkProfile[];

describe.each(NETWORKS)(
  "%s: clients agree with the server, nobody freezes, and inputs come in time",
  (network) => {
    test.each(seeds(1, 1000))("seed %i", (seed) => {
      const clients = FULL ? 8 : network === "hell" ? 6 : 4;
      const seconds = FULL ? 60 : 25;
      expectGame({ seed: `${network} ${seed}`, clients, seconds, network, disturbedEvery: FULL ? 6 : 2.5 });
    });
  },
);

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
