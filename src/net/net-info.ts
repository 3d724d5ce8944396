import { SessionListeners } from "../sim/session-listeners.js";
import type { InputDelay } from "./input-delay.js";
import type { RejectCode } from "./messages.js";
import { NET_EVENTS, type NetEvents } from "./net-events.js";
import type { PeerCore } from "./peer-core.js";
import type { PredictionWindow } from "./prediction-window.js";

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

/** Figures and events of a network session. */
export class NetInfo {
  readonly #core: PeerCore;
  readonly #delay: InputDelay;
  readonly #window: PredictionWindow;
  readonly #listeners = new SessionListeners<NetEvents>(NET_EVENTS, "Session.net.on");
  readonly #last: Partial<NetEvents> = {};
  /** Whether enough members are there for the game to go on. */
  hasQuorum = true;
  /** How many members this peer hears, itself included. */
  heardMembers = 0;
  /** When the session began to stall, in milliseconds; Infinity if it does not. */
  stalledSince = Infinity;
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
  constructor(core: PeerCore, delay: InputDelay, window: PredictionWindow) {
    this.#core = core;
    this.#delay = delay;
    this.#window = window;
  }

  /** The id of this peer. */
  get id(): number {
    return this.#core.id;
  }
  /**
   * `"connecting"` until the game's state has arrived; `"waiting"` for other players or for a seat; `"playing"`; `"watching"`;
   * `"paused"`; `"no quorum"` if too many members are gone: the game goes on once they are back, or after `continueAlone()`;
   * `"rejected"` by the others. A peer whose seat is taken, or that finds a full game, watches.
   */
  get state(): "connecting" | "waiting" | "playing" | "watching" | "paused" | "no quorum" | "rejected" {
    const { members, hasState, rejection } = this.#core;
    const hasNoSeat = rejection === "seat taken" || rejection === "game full";
    if (!members.own && rejection !== undefined && !(hasState && hasNoSeat)) return "rejected";
    if (!hasState) return "connecting";
    if (members.roster.pausedAt === 0 && this.#core.tick === 0) return "waiting";
    if (!this.hasQuorum) return "no quorum";
    if (members.isPaused) return "paused";
    return members.own ? "playing" : "watching";
  }
  /** Why this peer was rejected, or got no seat; otherwise undefined. */
  get rejection(): RejectCode | undefined {
    const { members, rejection } = this.#core;
    return members.own ? undefined : rejection;
  }
  /**
   * Whether peers are connected, but nobody hosts a game. Somebody does as soon as one of them has seat 0 in its list or is a relay, or
   * half a second after two players are connected.
   */
  get isHostMissing(): boolean {
    const { peers, hasState } = this.#core;
    return !hasState && peers.all.some(({ id }) => id !== 0) && !peers.all.some(({ isInGame }) => isInGame);
  }
  /** Whether this peer decides who joins, and can remove players. */
  get isHost(): boolean {
    return this.#core.members.roster.members[0]?.id === this.#core.id;
  }
  /** How often the list of members has changed. */
  get epoch(): number {
    return this.#core.members.epoch;
  }
  /** All inputs before this tick have arrived. */
  get known(): number {
    return Math.min(this.#core.members.known, this.#core.tick);
  }
  /** Ticks between sampling an input and the tick it applies to. */
  get delay(): number {
    return this.#delay.value;
  }
  /** Ticks that may be predicted. */
  get window(): number {
    return this.#window.size;
  }
  /** Ticks that were resimulated, and how often that happened. */
  get resimulatedTicks(): number {
    return this.#core.rollback.resimulatedTicks;
  }
  get rollbacks(): number {
    return this.#core.rollback.rollbacks;
  }
  /** The ids of all members, in the order in which they take over as host. */
  get members(): readonly {
    readonly id: number;
    readonly name: string;
    readonly seats: readonly number[];
  }[] {
    return this.#core.members.roster.members;
  }

  /** All peers with a link to this one. */
  get peers(): readonly PeerInfo[] {
    const { peers, members } = this.#core;
    const now = this.#core.now();
    return peers.all
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

  /** The last events that say what is wrong. After a stall, `isStalled` is false. */
  get last(): Readonly<Partial<Pick<NetEvents, "stall" | "desync" | "rejected" | "quorum">>> {
    return this.#last;
  }

  /** Adds a listener. Returns the function that removes it. */
  on<N extends keyof NetEvents>(event: N, listener: (info: NetEvents[N]) => void): () => void {
    return this.#listeners.on(event, listener);
  }

  /** @internal Whether an event has listeners. Otherwise it need not be created. */
  isHeard(event: keyof NetEvents): boolean {
    return this.#listeners.isHeard(event);
  }

  /** @internal */
  emit<N extends keyof NetEvents>(event: N, info: NetEvents[N]): void {
    if (event === "stall" || event === "desync" || event === "rejected" || event === "quorum")
      this.#last[event] = info;
    this.#listeners.emit(event, info);
  }

  /** @internal */
  countPacket(bytes: number): void {
    this.packetsSent++;
    this.bytesSent += bytes;
  }
}
