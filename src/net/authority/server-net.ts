import { SessionListeners } from "../../sim/session-listeners.js";
import type { PeerInfo } from "../net-info.js";
import type { Rejection } from "../messages.js";
import type { ServerCore } from "./server-core.js";

/** Events of a server: `session.net.on("client", …)`. */
export interface ServerEvents {
  /** A client joined, left or was dropped. */
  client: ClientEvent;
  /** A client has called `session.send`. */
  message: { readonly from: number; readonly name: string; readonly bytes: Uint8Array };
  /** A client was rejected, and why. */
  rejected: Rejection & { readonly name: string };
}

/** What happened to a client. */
export interface ClientEvent {
  readonly kind: "joined" | "left" | "dropped" | "hostile";
  readonly id: number;
  readonly name: string;
  readonly seats: readonly number[];
  readonly tick: number;
  /** Why, for those that are gone. */
  readonly reason: string;
}

const EVENTS: readonly (keyof ServerEvents)[] = ["client", "message", "rejected"];

/** A client, as the server sees it. */
export interface ClientInfo extends PeerInfo {
  /** Ticks whose inputs came too late, came in time, and that were stepped without the client's input. In lockstep: changes that were skipped, and executed. */
  readonly lateInputs: number;
  readonly inTimeInputs: number;
  readonly missingInputs: number;
  /** The tick that it has acknowledged. */
  readonly acknowledged: number;
}

/** Figures and events of a server. */
export class ServerNet {
  readonly #core: ServerCore;
  readonly #listeners = new SessionListeners<ServerEvents>(EVENTS, "Session.net.on");
  /** Messages that were dropped as malformed or impossible. */
  droppedMessages = 0;
  /** What was sent to clients that are gone. */
  #goneBytes = 0;
  #goneMessages = 0;

  /** @internal */
  constructor(core: ServerCore) {
    this.#core = core;
  }

  /** The id of the server. */
  readonly id = 1;
  readonly isHost = true;
  get state(): "playing" | "paused" {
    return this.#core.isPaused ? "paused" : "playing";
  }

  /** All clients and viewers. */
  get clients(): readonly ClientInfo[] {
    const now = this.#core.now();
    return this.#core.clients.map(
      ({ id, name, seats, isViewer, buffer, queue, connection, ack, quality }) => ({
        id,
        name,
        seats,
        role: isViewer || seats.length === 0 ? "watching" : "playing",
        roundTrip: quality.roundTrip,
        jitter: quality.jitter,
        loss: quality.loss,
        advantage: buffer ? buffer.end - this.#core.tick : 0,
        silence: now - connection.heardAt,
        bytesSent: connection.bytesSent,
        bytesReceived: connection.bytesReceived,
        droppedPackets: connection.droppedMessages,
        lastFault: connection.lastFault,
        lateInputs: buffer?.late ?? queue?.skipped ?? 0,
        inTimeInputs: buffer?.inTime ?? queue?.executed ?? 0,
        missingInputs: buffer?.missing ?? 0,
        acknowledged: ack,
      }),
    );
  }
  /** The same as `clients`, as sessions of peers have it. */
  get peers(): readonly ClientInfo[] {
    return this.clients;
  }

  /** Messages that were sent, and their bytes. */
  get packetsSent(): number {
    return this.#core.clients.reduce(
      (sum, { connection }) => sum + connection.messagesSent,
      this.#goneMessages,
    );
  }
  get bytesSent(): number {
    return this.#core.clients.reduce((sum, { connection }) => sum + connection.bytesSent, this.#goneBytes);
  }

  // A server predicts and corrects nothing.
  readonly advantage = 0;
  readonly window = 0;
  readonly delay = 0;
  readonly stalledTicks = 0;
  readonly rollbacks = 0;
  readonly resimulatedTicks = 0;
  get known(): number {
    return this.#core.tick;
  }
  readonly last: Readonly<Record<string, never>> = {};
  get members(): readonly ClientInfo[] {
    return this.clients;
  }

  /** Adds a listener. Returns the function that removes it. */
  on<N extends keyof ServerEvents>(event: N, listener: (info: ServerEvents[N]) => void): () => void {
    return this.#listeners.on(event, listener);
  }

  /** @internal */
  emit<N extends keyof ServerEvents>(event: N, info: ServerEvents[N]): void {
    this.#listeners.emit(event, info);
  }

  /** @internal Keeps the figures of a client that is gone. */
  forget(bytes: number, messages: number): void {
    this.#goneBytes += bytes;
    this.#goneMessages += messages;
  }
}
