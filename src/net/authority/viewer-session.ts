import { systemNow } from "../../platform/index.js";
import { misuse, onBehalfOf, requireNumber, requireOptions } from "../../errors/index.js";
import type { InputFields } from "../../input/index.js";
import { joined, titleFor } from "../../sim/bytes.js";
import type { CommandFields } from "../../sim/commands.js";

import { EffectQueue } from "../../sim/effect-queue.js";
import type { AnyEffect } from "../../sim/effects.js";
import type { Effect, EffectFields, ExternalStates, Simulation } from "../../sim/index.js";
import { requireRate } from "../../sim/require-rate.js";
import { SESSION_EVENTS, type Advance, type Session, type SessionEvents } from "../../sim/session.js";
import { SessionListeners } from "../../sim/session-listeners.js";
import { requireSimulation, type AnySimulation } from "../../sim/simulation.js";
import { LIVE, type Fields, type Hash, type ReadonlyWorld, type State } from "../../state/index.js";
import { BitWriter } from "../bits.js";
import type { Link } from "../link.js";
import type { Rejection } from "../messages.js";
import { requireLink } from "../option-checks.js";
import { snapshotCodec, type SnapshotCodec } from "../snapshot/snapshot-codec.js";
import type { WireImage } from "../snapshot/wire-image.js";
import { GuestEntrance } from "./guest-entrance.js";
import { InputHead } from "./input-packet.js";
import { JitterBuffer } from "./jitter-buffer.js";
import type { Welcome } from "./messages.js";
import { StateReceiver } from "./state-receiver.js";
import { ViewerCore } from "./viewer-core.js";
import { FrameClock } from "./viewer-frame-clock.js";
import { ViewerNet } from "./viewer-net.js";
import { checkedViewerOptions, VIEWER_OPTIONS, type ViewerOptions } from "./viewer-options.js";
import { ViewerPicture } from "./viewer-picture.js";

const CALL = "viewerSession";
/** Milliseconds after which a viewer says that it is still there, if no states arrive. */
const ACK_EVERY = 500;
/** Bytes of an acknowledgement, at most. */
const ACK_BYTES = 32;

/* oxlint-disable typescript/no-explicit-any -- There is no other type that all sessions fit. */
/** Shows a game that a server decides, and simulates nothing: it blends the states that arrive. */
export class ViewerSession<
  S extends Fields = any,
  I extends InputFields = any,
  E extends EffectFields = any,
  X extends ExternalStates = any,
  P extends number = any,
  C extends CommandFields = any,
