// Random games on a simulated network, with members that join, leave, die and freeze, and lines that break. Checks the laws of netcode.
import { random } from "../../src/math/index.js";
import type { Conditions } from "../../src/net/conditioned.js";
import type { NetworkProfile } from "../../src/net/network-profiles.js";
import { simulatedNetwork, type SimulatedPeer } from "../../src/net/simulated.js";
import { brawlFor } from "./brawl.js";

export interface ChaosOptions {
  readonly seed: number | string;
  readonly players: number;
  readonly seconds: number;
  readonly network: NetworkProfile | Conditions;
  /** Mean seconds between two disturbances; Infinity for none. */
  readonly disturbedEvery?: number;
  /** Also freezes peers and breaks lines, so that there may be no majority for a while. Standstills are no fault then. */
  readonly isSevere?: boolean;
  readonly window?: number;
  readonly isStar?: boolean;
  /** One peer plays by other rules, to test the checks. */
  readonly isTampered?: boolean;
  readonly log?: (text: string) => void;
}

export interface ChaosResult {
  /** Every breach of a law, as text. */
  readonly faults: string[];
  readonly ticks: number;
  readonly rollbacks: number;
  readonly joins: number;
  readonly drops: number;
  readonly longestStandstill: number;
  readonly stalled: number;
}

type Player = SimulatedPeer & {
  seat: number;
  progressAt: number;
  packetsAt: number;
  received: number;
  isLeaving: boolean;
};

