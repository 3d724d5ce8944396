// An hour of netplay on the worst network, with members that join, leave and die: many games of a minute on virtual time.
import { NETWORK_PROFILES, type NetworkProfile } from "../../src/net/network-profiles.js";
import { playChaos } from "../net/chaos.js";
import { playServerChaos } from "../net/server-chaos.js";

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
