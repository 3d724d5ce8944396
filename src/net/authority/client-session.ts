import { systemNow } from "../../platform/index.js";
import { misuse, requireOptions } from "../../errors/index.js";
import type { InputFields, StepTiming } from "../../input/index.js";
import type { CommandFields, IssueCommand } from "../../sim/commands.js";
import type { Effect, EffectFields, ExternalStates, Simulation } from "../../sim/index.js";
import { NO_FRAME } from "../../sim/input-sampler.js";
import type { Present } from "../../sim/presenter.js";
import { requireRate } from "../../sim/require-rate.js";
import {
  SESSION_EVENTS,
  type Advance,
  type ConfirmedTick,
  type Session,
  type SessionEvents,
} from "../../sim/session.js";
import { SessionListeners } from "../../sim/session-listeners.js";
import { requireSimulation, type AnySimulation } from "../../sim/simulation.js";
import type { Fields, Hash, ReadonlyWorld } from "../../state/index.js";
import { BitReader, BitWriter } from "../bits.js";
import { MAX_MESSAGE, type Link } from "../link.js";
import { APPLICATION, message, type Rejection } from "../messages.js";
import { requireLink } from "../option-checks.js";
import { routedMessage } from "../routed-message.js";
import { Rollback } from "../rollback.js";
import { ClientCore } from "./client-core.js";
import { GuestEntrance } from "./guest-entrance.js";
import { ClientInputs } from "./client-inputs.js";
import { ClientNet } from "./client-net.js";
import { checkedClientOptions, CLIENT_OPTIONS, type ClientOptions } from "./client-options.js";
import { handoverBytes } from "./handover.js";
import { DriftMeter } from "../drift.js";
import { snapshotCodec } from "../snapshot/snapshot-codec.js";
import { Correction } from "./correction.js";
import { InputsFollower } from "./inputs-follower.js";
import { StatesFollower } from "./states-follower.js";
import { LeadPace } from "./lead.js";
import { LockstepFollower } from "./lockstep-follower.js";
import { LockstepInputs } from "./lockstep-inputs.js";
import { readPong } from "./lockstep-packet.js";
import { RESYNC, type Welcome } from "./messages.js";
import { ServerHead } from "./tick-packet.js";

const CALL = "clientSession";
/** Ticks too late from which the client takes several steps at once: at first, and later. And how many it takes. */
const FIRST_JUMP_BELOW = -0.5;
const JUMP_BELOW = -6;
const MAX_CATCH_UP = 8;
/** Ticks too many from which the client is slow: it takes one step of four, as standing still would look like a freeze. */
const SLOW_ABOVE = 20;
const SLOWNESS = 4;
/** Ticks that a spectator keeps in hand, so that jitter does not stop it. */
const IN_HAND = 4;
/** Ticks before the first report that are added to the round trip. */
const FIRST_MARGIN = 2;
/** Milliseconds after which a client that is behind asks for the whole state. */
const FAR_BEHIND = 2000;
/** Milliseconds between two such requests. */
const RESYNC_EVERY = 1000;
/** How fast the share of lost packets follows. */
const LOSS_SMOOTHING = 1 / 256;