> implements Session<ReadonlyWorld<S>, Effect<E>> {
  /* oxlint-enable typescript/no-explicit-any */
  readonly simulation: Simulation<S, I, E, X, P, C>;
  /** Figures and events of the network. */
  readonly net: ViewerNet;
  /** Always 1: the shown time does not depend on how many steps a loop takes. */
  readonly pace = 1;
  readonly present = "interpolate";
  readonly seats: readonly number[] = [];
  readonly notRecordable = "a viewer gets states, not inputs";
  readonly #core: ViewerCore;
  /** The world is the newest state that was taken over. Its snapshots are those that wait to be shown. */
  readonly #state: State<S>;
  readonly #codec: SnapshotCodec;
  readonly #receiver: StateReceiver;
  readonly #picture: ViewerPicture<S>;
  readonly #entrance: GuestEntrance;
  readonly #listeners = new SessionListeners<SessionEvents<Effect<E>>>(SESSION_EVENTS);
  readonly #frames = new FrameClock();
  readonly #writer = new BitWriter(ACK_BYTES);
  readonly #head = new InputHead();
  readonly #stateEvent = { tick: 0 };
  /** The snapshot of the newest state, until it is taken over. */
  #arrived = -1;
  #newestTick = 0;
  #isFirst = true;
  readonly #effects: EffectQueue;
  #emitsEffects = false;
  /** The effects of the ticks before this one have arrived. */
  #effectsBefore = 0;
  #isStarved = false;
  /** Calls of `advance`, which a loop makes at an even pace. */
  #advances = 0;
  /** When states arrive, an acknowledgement was sent, and a picture was drawn. In an array, as fields would allocate each new number. */
  readonly #times = new Float64Array(3);

  /** @internal Use `viewerSession`. */
  constructor(simulation: Simulation<S, I, E, X, P, C>, link: Link, options: ViewerOptions) {
    requireSimulation(CALL, simulation);
    requireLink(`${CALL}: link`, link);
    const settings = checkedViewerOptions(CALL, options);
    const { kernels, now = systemNow } = options;
    const core = new ViewerCore(simulation as AnySimulation, settings, now);
    this.simulation = simulation;
    this.#core = core;
    this.#effects = new EffectQueue(core.tickMs / 1e3);
    this.#state = onBehalfOf(CALL, ["Layout.allocate"], () =>
      simulation.layout.allocate(ViewerPicture.snapshots, { kernels }),
    ) as State<S>;
    for (let i = 0; i < ViewerPicture.snapshots; i++) this.#state.save(i);
    this.#codec = snapshotCodec(simulation.layout, { rate: simulation.rate });
    this.#receiver = new StateReceiver(this.#codec, simulation as AnySimulation);
    this.#receiver.onEffects = (_, tick, effects) => this.#takeEffects(tick, effects);
    this.#picture = new ViewerPicture<S>(this.#state, settings.smoothing);
    this.net = core.net = new ViewerNet(core, () => this.#picture.count);
    this.#entrance = new GuestEntrance(core, {
      role: "viewer",
      onPacket: (bytes, at) => this.#receive(this.#receiver.onPacket, bytes, at),
      onStatePart: (bytes, at) => this.#receive(this.#receiver.onPart, bytes, at),
      onState: (bytes, at) => this.#receive(this.#receiver.onPacket, bytes, at),
      onCommands: () => "commands for a viewer",
      welcomed: (welcome) => this.#welcomed(welcome),
    });
    this.#entrance.enter(link);
  }

  #welcomed({ wire, stateEvery, tick }: Welcome): Rejection | undefined {
    if (this.#codec.fingerprint !== wire)
      return {
        code: "wire",
        text: "server and viewer write states differently. Use the same version of tickwise on both sides",
      };
    this.#receiver.reset(tick);
    this.#picture.clear();
    this.#core.buffer = new JitterBuffer(stateEvery * this.#core.tickMs);
    this.#arrived = -1;
    this.#newestTick = this.#effectsBefore = 0;
    this.#effects.discardFrom(0);
    this.#isFirst = true;
    return undefined;
  }

  get seed(): number | string {
    return this.#core.welcome?.seed ?? 0;
  }
  get tick(): number {
    return this.#state.tick;
  }
  /** The same as `tick`: what a server has stepped is certain. */
  get confirmed(): number {
    return this.#state.tick;
  }
  /** The newest state that has arrived. What is not sent is 0. */
  get world(): ReadonlyWorld<S> {
    return this.#state.world as ReadonlyWorld<S>;
  }
  /** The names of the players, by seat. */
  get seatNames(): readonly string[] {
    const names = Array.from({ length: this.simulation.players }, () => "");
    for (const { name, seats } of this.net.members) for (const seat of seats) names[seat] = name;
    return names;
  }
  /** Bytes of all states that the session keeps. */
  get memory(): number {
    return this.simulation.layout.size * (ViewerPicture.snapshots + 1);
  }

  /** Hashes the newest state. It differs from the server's, if that rounds fields or keeps some secret. */
  hash(out?: [number, number]): Hash {
    return this.#state.hash(LIVE, out);
  }

  /** Returns the newest state as bytes. External state is not sent, so there is none. */
  bytes(): Uint8Array {
    this.#requireAlive();
    return joined(titleFor(this.simulation), [this.#state.bytes()]);
  }

  on<N extends keyof SessionEvents<Effect<E>>>(
    event: N,
    listener: (info: SessionEvents<Effect<E>>[N]) => void,
  ): () => void {
    this.#requireAlive();
    if (event === "effect") this.#emitsEffects = true;
    return this.#listeners.on(event, listener);
  }

  /** Takes over what has arrived: `"stepped"` if there is a newer state. */
  advance(): Advance {
    this.#requireAlive();
    requireRate(this.simulation);
    this.#advances++;
    this.poll();
    if (this.#arrived < 0) return "waiting";
    this.#state.load(this.#arrived);
    this.#arrived = -1;
    this.#core.tick = this.tick;
    if (this.#isFirst) {
      this.#isFirst = false;
      this.#listeners.emit("load", { tick: this.tick });
      this.#entrance.tell("joined", "");
    }
    return this.#core.isDisposed ? "ended" : "stepped";
  }

  /** Handles the network without stepping. `advance` does it too: call it only while no loop runs. */
  poll(): void {
    this.#requireAlive();
    const now = this.#core.now();
    this.#entrance.poll(now);
    if (this.#core.hasState && now - this.#times[ACKED]! > ACK_EVERY) this.#acknowledge(now);
  }

  /** Blends the state of the shown time, which is that of the call, less the delay. `alpha` helps to space the pictures evenly. */
  view(alpha: number): ReadonlyWorld<S> {
    this.#requireAlive();
    requireNumber("Session.view: alpha", alpha, 0, 1, "loop.alpha");
    const { buffer, tickMs, news, now } = this.#core;
    buffer.isPaused = news?.isPaused === true;
    const time = this.#frames.frame(now(), (this.#advances + alpha) * tickMs);
    const ticks = Math.max(0, time - this.#times[DRAWN]!) / tickMs;
    this.#times[DRAWN] = time;
    const drawn = buffer.advance(time);
    const view = this.#picture.draw(drawn, ticks);
    if (buffer.isStarved !== this.#isStarved) this.#tellStarved();
    if (this.#emitsEffects) this.#deliverEffects(drawn / tickMs);
    return view as ReadonlyWorld<S>;
  }

  #takeEffects(tick: number, effects: readonly AnyEffect[]): void {
    // Packets repeat what is not acknowledged.
    if (this.#emitsEffects)
      for (const effect of effects) if (effect.tick >= this.#effectsBefore) this.#effects.add(effect);
    this.#effectsBefore = tick;
  }

  /** Delivers the effects of the ticks that the picture shows. */
  #deliverEffects(shown: number): void {
    this.#effects.deliver(shown, this.#deliver);
    this.#effects.confirm(shown);
  }

  readonly #deliver = (effect: AnyEffect): void => this.#listeners.emit("effect", effect as Effect<E>);

  #tellStarved(): void {
    this.#isStarved = !this.#isStarved;
    this.net.emit("starved", { isStarved: this.#isStarved, tick: this.#newestTick });
  }

  #receive(
    by: (bytes: Uint8Array, take: (image: WireImage) => void) => string | undefined,
    bytes: Uint8Array,
    now: number,
  ): void {
    this.#times[ARRIVED] = now;
    const problem = by.call(this.#receiver, bytes, this.#take);
    if (problem !== undefined) this.#core.connection?.fault(problem);
  }

  /** Takes a state that is newer than all before. */
  readonly #take = (image: WireImage): void => {
    const { buffer, tickMs, welcome } = this.#core;
    const { tick } = image;
    const now = this.#times[ARRIVED]!;
    const time = tick * tickMs;
    const slot = this.#picture.add(time);
    this.#codec.write(image, this.#state as unknown as State, slot);
    buffer.arrive(time, now);
    const missed = this.#newestTick > 0 ? (tick - this.#newestTick) / welcome!.stateEvery - 1 : 0;
    this.net.countState(Math.max(0, Math.floor(missed)));
    this.#newestTick = tick;
    this.#arrived = slot;
    this.#core.hasState = true;
    this.#acknowledge(now);
    this.#stateEvent.tick = tick;
    this.net.emit("state", this.#stateEvent);
  };

  /** Tells the server which state the next ones may be based on. */
  #acknowledge(now: number): void {
    const { connection } = this.#core;
    this.#times[ACKED] = now;
    if (!connection || connection.isClosed) return;
    const head = this.#head;
    head.first = head.end = head.ack = this.#receiver.ack;
    const writer = this.#writer;
    writer.reset();
    head.write(writer);
    const bytes = writer.bytes();
    this.net.packetsSent++;
    this.net.bytesSent += bytes.length;
    connection.send(bytes, false);
  }

  /** Watches the same game over a new link, as the old one broke; or another server's game. */
  connect(link: Link): void {
    this.#requireAlive();
    requireLink("ViewerSession.connect: link", link);
    this.#entrance.enter(link);
  }

  /** Leaves the game, closes the link and frees what the session holds. */
  leave(): void {
    this.dispose();
  }

  /** The same as `leave`. */
  dispose(): void {
    if (this.#core.isDisposed) return;
    this.#core.isDisposed = true;
    this.#entrance.leave();
  }

  #requireAlive(): void {
    if (this.#core.isDisposed) misuse("disposed", "Session", "already disposed", "Create a new one");
  }
}

const ARRIVED = 0;
const ACKED = 1;
const DRAWN = 2;

/**
 * Shows a game that a server decides, over a link to it, without simulating it. The picture lags behind by a delay that adapts to
 * the network, and moves evenly.
 */
export function viewerSession<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number,
  C extends CommandFields,
>(
  simulation: Simulation<S, I, E, X, P, C>,
  link: Link,
  options: ViewerOptions = {},
): ViewerSession<S, I, E, X, P, C> {
  requireOptions(CALL, options, VIEWER_OPTIONS, '{ name: "Ada" }');
  return new ViewerSession(simulation, link, options);
}
