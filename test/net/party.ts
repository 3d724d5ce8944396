// Peers on a simulated network whose confirmed states are compared, tick by tick.
import { random } from "../../src/math/index.js";
import type { Conditions } from "../../src/net/conditioned.js";
import type { DesyncEvent, NetEvents, PeerEvent } from "../../src/net/net-events.js";
import type { NetworkProfile } from "../../src/net/network-profiles.js";
import type { PeerSession } from "../../src/net/peer-session.js";
import {
  simulatedNetwork,
  type SimulatedNetwork,
  type SimulatedPeer,
  type SimulatedPeerOptions,
} from "../../src/net/simulated.js";
import type { AnySimulation } from "../../src/sim/index.js";
import type { brawlFor } from "./brawl.js";

/** A peer of a party, and what it has told. */
export interface Guest {
  readonly peer: SimulatedPeer;
  readonly session: PeerSession;
  readonly name: string;
  readonly events: PeerEvent[];
  readonly desyncs: DesyncEvent[];
  readonly rejections: NetEvents["rejected"][];
  /** The hash of each confirmed state, by tick. */
  readonly states: Map<number, string>;
  /** Virtual milliseconds of the longest standstill since `watch`. */
  standstill: number;
  /** Begins to measure standstills. */
  watch(): void;
}

type Bot = ReturnType<typeof brawlFor>["packing"] extends { unpack(words: never): infer V } ? V : never;

/** Plays like a person in a hurry: changes its inputs 7.5 times per second. */
export function hectic(seed: string) {
  const dice = random(new Uint32Array(4)).seed(seed);
  return (players: readonly unknown[]): void => {
    for (const one of players) {
      const player = one as { -readonly [K in keyof Bot]: Bot[K] };
      if (dice.chance(0.05)) player.go = !player.go;
      if (dice.chance(0.05)) player.hit = !player.hit;
      if (dice.chance(0.04)) player.way = dice.int(0, 7);
    }
  };
}

export class Party {
  readonly net: SimulatedNetwork;
  readonly guests: Guest[] = [];
  readonly #game: AnySimulation;
  readonly #seed: string;

  constructor(game: AnySimulation, network: NetworkProfile | Conditions = "good wifi", seed = "party") {
    this.net = simulatedNetwork({ network, seed });
    this.#game = game;
    this.#seed = seed;
  }

  /** Adds a peer, without links. */
  add(options: Partial<SimulatedPeerOptions<never>> = {}, game: AnySimulation = this.#game): Guest {
    const name = options.name ?? `p${this.guests.length}`;
    const peer = this.net.peer(
      game as never,
      { seats: [], inputs: hectic(`${this.#seed} ${name}`), ...options, name } as never,
    ) as unknown as SimulatedPeer;
    const { session } = peer;
    const { time } = this.net;
    let [progressAt, tick] = [0, 0];
    const guest: Guest = {
      peer,
      session,
      name,
      events: [],
      desyncs: [],
      rejections: [],
      states: new Map(),
      standstill: 0,
      watch() {
        guest.standstill = 0;
        progressAt = time.now();
      },
    };
    session.on(
      "confirmed",
      (confirmed) => void guest.states.set(confirmed.tick + 1, confirmed.hash().join()),
    );
    // Messages still reach a program that has ended, as the network does not know. What it makes of them does not matter.
    const keep =
      <T>(list: T[]) =>
      (event: T): void => {
        if (!peer.isGone) list.push(event);
      };
    session.net.on("peer", keep(guest.events));
    session.net.on("desync", keep(guest.desyncs));
    session.net.on("rejected", keep(guest.rejections));
    peer.afterAdvance = () => {
      if (session.tick !== tick) progressAt = time.now();
      tick = session.tick;
      guest.standstill = Math.max(guest.standstill, time.now() - progressAt);
    };
    this.guests.push(guest);
    return guest;
  }

  /** Adds a peer for each seat, connects all, and lets the game begin. */
  seat(count: number, options: Partial<SimulatedPeerOptions<never>> = {}): Guest[] {
    const guests = Array.from({ length: count }, (_, seat) => this.add({ seats: [seat], ...options }));
    this.net.mesh(guests.map(({ peer }) => peer));
    return guests;
  }

  /** Connects a peer with all others that are alive. */
  connect(guest: Guest): void {
    for (const other of this.guests)
      if (other !== guest && !other.peer.isGone) this.net.connect(other.peer, guest.peer);
  }

  run(seconds: number): void {
    this.net.run(seconds);
  }

  cut(a: Guest, b: Guest): void {
    this.net.cut(a.peer, b.peer);
  }

  restore(a: Guest, b: Guest): void {
    this.net.restore(a.peer, b.peer);
  }

  /** The ticks in which two peers have confirmed different states. Empty in a game without a desync. */
  differences(guests: readonly Guest[] = this.guests): string[] {
    const first = new Map<number, readonly [string, string]>();
    const found: string[] = [];
    for (const { name, states } of guests)
      for (const [tick, hash] of states) {
        const known = first.get(tick);
        if (!known) first.set(tick, [name, hash]);
        else if (known[1] !== hash) found.push(`${known[0]} and ${name} differ at state ${tick}`);
      }
    return found;
  }

  /** Desync events, faults of peers and different states: all that must not happen among honest peers. */
  faults(): string[] {
    return [
      ...this.differences().slice(0, 5),
      ...this.guests.flatMap(({ name, desyncs, events }) => [
        ...desyncs.map(({ tick }) => `${name} reports a desync at ${tick}`),
        ...events
          .filter(({ kind }) => kind === "hostile" || kind === "two-faced")
          .map((event) => `${name} takes ${event.name} for ${event.kind}: ${event.reason}`),
      ]),
    ];
  }

  dispose(): void {
    for (const { peer, session } of this.guests) {
      peer.kill();
      session.dispose();
    }
  }
}
