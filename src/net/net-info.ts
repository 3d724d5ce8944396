import { ListenerList } from "../loop/index.js";
import { requireFunction, unknownName } from "../errors/index.js";
import type { DesyncWatch } from "./desync-watch.js";
import type { Membership } from "./membership.js";
import type { RejectCode } from "./messages.js";
import { NET_EVENTS, type NetEvents, type RollbackEvent } from "./net-events.js";
import type { Peer } from "./peer.js";
import type { Rollback } from "./rollback.js";

/** What is known about another peer. */
export interface PeerInfo {
  readonly id: number;
  readonly name: string;
  readonly seats: readonly number[];
  /** `"playing"` members hold seats, or relay; `"watching"` ones follow the game; others only have a link. */
  readonly role: "playing" | "watching" | "connected";
  /** Milliseconds from sending an input to its acknowledgement, smoothed. 0 if unknown. */
  readonly roundTrip: number;
  /** How much the time that packets take changes, in milliseconds. */
  readonly jitter: number;
  /** The share of its packets that did not arrive, 0 to 1. */
  readonly loss: number;
  /** How many ticks we are ahead of it; negative if behind. */
  readonly advantage: number;
  /** Milliseconds since the last message. */
  readonly silence: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** Messages of it that were dropped as malformed or impossible, and the last reason. */
  readonly droppedPackets: number;
  readonly lastFault: string;
}

/** Where the figures come from. */
interface NetSource {
  readonly id: number;
  readonly members: Membership;
  readonly peers: readonly Peer[];
  readonly rollback: Rollback;
  readonly watch: DesyncWatch;
  readonly delay: number;
  readonly window: number;
  readonly hasState: boolean;
  readonly rejection: RejectCode | undefined;
  readonly now: number;
}

/** Figures and events of a network session. */
export class NetInfo {
  readonly #source: NetSource;
  readonly #lists = Object.fromEntries(NET_EVENTS.map((name) => [name, new ListenerList()])) as {
    readonly [N in keyof NetEvents]: ListenerList<NetEvents[N]>;
  };
  /** Calls of `advance` that could not step, as inputs were missing. */
  stalledTicks = 0;
  /** How many ticks we are ahead of the others on average. */
  advantage = 0;
  /** Messages that were dropped as malformed or impossible. */
  droppedPackets = 0;
  /** Packets of inputs that were sent, and their bytes. */
  packetsSent = 0;
  bytesSent = 0;

  /** @internal */
  constructor(source: NetSource) {
    this.#source = source;
  }

  /** The id of this peer. */
  get id(): number {
    return this.#source.id;
  }
  /**
   * `"connecting"` until the game's state has arrived; `"waiting"` for other players or for a seat; `"playing"`; `"watching"`;
   * `"paused"`; `"rejected"` if there is no way in.
   */
  get state(): "connecting" | "waiting" | "playing" | "watching" | "paused" | "rejected" {
    const { members, hasState, rejection } = this.#source;
    if (!members.own && rejection !== undefined) return "rejected";
    if (!hasState) return "connecting";
    if (members.roster.pausedAt === 0 && this.#source.rollback.tick === 0) return "waiting";
    if (members.isPaused) return "paused";
    return members.own ? "playing" : "watching";
  }
  /** Whether this peer decides who joins, and can remove players. */
  get isHost(): boolean {
    return this.#source.members.own !== undefined && this.#source.members.isCoordinator;
  }
  /** How often the list of members has changed. */
  get epoch(): number {
    return this.#source.members.epoch;
  }
  /** All inputs before this tick have arrived. */
  get known(): number {
    return Math.min(this.#source.members.known, this.#source.rollback.tick);
  }
  /** Ticks between sampling an input and the tick it applies to. */
  get delay(): number {
    return this.#source.delay;
  }
  /** Ticks that may be predicted. */
  get window(): number {
    return this.#source.window;
  }
  /** Ticks that were simulated again, and how often that happened. */
  get resimulatedTicks(): number {
    return this.#source.rollback.resimulatedTicks;
  }
  get rollbacks(): number {
    return this.#source.rollback.rollbacks;
  }
  /** The ids of all members, in the order in which they take over as host. */
  get members(): readonly {
    readonly id: number;
    readonly name: string;
    readonly seats: readonly number[];
  }[] {
    return this.#source.members.roster.members;
  }

  /** All peers with a link to this one. */
  get peers(): readonly PeerInfo[] {
    const { peers, members, now } = this.#source;
    return peers
      .filter(({ id }) => id !== 0)
      .map((peer) => {
        const stream = members.streamOf(peer.id);
        const { roundTrip, jitter, loss } = peer.quality;
        return {
          id: peer.id,
          name: peer.name,
          seats: stream?.member.seats ?? [],
          role: stream ? "playing" : peer.isFollower ? "watching" : "connected",
          roundTrip,
          jitter,
          loss,
          advantage: peer.advantage.ticks,
          silence: now - peer.heardAt,
          bytesSent: peer.bytesSent,
          bytesReceived: peer.bytesReceived,
          droppedPackets: peer.droppedPackets,
          lastFault: peer.lastFault,
        } as const;
      });
  }

  /** Adds a listener. Returns the function that removes it. */
  on<N extends keyof NetEvents>(event: N, listener: (info: NetEvents[N]) => void): () => void {
    requireFunction("Session.net.on: listener", listener);
    if (!Object.hasOwn(this.#lists, event)) unknownName("Session.net.on", "event", event, NET_EVENTS);
    return this.#lists[event].add(listener);
  }

  /** @internal */
  emit<N extends keyof NetEvents>(event: N, info: NetEvents[N]): void {
    this.#lists[event].callAll(info);
  }

  /** @internal */
  emitRollback(rollback: RollbackEvent): void {
    this.#lists.rollback.callAll(rollback);
  }

  /** @internal */
  countPacket(bytes: number): void {
    this.packetsSent++;
    this.bytesSent += bytes;
  }
}
