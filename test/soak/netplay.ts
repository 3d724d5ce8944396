// An hour of netplay on the worst network, with members that join, leave and die: many games of a minute on virtual time.
import { NETWORK_PROFILES, type NetworkProfile } from "../../src/net/network-profiles.js";
import { playChaos } from "../net/chaos.js";
import { playServerChaos } from "../net/server-chaos.js";
import { gridOf, playUpheaval } from "../net/upheaval-games.js";

/** Plays games of one minute each, in turn with four and with eight players. Returns all faults. */
export function soakNetplay(minutes: number, seed: string, report: (text: string) => void): string[] {
  const faults: string[] = [];
  let rollbacks = 0;
  let changes = 0;
  let longest = 0;
  for (let minute = 0; minute < minutes; minute++) {
    const players = minute % 2 === 0 ? 4 : 8;
    const game = playChaos({
      seed: `${seed} ${minute}`,
      players,
      seconds: 60,
      network: "hell",
      disturbedEvery: 6,
    });
    rollbacks += game.rollbacks;
    changes += game.joins + game.drops;
    longest = Math.max(longest, game.longestStandstill);
    for (const fault of game.faults) faults.push(`seed "${seed} ${minute}", ${players} players: ${fault}`);
    if ((minute + 1) % 10 === 0 || minute + 1 === minutes)
      report(
        `${minute + 1} minutes of netplay: ${rollbacks} rollbacks, ${changes} changes of members seen, longest standstill ${longest.toFixed(0)} ms, ${faults.length} faults`,
      );
  }
  return faults;
}

/** Plays games of one minute each, of a server and eight clients: on each network in turn, with inputs and with states. Returns all faults. */
export function soakServers(minutes: number, seed: string, report: (text: string) => void): string[] {
  const networks = Object.keys(NETWORK_PROFILES) as NetworkProfile[];
  const faults: string[] = [];
  let rollbacks = 0;
  let longest = 0;
  for (let minute = 0; minute < minutes; minute++) {
    const network = networks[minute % networks.length]!;
    const down = Math.floor(minute / networks.length) % 2 === 0 ? "inputs" : "states";
    const game = playServerChaos({
      seed: `${seed} ${minute}`,
      clients: 8,
      seconds: 60,
      network,
      disturbedEvery: 6,
      down,
    });
    rollbacks += game.rollbacks;
    longest = Math.max(longest, game.longestStandstill);
    for (const fault of game.faults) faults.push(`seed "${seed} ${minute}", ${network}, ${down}: ${fault}`);
    if ((minute + 1) % 10 === 0 || minute + 1 === minutes)
      report(
        `${minute + 1} minutes of servers: ${rollbacks} rollbacks, longest standstill ${longest.toFixed(0)} ms, ${faults.length} faults`,
      );
  }
  return faults;
}

/**
 * Plays the games of `test/net/upheaval-games.ts`: all shapes, networks and upheavals, five minutes each, with a seed per round. A share of
 * a round plays as many of its games. Returns all faults.
 */
export function soakUpheavals(rounds: number, seed: string, report: (text: string) => void): string[] {
  const faults: string[] = [];
  const most = { events: 0, rollbacks: 0, longestReturn: 0, standstill: 0 };
  for (let round = 0; round < rounds; round++) {
    const games = gridOf(`${seed} ${round}`, Math.min(1, rounds - round));
    games.forEach((options, i) => {
      const game = playUpheaval(options);
      most.events += game.events;
      most.rollbacks += game.rollbacks;
      most.longestReturn = Math.max(most.longestReturn, game.longestReturn);
      most.standstill = Math.max(most.standstill, game.standstill);
      faults.push(...game.faults);
      if ((i + 1) % 100 === 0 || i + 1 === games.length)
        report(
          `${i + 1} of ${games.length} games with upheavals: ${most.events} events, ${most.rollbacks} rollbacks, longest standstill ${most.standstill.toFixed(0)} ms, longest return ${most.longestReturn.toFixed(0)} ms, ${faults.length} faults`,
        );
    });
  }
  return faults;
}
