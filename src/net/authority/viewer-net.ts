import { SessionListeners } from "../../sim/session-listeners.js";
import type { Rejection } from "../messages.js";
import type { PeerInfo } from "../net-info.js";
import type { ServerEvent } from "./client-net.js";
import type { Attendee } from "./messages.js";
import type { ViewerCore } from "./viewer-core.js";

/** Events of a viewer: `session.net.on("state", …)`. */
export interface ViewerEvents {
  /** The server accepted this viewer, paused, resumed, or is gone. */
  server: ServerEvent;
  /** A player joined or left. */
  players: { readonly attendees: readonly Attendee[] };
  /** A state has arrived: that of `tick`. The object is reused. */
  state: { readonly tick: number };
  /** The picture is extrapolated, as no newer state has arrived; or states arrive again. */
  starved: { readonly isStarved: boolean; readonly tick: number };
  /** The server or a client has called `session.send`. */
  message: { readonly from: number; readonly name: string; readonly bytes: Uint8Array };
  /** The server rejected this viewer, and why. */
  rejected: Rejection;
}

const EVENTS: readonly (keyof ViewerEvents)[] = [
  "server",
  "players",
  "state",
  "starved",
  "message",
  "rejected",
];

/** How fast the share of lost states follows. */
const LOSS_SMOOTHING = 1 / 64;

/** Figures and events of a viewer. */
export class ViewerNet {
  readonly #core: ViewerCore;
  readonly #listeners = new SessionListeners<ViewerEvents>(EVENTS, "Session.net.on");
  readonly #last: { rejected?: Rejection & { readonly by: "them" } } = {};
  readonly #buffered: () => number;
  /** States that have arrived, and those that the server sent but which did not arrive in time to be of use. */
  states = 0;
  lostStates = 0;
  /** The share of states that did not arrive, 0 to 1. */
  loss = 0;
  /** Acknowledgements that were sent, and their bytes. */
  packetsSent = 0;
  bytesSent = 0;
  #rejection: Rejection | undefined;
  #isGone = false;

  /** @internal */
  constructor(core: ViewerCore, buffered: () => number) {
    this.#core = core;
    this.#buffered = buffered;
  }

  /** The id of this viewer; 0 until the server let it in. */
  get id(): number {
    return this.#core.welcome?.id ?? 0;
  }
  readonly isHost = false;
  /** `"connecting"` until a state has arrived; `"gone"` if the server is. */
  get state(): "connecting" | "watching" | "paused" | "rejected" | "gone" {
    if (this.#rejection !== undefined) return "rejected";
    if (this.#isGone) return "gone";
    if (!this.#core.hasState) return "connecting";
    return this.#core.news?.isPaused === true ? "paused" : "watching";
  }

  /** Milliseconds to the server and back, as measured while joining. 0 if unknown. */
  get roundTrip(): number {
    return this.#core.welcome ? this.#core.firstRoundTrip : 0;
  }
  /** Milliseconds by which the picture lags behind the states that arrive fastest: the send interval, and a margin for late and lost ones. */
  get delay(): number {
    return round(this.#core.buffer.delay);
  }
  /** The delay that the last arrivals call for. `delay` moves towards it by at most 10 ms per second. */
  get wantedDelay(): number {
    return round(this.#core.buffer.wantedDelay);
  }
  /** The tick that the last picture showed, with its fraction. */
  get shownTick(): number {
    return this.#core.buffer.drawn / this.#core.tickMs;
  }
  /** How much faster our clock runs than that of the server, as a share. */
  get clockDrift(): number {
    return this.#core.buffer.drift;
  }
  /** States that wait to be shown, or are shown. */
  get bufferedStates(): number {
    return this.#buffered();
  }
  /** Pictures, and those among them that had to be extrapolated or held. */
  get frames(): number {
    return this.#core.buffer.frames;
  }
  get starvedFrames(): number {
    return this.#core.buffer.starvedFrames;
  }
  /** How often the shown time restarted, after long pauses. */
  get restarts(): number {
    return this.#core.buffer.restarts;
  }
  get bytesReceived(): number {
    return this.#core.connection?.bytesReceived ?? 0;
  }

  // What sessions that predict have. A viewer predicts nothing.
  readonly advantage = 0;
  readonly window = 0;
  readonly rollbacks = 0;
  readonly resimulatedTicks = 0;
  readonly stalledTicks = 0;
  get known(): number {
    return this.#core.tick;
  }

  /** Everyone who plays. */
  get members(): readonly Attendee[] {
    return this.#core.members;
  }

  /** The server, as sessions of peers have it. */
  get peers(): readonly PeerInfo[] {
    const { roundTrip, loss, advantage } = this;
    return this.#core.serverAsPeer({ roundTrip, jitter: 0, loss, advantage });
  }

  /** The last events that say what is wrong. */
  get last(): { readonly rejected?: Rejection & { readonly by: "them" } } {
    return this.#last;
  }

  /** Adds a listener. Returns the function that removes it. */
  on<N extends keyof ViewerEvents>(event: N, listener: (info: ViewerEvents[N]) => void): () => void {
    return this.#listeners.on(event, listener);
  }

  /** @internal */
  countState(missed: number): void {
    this.states++;
    this.lostStates += missed;
    for (let i = Math.min(missed, 64); i > 0; i--) this.loss += (1 - this.loss) * LOSS_SMOOTHING;
    this.loss -= this.loss * LOSS_SMOOTHING;
  }

  /** @internal */
  emit<N extends keyof ViewerEvents>(event: N, info: ViewerEvents[N]): void {
    if (event === "rejected") {
      this.#rejection = info as Rejection;
      this.#last.rejected = { ...(info as Rejection), by: "them" };
    }
    if (event === "server") this.#isGone = (info as ServerEvent).kind === "gone";
    this.#listeners.emit(event, info);
  }
}

const round = (ms: number): number => Math.round(ms * 10) / 10;
