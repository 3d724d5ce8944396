import { SessionListeners } from "../../sim/session-listeners.js";
import type { Difference } from "../../state/index.js";
import type { Rejection } from "../messages.js";
import type { PeerInfo } from "../net-info.js";
import type { RollbackEvent, StallEvent } from "../net-events.js";
import type { Drift } from "../drift.js";
import type { ClientCore } from "./client-core.js";
import type { Attendee } from "./messages.js";

/** Events of a client: `session.net.on("server", …)`. */
export interface ClientEvents {
  /** The server accepted this client, paused, resumed, or is gone. */
  server: ServerEvent;
  /** A player joined or left. */
  players: { readonly attendees: readonly Attendee[] };
  /** The session stalls, as nothing arrives from the server; or continues. */
  stall: StallEvent;
  /** Ticks were resimulated, as guesses were wrong. The object is reused. */
  rollback: RollbackEvent;
  /** The client computed another state than the server: noticed, and then repaired, as the server's state was loaded. */
  desync: ClientDesyncEvent;
  /** The pace changed. */
  pace: { readonly pace: number; readonly advantage: number };
  /** The server or another client has called `session.send`. */
  message: { readonly from: number; readonly name: string; readonly bytes: Uint8Array };
  /** The server rejected this client, and why. */
  rejected: Rejection;
}

/** A state that differs from the server's. */
export interface ClientDesyncEvent {
  readonly stage: "noticed" | "repaired";
  /** The state whose hashes differ; or the one that was loaded. */
  readonly tick: number;
  /** Once it is repaired: the values that differed, as far as the own state was still held. `a` is ours, `b` is the server's. */
  readonly fields: readonly Difference[];
}

/** What the server did. */
export interface ServerEvent {
  readonly kind: "joined" | "paused" | "resumed" | "gone";
  readonly tick: number;
  /** Why, if it is gone. */
  readonly reason: string;
  /** If the game goes on elsewhere: who hosts it, and whether that is this client. */
  readonly heir: number;
  readonly isHeir: boolean;
}

const EVENTS: readonly (keyof ClientEvents)[] = [
  "server",
  "players",
  "stall",
  "rollback",
  "desync",
  "pace",
  "message",
  "rejected",
];

/** Figures and events of a client. */
export class ClientNet {
  readonly #core: ClientCore;
  readonly #listeners = new SessionListeners<ClientEvents>(EVENTS, "Session.net.on");
  readonly #last: { stall?: StallEvent; rejected?: Rejection & { readonly by: "them" } } = {};
  /** Calls of `advance` that could not step, as nothing arrives from the server. */
  stalledTicks = 0;
  /** Ticks whose input came too late, so that the server used another one. With `down: "states"`, as far as the server reports them. */
  lateInputs = 0;
  /** How well the client predicts the states of the server. Only with `down: "states"`. */
  drift: Drift = "matched";
  /** Ticks more than needed that the client is ahead of the server; negative if too few. */
  advantage = 0;
  /** Packets of inputs that were sent, and their bytes. */
  packetsSent = 0;
  bytesSent = 0;
  /** States of the server that differed from what the client had computed with the same inputs. */
  desyncs = 0;
  #rejection: Rejection | undefined;
  #isGone = false;

  /** @internal */
  constructor(core: ClientCore) {
    this.#core = core;
  }

  /** The id of this client; 0 until the server let it in. */
  get id(): number {
    return this.#core.welcome?.id ?? 0;
  }
  readonly isHost = false;
  /** `"connecting"` until the game's state has arrived; `"gone"` if the server is. */
  get state(): "connecting" | "playing" | "watching" | "paused" | "rejected" | "gone" {
    if (this.#rejection !== undefined) return "rejected";
    if (this.#isGone) return "gone";
    if (!this.#core.hasState) return "connecting";
    if (this.#core.news?.isPaused === true) return "paused";
    return this.#core.seats.length > 0 ? "playing" : "watching";
  }

  /** The tick of the server now, as far as that can be measured. Its fraction is the time since the last step. */
  get serverTick(): number {
    const { clock, now, welcome, news } = this.#core;
    if (!welcome) return 0;
    return clock.isKnown && news?.isPaused !== true ? clock.tickAt(now()) : this.#core.tickByNews(now());
  }
  /** The wall time of the server now, in milliseconds since 1970; NaN until it is known. */
  get serverTime(): number {
    const { news, tickMs, now, newsAt, roundTrip } = this.#core;
    if (news === undefined) return NaN;
    if (news.isPaused) return news.wall + now() - newsAt + roundTrip / 2;
    return news.wall + (this.serverTick - news.tick) * tickMs;
  }
  /** Milliseconds to the server and back, smoothed. 0 if unknown. */
  get roundTrip(): number {
    return this.#core.clock.roundTrip;
  }
  /** How much the round trip changes, in milliseconds. */
  get jitter(): number {
    return this.#core.clock.jitter;
  }
  /** How early the inputs reach the server on average, in ticks, and how much that varies. */
  get margin(): number {
    return this.#core.lead.margin;
  }
  get marginSpread(): number {
    return this.#core.lead.marginSpread;
  }
  /** Ticks that the client runs ahead of the newest tick that it knows of the server. */
  get window(): number {
    return Math.max(0, this.#core.tick - this.known);
  }
  readonly delay = 0;
  /** All inputs before this tick have arrived. */
  known = 0;
  get rollbacks(): number {
    return this.#core.rollback.rollbacks;
  }
  /** Ticks that were resimulated. */
  get resimulatedTicks(): number {
    return this.#core.rollback.resimulatedTicks;
  }

  /** Everyone who plays. */
  get members(): readonly Attendee[] {
    return this.#core.members;
  }

  /** The server, as sessions of peers have it. */
  get peers(): readonly PeerInfo[] {
    const { roundTrip, jitter, loss, advantage } = this;
    return this.#core.serverAsPeer({ roundTrip, jitter, loss, advantage });
  }
  /** The share of the server's packets that did not arrive, 0 to 1. */
  loss = 0;

  /** The last events that say what is wrong. */
  get last(): { readonly stall?: StallEvent; readonly rejected?: Rejection & { readonly by: "them" } } {
    return this.#last;
  }

  /** Adds a listener. Returns the function that removes it. */
  on<N extends keyof ClientEvents>(event: N, listener: (info: ClientEvents[N]) => void): () => void {
    return this.#listeners.on(event, listener);
  }

  /** @internal */
  emit<N extends keyof ClientEvents>(event: N, info: ClientEvents[N]): void {
    if (event === "stall") this.#last.stall = info as StallEvent;
    if (event === "rejected") {
      this.#rejection = info as Rejection;
      this.#last.rejected = { ...(info as Rejection), by: "them" };
    }
    if (event === "server") this.#isGone = (info as ServerEvent).kind === "gone";
    this.#listeners.emit(event, info);
  }
}
