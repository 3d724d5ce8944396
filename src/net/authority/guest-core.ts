import type { AnySimulation } from "../../sim/index.js";
import type { PeerInfo } from "../net-info.js";
import type { ClientEvents } from "./client-net.js";
import type { ClientSettings } from "./client-options.js";
import type { Connection } from "./connection.js";
import type { Attendee, News, Welcome } from "./messages.js";

/** The options that a client and a viewer have. */
type GuestSettings = Pick<ClientSettings, "name" | "token" | "count" | "timeout"> & {
  readonly seats: readonly number[];
};

/** What the entrance needs of `session.net`. */
interface GuestNet {
  readonly id: number;
  readonly members: readonly Attendee[];
  emit(event: "server", info: ClientEvents["server"]): void;
  emit(event: "players", info: ClientEvents["players"]): void;
  emit(event: "message", info: ClientEvents["message"]): void;
  emit(event: "rejected", info: ClientEvents["rejected"]): void;
}

/** What the parts of a guest share: a client or a viewer of a server. The session sets all of it before anything uses it. */
export abstract class GuestCore {
  readonly simulation: AnySimulation;
  /** Milliseconds per tick. */
  readonly tickMs: number;
  /** Reads the time in milliseconds. */
  readonly now: () => number;
  connection: Connection | undefined;
  /** The server's answer to the request to join. */
  welcome: Welcome | undefined;
  news: News | undefined;
  /** Everyone who plays. */
  members: readonly Attendee[] = [];
  /** The tick of the server when its last news or its welcome arrived, and when that was. */
  newsTick = 0;
  newsAt = 0.5;
  /** How long the server took to answer the request to join, in milliseconds. */
  firstRoundTrip = 0.5;
  /** A state of the server has arrived. */
  hasState = false;
  isDisposed = false;
  abstract readonly settings: GuestSettings;
  abstract readonly seats: readonly number[];
  abstract readonly tick: number;
  abstract readonly net: GuestNet;

  constructor(simulation: AnySimulation, now: () => number) {
    const { rate } = simulation;
    this.simulation = simulation;
    this.tickMs = (1000 * rate[1]) / rate[0];
    this.now = now;
  }

  /** Forgets what was measured, as the link is new or the server was paused. */
  abstract forgetTiming(): void;

  /** Returns the server, in the form in which peers are listed; nothing if there is no link to it. */
  serverAsPeer(figures: Pick<PeerInfo, "roundTrip" | "jitter" | "loss" | "advantage">): readonly PeerInfo[] {
    const { connection } = this;
    if (!connection) return [];
    const host = this.members.find(({ id }) => id === 1);
    return [
      {
        id: 1,
        name: host?.name ?? "server",
        seats: host?.seats ?? [],
        role: "playing",
        ...figures,
        silence: this.now() - connection.heardAt,
        bytesSent: connection.bytesSent,
        bytesReceived: connection.bytesReceived,
        droppedPackets: connection.droppedMessages,
        lastFault: connection.lastFault,
      },
    ];
  }
}