/** Plays one random game. The same options give the same game. */
export function playChaos(options: ChaosOptions): ChaosResult {
  const {
    seed,
    players,
    seconds,
    network,
    disturbedEvery = Infinity,
    window = 8,
    isStar = false,
    isSevere = false,
  } = options;
  const game = brawlFor(players);
  const tampered = brawlFor(players, 2);
  const dice = random(new Uint32Array(4)).seed(`chaos ${seed}`);
  const net = simulatedNetwork({ seed, network });
  const faults: string[] = [];
  /** The hash of each confirmed state, as the first peer saw it. */
  const hashes = new Map<number, string>();
  const live: Player[] = [];
  const all: Player[] = [];
  let joins = 0;
  let drops = 0;
  let longestStandstill = 0;
  let names = 0;
  const say = (text: string) => options.log?.(`${(net.time.now() / 1000).toFixed(2)} s: ${text}`);
  const fault = (text: string) => {
    if (faults.length < 20) faults.push(`${(net.time.now() / 1000).toFixed(2)} s: ${text}`);
    say(`FAULT ${text}`);
  };

  const add = (seat: number, token?: string): Player => {
    const name = `p${names++}`;
    const bot = random(new Uint32Array(4)).seed(`${seed} ${name}`);
    const isRelay = seat < 0;
    const peer = net.peer(options.isTampered === true && seat === 1 ? tampered : game, {
      seats: isRelay ? [] : [seat],
      relay: isRelay,
      name,
      ...(token === undefined ? { token: `${seed} ${name}` } : { token }),
      window,
      start: players,
      keepSeat: 0,
      inputs([player]) {
        if (!player) return;
        if (bot.chance(0.08)) player.go = !player.go;
        if (bot.chance(0.08)) player.hit = !player.hit;
        if (bot.chance(0.05)) player.way = bot.int(0, 7);
      },
    }) as unknown as Player;
    peer.seat = seat;
    peer.progressAt = net.time.now();
    peer.isLeaving = false;
    peer.received = 0;
    peer.packetsAt = 0;
    const { session } = peer;
    let last = -1;
    session.on("load", ({ tick }) => (last = tick - 1));
    session.on("confirmed", (confirmed) => {
      if (last >= 0 && confirmed.tick !== last + 1)
        fault(`${name} confirmed tick ${confirmed.tick} after ${last}`);
      last = confirmed.tick;
      const hash = confirmed.hash().join();
      const before = hashes.get(confirmed.tick);
      if (before === undefined) hashes.set(confirmed.tick, hash);
      else if (before !== hash) fault(`${name} has another state at tick ${confirmed.tick}`);
    });
    session.net.on("desync", ({ stage, tick, fields }) =>
      fault(`${name} reports a desync at tick ${tick}, ${stage}: ${JSON.stringify(fields)}`),
    );
    session.net.on("peer", ({ kind, name: other, reason, tick }) => {
      if (kind === "joined") joins++;
      if (kind === "dropped") drops++;
      say(`${name} sees ${other} ${kind} ${reason} (tick ${tick})`);
      if (kind === "hostile") fault(`${name} takes ${other} for hostile: ${reason}`);
    });
    session.net.on("rejected", ({ code, by }) => say(`${name} rejected by ${by}: ${code}`));
    let tick = 0;
    peer.afterAdvance = () => {
      const now = net.time.now();
      const isPlaying = session.net.state === "playing";
      // A game of two waits for the other: no packets arrive.
      if (session.tick !== tick || !isPlaying || session.net.members.length < 3) {
        tick = session.tick;
        peer.progressAt = now;
      }
      const standstill = now - peer.progressAt;
      if (standstill > longestStandstill) longestStandstill = standstill;
      if (standstill > 1000 && !isSevere) {
        const { tick: at, confirmed } = session;
        fault(
          `${name} has stood still for ${standstill.toFixed(0)} ms at tick ${at}, confirmed ${confirmed}, epoch ${session.net.epoch}`,
        );
        peer.progressAt = now;
      }
    };
    return peer;
  };
  const link = (peer: Player) => {
    if (isStar) {
      if (peer !== all[0]) net.connect(all[0]!, peer);
    } else for (const other of live) if (other !== peer) net.connect(other, peer);
  };
  const enter = (peer: Player) => {
    all.push(peer);
    live.push(peer);
    link(peer);
  };
  if (isStar) enter(add(-1));
  for (let seat = 0; seat < players; seat++) enter(add(seat));

  const players_ = () => live.filter(({ seat }) => seat >= 0);
  const leaveOut = (peer: Player) => live.splice(live.indexOf(peer), 1);
  const closeLinks = (peer: Player) => {
    for (const other of all) {
      if (other === peer || other.isGone) continue;
      if (isStar && other.seat >= 0 && peer.seat >= 0) continue;
      try {
        net.links(peer, other)[0].close("gone");
      } catch {
        // Not connected.
      }
    }
  };
  const disturb = () => {
    const candidates = players_();
    // Without a majority nobody may go on: wait until those that are gone are no longer members.
    const unsettled = Math.max(
      ...candidates.map(({ session }) =>
        Math.max(
          session.net.members.filter(({ id }) => !candidates.some((one) => one.session.net.id === id)).length,
          candidates.filter((one) => session.net.members.every(({ id }) => id !== one.session.net.id)).length,
        ),
      ),
    );
    const isFragile = 2 * (unsettled + 1) >= candidates.length;
    if (isFragile && !isSevere) return;
    const peer = dice.pick(candidates);
    switch (dice.int(0, isSevere ? 5 : 2)) {
      case 0:
      case 1: {
        // Dies: silently, or so that links close.
        if (isFragile || candidates.length <= Math.max(2, players / 2)) return;
        leaveOut(peer);
        const isClean = dice.chance(0.5);
        say(`${peer.session.seats.join()} is killed${isClean ? ", its links close" : ""}`);
        peer.kill();
        if (isClean) closeLinks(peer);
        net.time.after(dice.int(500, 6000), () => {
          say(`somebody takes seat ${peer.seat}`);
          closeLinks(peer);
          enter(add(peer.seat));
        });
        return;
      }
      case 2: {
        if (isFragile || candidates.length <= Math.max(2, players / 2)) return;
        leaveOut(peer);
        say(`${peer.seat} leaves`);
        peer.freeze();
        peer.session.leave();
        peer.kill();
        net.time.after(dice.int(500, 4000), () => enter(add(peer.seat)));
        return;
      }
      case 3: {
        const duration = dice.int(50, 4000);
        say(`${peer.seat} freezes for ${duration} ms`);
        peer.freeze();
        net.time.after(duration, () => {
          peer.progressAt = net.time.now();
          peer.start();
        });
        return;
      }
      default: {
        if (isStar || candidates.length < 3) return;
        const other = dice.pick(candidates.filter((one) => one !== peer));
        say(`the line between ${peer.seat} and ${other.seat} breaks`);
        try {
          net.cut(peer, other);
        } catch {
          return;
        }
        net.time.after(dice.int(200, 5000), () => net.restore(peer, other));
      }
    }
  };
  const next = () => {
    if (disturbedEvery === Infinity) return;
    net.time.after(-Math.log(1 - dice.float()) * disturbedEvery * 1000, () => {
      disturb();
      next();
    });
  };
  net.time.after(3000, next);
  net.run(seconds);
  // All wait until the others have caught up.
  const ticks = Math.max(...live.map(({ session }) => session.tick));
  if (ticks < seconds * 20) fault(`the game reached only tick ${ticks}`);
  const rollbacks = all.reduce((sum, { session }) => sum + session.net.rollbacks, 0);
  const stalled = Math.max(
    ...live.map(({ session }) => session.net.stalledTicks / Math.max(1, session.tick)),
  );
  for (const peer of all) if (!peer.isGone) peer.kill();
  return { faults, ticks, rollbacks, joins, drops, longestStandstill, stalled };
}