/* oxlint-disable typescript/no-explicit-any -- There is no other type that all sessions fit. */
/** Plays a game that a server decides: predicts it, just far enough ahead for its inputs to arrive in time; or follows it in lockstep. */
export class ClientSession<
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
  readonly net: ClientNet;
  readonly #core: ClientCore;
  readonly #rollback: Rollback<S>;
  readonly #inputs: ClientInputs<I>;
  /** Follow the server, by inputs, by states or in lockstep. Which one, the server decides. */
  readonly #byInputs: InputsFollower;
  #byStates: StatesFollower | undefined;
  #byLockstep: LockstepFollower | undefined;
  readonly #lockstepInputs: LockstepInputs;
  readonly #correction: Correction<S>;
  readonly #entrance: GuestEntrance;
  readonly #pace = new LeadPace();
  readonly #listeners = new SessionListeners<SessionEvents<Effect<E>>>(SESSION_EVENTS);
  readonly #reader = new BitReader();
  readonly #writer = new BitWriter(MAX_MESSAGE);
  readonly #head = new ServerHead();
  readonly #hash: [number, number] = [0.5, 0.5];
  readonly #drift = new DriftMeter();
  #isAdvancing = false;
  /** Another state than the server's was computed, and the server's has not arrived yet. */
  #isDesynced = false;
  #isStalled = false;
  #spectatorPace = 1;
  /** Frames in which it was too far ahead. */
  #slowFrames = 0;
  #newestTick = 0;
  #resyncAt = -Infinity;

  /** @internal Use `clientSession`. */
  constructor(simulation: Simulation<S, I, E, X, P, C>, link: Link, options: ClientOptions<I>) {
    requireSimulation(CALL, simulation);
    requireLink(`${CALL}: link`, link);
    const settings = checkedClientOptions(CALL, simulation, options as ClientOptions<InputFields>);
    const { guard, kernels, present, now = systemNow } = options;
    const { when, window, saveEvery } = settings;
    const core = new ClientCore(simulation, settings, now);
    this.simulation = simulation;
    this.#core = core;
    this.#rollback = new Rollback<S>(CALL, simulation as AnySimulation<S>, {
      guard,
      kernels,
      window,
      predicts: window > 0,
      saveEvery,
      presenter: {
        present,
        deliver: (effect) => this.#listeners.emit("effect", effect as Effect<E>),
        ...(when === "shown"
          ? {}
          : { when: (name: string) => (typeof when === "string" ? when : (when[name] ?? "shown")) }),
      },
      guess: (tick) =>
        this.#byLockstep ? this.#byLockstep.guess(tick) : this.#inputs.guess(tick, this.#known),
      withdraw: (effect) => this.#listeners.emit("withdrawn", effect as Effect<E>),
    });
    core.rollback = this.#rollback as unknown as Rollback;
    this.net = core.net = new ClientNet(core);
    this.#inputs = new ClientInputs<I>(CALL, core, options);
    this.#lockstepInputs = new LockstepInputs(core);
    this.#byInputs = new InputsFollower(core, (tick) => this.#inputs.isOverruled(tick));
    this.#correction = new Correction(this.#rollback, settings.smoothing);
    this.#entrance = new GuestEntrance(core, {
      role: "client",
      onPacket: (bytes, at) => this.#onPacket(bytes, at),
      onStatePart: (bytes, at) => {
        const receiver = this.#byStates?.receiver;
        this.#onState(receiver && receiver.onPart(bytes, this.#byStates!.take), at);
      },
      onState: (bytes, at) => {
        const receiver = this.#byStates?.receiver;
        if (this.#byLockstep) this.#check(this.#byLockstep.onState(bytes));
        else if (receiver) this.#onState(receiver.onPacket(bytes, this.#byStates!.take), at);
        else this.#check(this.#byInputs.onState(bytes));
      },
      onCommands: (bytes) => this.#byInputs.onCommands(bytes),
      onPong: (body, at) => this.#onPong(body, at),
      welcomed: (welcome) => this.#welcomed(welcome),
    });
    this.#entrance.enter(link);
  }

  #welcomed({ down, isSecretive, wire, seats, tick }: Welcome): Rejection | undefined {
    this.#inputs.sit(seats, tick);
    this.#byInputs.reset();
    if (down !== "states") this.#byStates = undefined;
    if (down === "lockstep") {
      this.#lockstepInputs.sit(seats);
      this.#byLockstep ??= new LockstepFollower(this.#core);
      this.#byLockstep.reset(tick);
      return undefined;
    }
    this.#byLockstep = undefined;
    if (this.#core.settings.window === 0)
      return {
        code: "wire",
        text: 'this client has window: 0, which only fits a server with down: "lockstep"',
      };
    if (down === "inputs") return undefined;
    const { run } = this.#rollback;
    if (seats.length === 0)
      return {
        code: "wire",
        text: "the server sends states, and this client has no seat. Watch with viewerSession instead",
      };
    const codec = snapshotCodec(this.simulation.layout, {
      bookkeeping: !isSecretive,
      rate: this.simulation.rate,
      kernels: run.state.kernels,
    });
    if (codec.fingerprint !== wire)
      return {
        code: "wire",
        text: "server and client write states differently. Use the same version of tickwise on both sides",
      };
    const { notRebuildable } = run;
    if (notRebuildable !== undefined)
      return {
        code: "wire",
        text: `the server sends states, but the external state ${JSON.stringify(notRebuildable)} of this client has no rebuild()`,
      };
    this.#byStates ??= new StatesFollower(this.#core, codec);
    this.#byStates.reset(tick);
    return undefined;
  }

  /** The first tick whose inputs are guesses. */
  get #known(): number {
    return (this.#byLockstep ?? this.#byStates ?? this.#byInputs).known;
  }

  #check(problem: string | undefined): void {
    if (problem !== undefined) this.#core.connection?.fault(problem);
  }

  /** A state has arrived: the figures in its head count, whatever became of the state. */
  #onState(problem: string | undefined, now: number): void {
    this.#check(problem);
    if (problem === undefined && this.#byStates) this.#onHead(this.#byStates.receiver.head, now);
  }

  get seed(): number | string {
    return this.#core.welcome?.seed ?? 0;
  }
  get tick(): number {
    return this.#rollback.tick;
  }
  get confirmed(): number {
    return this.#rollback.confirmed;
  }
  /** Near 1: more if inputs reach the server too late, less if they reach it too early. */
  get pace(): number {
    if (this.#byLockstep) return this.#core.lockstepPace.value;
    return this.#core.seats.length > 0 ? this.#pace.value : this.#spectatorPace;
  }
  get present(): Present {
    return this.#rollback.presenter.present;
  }
  get world(): ReadonlyWorld<S> {
    return this.#rollback.run.world as ReadonlyWorld<S>;
  }
  /** The seats of this client. Empty until the server let it in, and for spectators. */
  get seats(): readonly number[] {
    return this.#core.seats;
  }
  /** The names of the players, by seat. */
  get seatNames(): readonly string[] {
    const names = Array.from({ length: this.simulation.players }, () => "");
    for (const { name, seats } of this.net.members) for (const seat of seats) names[seat] = name;
    return names;
  }
  /** With `down: "states"`, clients do not get the inputs of others. */
  get notRecordable(): string | undefined {
    return this.#byStates && 'the server sends states, not inputs (down: "states")';
  }
  /** Bytes of all states that the session keeps. */
  get memory(): number {
    return this.#rollback.memory;
  }

  hash(out?: [number, number]): Hash {
    return this.#rollback.run.hash(out);
  }

  bytes(): Uint8Array {
    this.#requireAlive();
    return this.#rollback.bytesAt(this.tick);
  }

  /** Whether the inputs of a seat in the newest state are guesses. */
  isPredicted(seat: number): boolean {
    return this.#known < this.tick && !this.seats.includes(seat);
  }

  on<N extends keyof SessionEvents<Effect<E>>>(
    event: N,
    listener: (info: SessionEvents<Effect<E>>[N]) => void,
  ): () => void {
    this.#requireAlive();
    const off = this.#listeners.on(event, listener);
    if (event === "effect" || event === "withdrawn") this.#rollback.emitsEffects = true;
    return off;
  }

  view(alpha: number): ReadonlyWorld<S> {
    this.#requireAlive();
    const view = this.#rollback.presenter.view(alpha, this.#rollback.confirmed) as ReadonlyWorld<S>;
    this.#correction.show(view, alpha);
    return view;
  }

  // Time

  advance(timing: StepTiming = NO_FRAME): Advance {
    this.#requireAlive();
    requireRate(this.simulation);
    if (this.#isAdvancing)
      misuse("reentrant", "Session", "cannot step inside a listener", "Step after advance() returns");
    this.poll();
    this.#load();
    if (!this.#core.hasState) {
      this.#rollback.presenter.stall();
      return "waiting";
    }
    this.#isAdvancing = true;
    try {
      this.#correct();
      this.#confirm();
      const isStepped = this.#step(timing);
      if (this.#core.isDisposed) return "ended";
      this.#confirm();
      this.#send();
      return isStepped ? "stepped" : "stalled";
    } finally {
      this.#isAdvancing = false;
    }
  }

  /** Handles the network without stepping. `advance` does it too: call it only while no loop runs. */
  poll(): void {
    this.#requireAlive();
    this.#entrance.poll(this.#core.now());
  }

  /** Loads a whole state, if one has arrived that does not follow from the own ones. */
  #load(): void {
    const { net, lead } = this.#core;
    if (this.#byStates) {
      const { receiver } = this.#byStates;
      const isFar = receiver.ack > this.tick || !this.#core.hasState;
      if (!this.#byStates.hasArrived || !isFar) return;
      this.#byStates.load();
    } else {
      try {
        const loaded = this.#byLockstep ? this.#byLockstep.load() : this.#byInputs.load(this.#isDesynced);
        if (loaded < 0) return;
      } catch {
        this.#core.connection?.fault("a damaged state");
        return;
      }
    }
    const { tick } = this;
    const isFirst = !this.#core.hasState;
    this.#core.hasState = true;
    this.#inputs.skipTo(tick);
    this.#correction.clear();
    if (!isFirst) lead.reset();
    this.#newestTick = isFirst ? tick : Math.max(this.#newestTick, tick);
    net.known = this.#known;
    if (this.#isDesynced) {
      this.#isDesynced = false;
      net.emit("desync", {
        stage: "repaired",
        tick,
        fields: (this.#byLockstep ?? this.#byInputs).differences,
      });
    }
    this.#listeners.emit("load", { tick });
    if (isFirst) this.#entrance.tell("joined", "");
  }

  /** Simulates again what was wrong, or what follows from a state of the server. */
  #correct(): void {
    const rollback = this.#rollback;
    const isNews = this.#byStates ? this.#byStates.hasArrived : rollback.correctUntil < rollback.tick;
    if (!isNews) return;
    this.#correction.begin();
    const isChanged = this.#byStates ? this.#byStates.load() : rollback.correct() > 0;
    const error = this.#correction.end(isChanged);
    if (this.#byStates) {
      this.#drift.record(error);
      this.net.drift = this.#drift.drift;
      this.net.known = this.#byStates.known;
    }
    if (isChanged) this.net.emit("rollback", rollback.lastRollback);
  }

  /** Takes one step, and more if the client is far behind. Returns false if it must wait. */
  #step(timing: StepTiming): boolean {
    if (this.#byLockstep) return this.#stepInLockstep(this.#byLockstep, timing);
    const rollback = this.#rollback;
    const { lead } = this.#core;
    const now = this.#core.now();
    let isStepped = false;
    const isPaused = this.#core.news?.isPaused === true;
    const room = this.#limit() - rollback.tick;
    for (let steps = isPaused ? 0 : Math.min(this.#stepsDue(now), room); steps > 0; steps--) {
      const { tick } = rollback;
      // Inputs of ticks that the server has stepped, or that a new client jumps over, would come too late.
      const isInTime = tick >= this.#known && (steps === 1 || lead.isSure);
      if (isInTime && !this.#inputs.sample(tick, timing)) return false;
      rollback.step();
      isStepped = true;
    }
    if (!isStepped) rollback.presenter.stall();
    if (!isPaused) this.#setStalled(room <= 0);
    return isStepped;
  }

  /** Steps ticks that the server has sent. */
  #stepInLockstep(follower: LockstepFollower, timing: StepTiming): boolean {
    const rollback = this.#rollback;
    const { lockstepPace, seats } = this.#core;
    const now = this.#core.now();
    let isStepped = false;
    const isPaused = this.#core.news?.isPaused === true;
    if (!isPaused && seats.length > 0) {
      const words = this.#inputs.sampleNow(this.tick, timing);
      if (!words) return false;
      this.#lockstepInputs.set(words);
    }
    if (follower.needsState) this.#resync(now);
    const before = lockstepPace.value;
    const due = lockstepPace.stepsDue(this.tick, now);
    const room = follower.known - this.tick;
    this.net.advantage = -lockstepPace.spare;
    for (let steps = Math.min(due, room); steps > 0; steps--) {
      if (!follower.take(rollback.tick)) break;
      rollback.step();
      isStepped = true;
      this.#confirm();
      if (this.#core.isDisposed || follower.needsState) break;
    }
    if (!isStepped) rollback.presenter.stall();
    if (!isPaused) this.#setStalled(!isStepped);
    if (lockstepPace.value !== before)
      this.net.emit("pace", { pace: lockstepPace.value, advantage: this.net.advantage });
    return isStepped;
  }

  #limit(): number {
    const { confirmed, maxAhead } = this.#rollback;
    const window = this.seats.length > 0 ? this.#core.settings.window : 0;
    // States come less often than inputs, so more ticks pass until the next one if one is lost.
    return Math.min(this.#known + (this.#byStates ? 2 * window : window), confirmed + maxAhead);
  }

  /** How many steps to take at once. */
  #stepsDue(now: number): number {
    const { tick } = this;
    const known = this.#known;
    if (this.seats.length === 0) {
      const behind = known - tick;
      this.net.advantage = IN_HAND - behind;
      const off = Math.abs(behind - IN_HAND);
      if (off > IN_HAND / 2) this.#spectatorPace = behind > IN_HAND ? 1.05 : 0.95;
      else if (off < 1) this.#spectatorPace = 1;
      return behind > 3 * IN_HAND ? Math.min(MAX_CATCH_UP, Math.ceil(behind / 8)) : 1;
    }
    const excess = this.#excess(now);
    this.net.advantage = excess;
    const before = this.#pace.value;
    const { lead } = this.#core;
    this.#pace.update(excess, lead.isSure);
    if (this.#pace.value !== before) this.net.emit("pace", { pace: this.#pace.value, advantage: excess });
    if ((known - tick) * this.#core.tickMs > FAR_BEHIND) this.#resync(now);
    if (excess > SLOW_ABOVE) return ++this.#slowFrames % SLOWNESS === 0 ? 1 : 0;
    const jumpBelow = lead.isSure ? JUMP_BELOW : FIRST_JUMP_BELOW;
    return excess < jumpBelow ? Math.min(MAX_CATCH_UP, Math.ceil(-excess)) : 1;
  }

  /** How many ticks more than needed the client is ahead. */
  #excess(now: number): number {
    const { lead, tickMs, roundTrip } = this.#core;
    const { tick } = this;
    if (lead.isKnown) return lead.excess(tick, now);
    // News that an outage has delayed name an old tick.
    const server = Math.max(this.#core.tickByNews(now), this.#known);
    return tick - server - roundTrip / 2 / tickMs - FIRST_MARGIN;
  }

  /** Asks the server for the whole state. */
  #resync(now: number): void {
    if (now - this.#resyncAt < RESYNC_EVERY) return;
    this.#resyncAt = now;
    this.#core.connection?.send(message(RESYNC), true);
  }

  #setStalled(isStalled: boolean): void {
    if (isStalled) this.net.stalledTicks++;
    if (isStalled === this.#isStalled) return;
    this.#isStalled = isStalled;
    this.net.emit("stall", { isStalled, tick: this.tick, seats: [] });
  }

  #confirm(): void {
    // A state of the server is certain as it is.
    if (this.#byStates) return;
    const rollback = this.#rollback;
    const confirmed = Math.min(this.#byLockstep ? this.tick : this.#byInputs.known, rollback.correctUntil);
    if (confirmed > rollback.confirmed)
      rollback.confirmTo(confirmed, this.#emitConfirmed, this.#listeners.isHeard("confirmed"));
  }

  readonly #emitConfirmed = (confirmed: ConfirmedTick): void => {
    const state = confirmed.tick + 1;
    const { hashEvery } = this.#core.welcome!;
    if (hashEvery > 0 && state % hashEvery === 0) {
      const [hash] = confirmed.hash(this.#hash);
      if (!(this.#byLockstep ?? this.#byInputs).isMatching(state, hash)) {
        if (this.#byLockstep) this.#byLockstep.needsState = true;
        this.net.desyncs++;
        this.#isDesynced = true;
        this.net.emit("desync", { stage: "noticed", tick: state, fields: [] });
        this.#resync(this.#core.now());
      }
    }
    this.#listeners.emit("confirmed", confirmed);
  };

  #send(): void {
    const { connection, lead } = this.#core;
    if (!connection || connection.isClosed) return;
    const writer = this.#writer;
    writer.reset();
    if (this.#byLockstep) {
      if (!this.#lockstepInputs.write(writer, this.#byLockstep.end, this.#core.now())) return;
    } else this.#inputs.write(writer, this.#byStates ? this.#byStates.ack : this.#byInputs.ack);
    if (writer.isFull) return;
    if (!this.#byLockstep && this.#inputs.end > 0) lead.onSent(this.#inputs.end - 1, this.#core.now());
    const bytes = writer.bytes();
    this.net.packetsSent++;
    this.net.bytesSent += bytes.length;
    connection.send(bytes, this.#byLockstep !== undefined);
  }

  #onPacket(bytes: Uint8Array, now: number): void {
    const { connection, welcome } = this.#core;
    if (!welcome) return;
    if (this.#byLockstep) return this.#onFrame(this.#byLockstep, bytes, now);
    const head = this.#head;
    this.#reader.start(bytes);
    const expected = this.#core.hasState ? this.#newestTick : welcome.tick;
    if (!head.read(this.#reader, expected)) return connection!.fault("a malformed packet");
    if (head.hasState) {
      const receiver = this.#byStates?.receiver;
      this.#onState(receiver && receiver.onPacket(bytes, this.#byStates!.take), now);
      return;
    }
    const problem = this.#byInputs.onPacket(this.#reader, head);
    if (problem !== undefined) return connection!.fault(problem);
    this.net.known = this.#known;
    this.#onHead(head, now);
  }

  /** Takes a tick of the server in lockstep, or a part of it. */
  #onFrame(follower: LockstepFollower, bytes: Uint8Array, now: number): void {
    const { end } = follower;
    this.#check(follower.onPacket(bytes));
    this.#lockstepInputs.onArrival(now);
    if (follower.end > end) this.#core.lockstepPace.onArrival(follower.end - 1, now);
    this.net.known = this.#known;
  }

  /** Takes the answer of the server to a sign of life. */
  #onPong(body: Uint8Array, now: number): string | undefined {
    const pong = readPong(body);
    if (!pong || !this.#byLockstep) return "a malformed answer";
    const sentAt = this.#lockstepInputs.pingedAt(pong.ping);
    if (sentAt >= 0) this.#core.clock.add(sentAt, pong.tick, pong.tick, now);
    return undefined;
  }

  /** Takes what the server tells about the own inputs. */
  #onHead(head: ServerHead, now: number): void {
    const { lead, clock } = this.#core;

    this.#inputs.acknowledge(head.inputEnd);
    for (let i = 0; i < head.reportCount; i++) {
      const { first, end, early } = head.reports[i]!;
      lead.onReport(first, end, early);
      // With inputs, the client sees which ones the server did not use.
      if (this.#byStates) this.net.lateInputs += lateOf(end - first, early);
      const sentAt = lead.sentAt(end - 1);
      // A tick that is stepped right now is the tick of the server from now on, less one.
      if (sentAt >= 0) clock.add(sentAt, end - early, head.tick, now);
    }
    this.#countLoss(head.tick);
  }

  #countLoss(tick: number): void {
    const missed = Math.min(64, tick - this.#newestTick - 1);
    if (tick <= this.#newestTick) return;
    for (let i = 0; i < missed; i++) this.net.loss += (1 - this.net.loss) * LOSS_SMOOTHING;
    this.net.loss -= this.net.loss * LOSS_SMOOTHING;
    this.#newestTick = tick;
  }

  // What players do

  /** Joins the same game over a new link, as the old one broke; or a new server's game after a migration. */
  connect(link: Link): void {
    this.#requireAlive();
    requireLink("ClientSession.connect: link", link);
    // A state that has arrived over the old link is not the beginning of the new game.
    this.#byStates?.reset(0);
    this.#entrance.enter(link);
  }

  /** Issues a command: everybody executes it at the tick that the server chooses. Without `player`, it comes from the first own seat. */
  readonly command: IssueCommand<C> = (name, ...rest) => {
    this.#requireAlive();
    const [values, options] = rest;
    this.#inputs.command(name, values as Readonly<Record<string, unknown>> | undefined, options?.player);
  };

  /** Sends a message outside the simulation to the server and all clients, or to one. Up to 64 KB. */
  send(bytes: Uint8Array, to?: number): void {
    this.#requireAlive();
    this.#core.connection?.sendLong(APPLICATION, routedMessage(bytes, this.net.id, to));
  }

  /** Returns the game in its newest certain state, to host it: `serverSession(game, { from: client.handover() })`. */
  handover(): Uint8Array {
    this.#requireAlive();
    if (!this.#core.hasState)
      misuse("not-ready", "Session.handover", "no state has arrived yet", "Wait until session.tick grows");
    return handoverBytes({ seed: this.seed, state: this.#rollback.bytesAt(this.confirmed) });
  }

  /** Leaves the game, closes the link and frees what the session holds. */
  leave(): void {
    this.dispose();
  }

  /** The same as `leave`. */
  dispose(): void {
    if (this.#core.isDisposed) return;
    this.#rollback.run.requireIdle("Session.dispose");
    this.#core.isDisposed = true;
    this.#entrance.leave();
    this.#rollback.dispose();
  }

  #requireAlive(): void {
    this.#rollback.run.requireIdle("Session");
    if (this.#inputs.isSampling)
      misuse("reentrant", "Session", "cannot be used inside `inputs`", "Call it before or after advance()");
    if (this.#core.isDisposed) misuse("disposed", "Session", "already disposed", "Create a new one");
  }
}

/** Returns how many of `count` inputs that came together were late. The last one came `early` ticks before its step. */
const lateOf = (count: number, early: number): number =>
  Math.max(0, Math.min(count, count - 1 - Math.floor(early)));

/** Plays a game that a server decides, over a link to it. What the player does shows at once, as the client predicts the game. */
export function clientSession<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number,
  C extends CommandFields,
>(
  simulation: Simulation<S, I, E, X, P, C>,
  link: Link,
  options: ClientOptions<I> = {},
): ClientSession<S, I, E, X, P, C> {
  requireOptions(CALL, options, CLIENT_OPTIONS, '{ name: "Ada" }');
  return new ClientSession(simulation, link, options);
}
