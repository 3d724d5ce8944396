import type { AnySimulation } from "../sim/index.js";
import type { CommandExchange } from "./command-exchange.js";
import type { DesyncHandler } from "./desync-handler.js";
import type { DesyncWatch } from "./desync-watch.js";
import type { Membership } from "./membership/membership.js";
import type { RejectCode } from "./messages.js";
import type { NetEvents, PeerEvent } from "./net-events.js";
import type { NetInfo } from "./net-info.js";
import type { Peer } from "./peer.js";
import type { PeerSettings } from "./peer-options.js";
import type { PeerList } from "./peer-list.js";
import type { Rollback } from "./rollback.js";

/** What the parts of a peer session share. The session creates it and sets all of it before anything uses it. */
export class PeerCore {
  readonly simulation: AnySimulation;
  readonly settings: PeerSettings;
  /** The id of this peer. */
  readonly id: number;
  /** Milliseconds per tick. */
  readonly tickMs: number;
  /** Reads the time in milliseconds. */
  readonly now: () => number;
  rollback!: Rollback;
  members!: Membership;
  peers!: PeerList;
  net!: NetInfo;
  watch!: DesyncWatch;
  desync!: DesyncHandler;
  commands!: CommandExchange;
  /** This peer has the game's state. */
  hasState = false;
  /** Identifies the game, as two peers may have founded one each. */
  game = 0;
  /** The game that this peer has left, to continue alone; 0 for none. */
  parent = 0;
  seed: number | string;
  /** Ticks between two hashes that are compared; 0 for none. The host decides. */
  hashEvery: number;
  /** The peer that passes the game's state and all inputs on to this one. */
  feeder: Peer | undefined;
  /** Why this peer was rejected, or got no seat. */
  rejection: RejectCode | undefined;
  /** The tick of a relay's own clock, by which the others pace themselves. */
  clock = 0;
  isDisposed = false;

  constructor(
    simulation: AnySimulation,
    settings: PeerSettings,
    id: number,
    seed: number | string,
    now: () => number,
  ) {
    const { rate } = simulation;
    this.simulation = simulation;
    this.settings = settings;
    this.id = id;
    this.tickMs = (1000 * rate[1]) / rate[0];
    this.now = now;
    this.seed = seed;
    this.hashEvery = settings.hashEvery;
  }

  get tick(): number {
    return this.rollback.tick;
  }

  /** The number of the checkpoint at or before a tick. */
  checkpointOf(tick: number): number {
    return this.hashEvery > 0 ? Math.floor(tick / this.hashEvery) : 0;
  }

  nameOf(id: number): string {
    return this.members.streamOf(id)?.member.name ?? this.peers.find(id)?.name ?? "";
  }

  emit<N extends keyof NetEvents>(event: N, info: NetEvents[N]): void {
    this.net.emit(event, info);
  }

  /** Emits an event about a peer. */
  tellPeer(kind: PeerEvent["kind"], id: number, reason: string, more: Partial<PeerEvent> = {}): void {
    const seats = this.members.streamOf(id)?.member.seats ?? [];
    this.emit("peer", { kind, id, name: this.nameOf(id), reason, seats, tick: this.tick, ...more });
  }
}
