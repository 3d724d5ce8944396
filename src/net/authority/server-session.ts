import { systemNow, systemWall } from "../../platform/index.js";
import { badValue, misuse, requireOptions } from "../../errors/index.js";
import type { InputFields, StepTiming } from "../../input/index.js";
import { bytesOf, readBytes } from "../../sim/bytes.js";
import type { CommandFields, IssueCommand, PackedCommand } from "../../sim/commands.js";
import { NO_COMMANDS } from "../../sim/commands.js";
import { ConfirmedEvent } from "../../sim/confirmed-event.js";
import type { AnyEffect } from "../../sim/effects.js";
import type { Effect, EffectFields, ExternalStates, Simulation } from "../../sim/index.js";
import { InputSampler, NO_FRAME, type InputsFrom } from "../../sim/input-sampler.js";
import { Presenter, type Present } from "../../sim/presenter.js";
import { requireRate } from "../../sim/require-rate.js";
import { Run } from "../../sim/run.js";
import { SESSION_EVENTS, type Advance, type Session, type SessionEvents } from "../../sim/session.js";
import { SessionListeners } from "../../sim/session-listeners.js";
import { requireSimulation, type AnySimulation } from "../../sim/simulation.js";
import type { Fields, Hash, ReadonlyWorld } from "../../state/index.js";
import type { Link } from "../link.js";
import { requireLink } from "../option-checks.js";
import { ALL_SEATS, SeatLog } from "../seat-log.js";
import { SeatPredictor } from "../seat-predictor.js";
import { ClientPackets } from "./client-packets.js";
import { ServerMessages } from "./server-messages.js";
import { handoverBytes, readHandover, type KeptSeats } from "./handover.js";
import { EffectsDown, type EffectRule } from "./effects-down.js";
import { InputsDown } from "./inputs-down.js";
import { LockstepDown } from "./lockstep-down.js";
import type { ServerClient } from "./server-client.js";
import { ServerCore, type Downstream } from "./server-core.js";
import { ServerDoor } from "./server-door.js";
import { ServerNet } from "./server-net.js";
import { snapshotCodec, type SnapshotCodec } from "../snapshot/snapshot-codec.js";
import type { ViewRules } from "./visible-state.js";
import { StatesDown } from "./states-down.js";
import {
  checkedServerOptions,
  keepsSecrets,
  requireNoSecrets,
  requireRebuildable,
  SERVER_OPTIONS,
  type ServerOptions,
  type ServerSettings,
} from "./server-options.js";
import { ServerSeats } from "./server-seats.js";

const CALL = "serverSession";
/** Milliseconds for which the last input replaces one that did not arrive. Then the input is empty. */
const REPEAT_MS = 500;
/** Milliseconds of silence after which a client in lockstep does nothing until it is heard again. */
const SILENT_MS = 1500;
/** Milliseconds between two checks of what need not be checked in every tick. */
const CHECK_EVERY = 100;

/* oxlint-disable typescript/no-explicit-any -- There is no other type that all sessions fit. */
/** Runs a game for clients. It keeps its own time, and waits for nobody. */
export class ServerSession<
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
  readonly net: ServerNet;
  readonly #settings: ServerSettings;
  readonly #core: ServerCore;
  readonly #run: Run<S>;
  readonly #presenter: Presenter<S>;
  readonly #listeners = new SessionListeners<SessionEvents<Effect<E>>>(SESSION_EVENTS);
  readonly #confirmedEvent: ConfirmedEvent;
  readonly #sampler: InputSampler<I>;
  readonly #seats: ServerSeats;
  readonly #door: ServerDoor;
  readonly #messages: ServerMessages;
  readonly #codec: SnapshotCodec;
  readonly #viewersCodec: SnapshotCodec;
  readonly #effects: EffectsDown;
  readonly #down: Downstream;
  readonly #lockstep: LockstepDown | undefined;
  /** The clients while they are sent a tick, as the list may change meanwhile. */
  readonly #sendingTo: (ServerClient | undefined)[] = [];
  readonly #viewersDown: Downstream;
  readonly #predictor: SeatPredictor<I>;
  /** The words of one client's seats, and those of all seats for the next step, which are the run's. */
  readonly #row: Uint32Array;
  readonly #words: Uint32Array;
  #emitsEffects = false;
  #emitsConfirmed = false;
  #isAdvancing = false;
  #checkedAt = -Infinity;

  /** @internal Use `serverSession`. */
  constructor(simulation: Simulation<S, I, E, X, P, C>, options: ServerOptions<I, S, E>) {
    requireSimulation(CALL, simulation);
    const settings = checkedServerOptions(CALL, simulation, options as ServerOptions<InputFields>);
    const { seed = 0, now = systemNow, wall = systemWall, predict, inputs, present } = options;
    const { players, packing, rate } = simulation;
    const handover = options.from === undefined ? undefined : readHandover(CALL, simulation, options.from);
    const core = new ServerCore(simulation, settings, handover?.seed ?? seed, now);
    this.simulation = simulation;
    this.#settings = settings;
    this.#core = core;
    this.#run = new Run<S>(simulation as AnySimulation<S>, Presenter.snapshots, options, CALL);
    core.run = this.#run as unknown as Run;
    try {
      if (handover) readBytes(simulation, core.run, handover.state, `${CALL}: from`);
      const { tick } = core.run;
      // As a small integer: see `ServerCore.tick`.
      core.tick = tick === (tick | 0) ? tick | 0 : tick;
      this.#presenter = new Presenter(CALL, this.#run, rate[1] / rate[0], {
        present: present === undefined ? (settings.seats.length > 0 ? "interpolate" : "none") : present,
        deliver: (effect) => this.#listeners.emit("effect", effect as Effect<E>),
        speculate: () => {
          this.#prepare(NO_FRAME, true);
          this.#run.step();
          return true;
        },
      });
    } catch (error) {
      this.#run.dispose();
      throw error;
    }
    // Only clients that get inputs ask for old ones.
    core.log = new SeatLog(simulation, settings.down === "inputs" ? undefined : 1);
    this.net = core.net = new ServerNet(core);
    this.#confirmedEvent = new ConfirmedEvent(core.run, this, (tick) =>
      this.#listeners.emit("confirmed", tick),
    );
    this.#sampler = new InputSampler<I>(
      `${CALL}: inputs`,
      { packing, players: settings.seats.length } as never,
      inputs as InputsFrom<I>,
    );
    this.#words = core.run.words;
    this.#row = new Uint32Array(players * packing.words);
    this.#predictor = new SeatPredictor<I>(predict, packing, players, this.#words);
    this.#seats = new ServerSeats(players, settings.seats, settings.keepSeat);
    this.#seats.keep(handover?.kept ?? [], now());
    if (settings.down === "states") requireRebuildable(CALL, core.run);
    else requireNoSecrets(CALL, simulation);
    const { visible, priority } = options as unknown as ViewRules;
    this.#effects = new EffectsDown(
      core,
      (options.effects as EffectRule | undefined) ?? !keepsSecrets(simulation, settings),
    );
    const isRestricted = visible !== undefined || settings.stateBytes < Infinity;
    this.#codec = snapshotCodec(simulation.layout, {
      bookkeeping: !settings.secretive,
      rate,
      kernels: options.kernels,
    });
    this.#viewersCodec = settings.secretive
      ? this.#codec
      : snapshotCodec(simulation.layout, { rate, kernels: options.kernels });
    this.#lockstep = settings.down === "lockstep" ? new LockstepDown(core) : undefined;
    this.#down =
      this.#lockstep ??
      (settings.down === "inputs"
        ? new InputsDown(core)
        : new StatesDown(core, this.#codec, this.#effects, isRestricted ? { visible, priority } : undefined));
    this.#viewersDown = new StatesDown(
      core,
      this.#viewersCodec,
      this.#effects,
      visible === undefined ? undefined : { visible, priority },
    );
    this.#messages = new ServerMessages(core);
    this.#door = new ServerDoor(core, this.#seats, wall, {
      packets: new ClientPackets(core, this.#down),
      messages: this.#messages,
      begin: (client) => this.#downOf(client).begin(client),
      wireOf: ({ isViewer }) =>
        isViewer ? this.#viewersCodec.fingerprint : settings.down === "states" ? this.#codec.fingerprint : "",
    });
    for (const link of settings.links) this.#door.open(link);
  }

  #downOf({ isViewer }: ServerClient): Downstream {
    return isViewer ? this.#viewersDown : this.#down;
  }

  get seed(): number | string {
    return this.#core.seed;
  }
  get tick(): number {
    return this.#run.tick;
  }
  /** The same as `tick`: what a server has stepped is certain. */
  get confirmed(): number {
    return this.#run.tick;
  }
  /** Always 1: clients keep up with the server. */
  get pace(): number {
    return 1;
  }
  get present(): Present {
    return this.#presenter.present;
  }
  get world(): ReadonlyWorld<S> {
    return this.#run.world as ReadonlyWorld<S>;
  }
  /** The seats that the server itself plays. */
  get seats(): readonly number[] {
    return this.#settings.seats;
  }
  /** The names of the players, by seat. */
  get seatNames(): readonly string[] {
    return this.#seats.owners.map((owner) =>
      owner === "server" ? this.#settings.name : (owner?.name ?? ""),
    );
  }
  /** Whether the game is paused. */
  get isPaused(): boolean {
    return this.#core.isPaused;
  }

  hash(out?: [number, number]): Hash {
    return this.#run.hash(out);
  }

  bytes(): Uint8Array {
    this.#requireAlive();
    return bytesOf(this.simulation, this.#core.run, true);
  }

  on<N extends keyof SessionEvents<Effect<E>>>(
    event: N,
    listener: (info: SessionEvents<Effect<E>>[N]) => void,
  ): () => void {
    this.#requireAlive();
    const off = this.#listeners.on(event, listener);
    if (event === "effect") this.#emitsEffects = true;
    if (event === "confirmed") this.#emitsConfirmed = true;
    return off;
  }

  view(alpha: number): ReadonlyWorld<S> {
    this.#requireAlive();
    return this.#presenter.view(alpha, this.tick) as ReadonlyWorld<S>;
  }

  /** Takes one step with the inputs that have arrived, and sends clients what is new. Steps nothing while the game is paused. */
  advance(timing: StepTiming = NO_FRAME): Advance {
    this.#requireAlive();
    requireRate(this.simulation);
    if (this.#isAdvancing)
      misuse("reentrant", "Session", "cannot step inside a listener", "Step after advance() returns");
    this.poll();
    this.#isAdvancing = true;
    try {
      const { isPaused } = this.#core;
      if (isPaused) this.#presenter.stall();
      else if (!this.#step(timing)) return "ended";
      if (this.#core.isDisposed) return "ended";
      const now = this.#core.now();
      this.#send(now);
      return isPaused ? "waiting" : "stepped";
    } finally {
      this.#isAdvancing = false;
    }
  }

  /** Sends everybody what is new. A client that leaves meanwhile must not make another one miss a tick. */
  #send(now: number): void {
    const down = this.#down;
    const toPlayers = down.isDue;
    const toViewers = this.#core.hasViewers && this.#viewersDown.isDue;
    if (toPlayers || toViewers) {
      const { clients } = this.#core;
      const to = this.#sendingTo;
      const { length } = clients;
      for (let i = 0; i < length; i++) to[i] = clients[i];
      for (let i = 0; i < length; i++) {
        const client = to[i]!;
        to[i] = undefined;
        if (client.isViewer) {
          if (toViewers) this.#viewersDown.send(client, now);
        } else if (toPlayers) down.send(client, now);
      }
    }
    down.sentAll?.();
  }

  #step(timing: StepTiming): boolean {
    const run = this.#run;
    const { tick } = this.#core;
    if (!this.#prepare(timing, false)) return false;
    this.#presenter.beforeStep();
    try {
      if (this.#emitsEffects || this.#sendsEffects) run.step(this.#emit);
      else run.step();
    } catch (error) {
      run.commands = NO_COMMANDS;
      this.#presenter.effects.discardFrom(tick);
      this.#effects.discardFrom(tick);
      this.#presenter.undoStep();
      throw error;
    }
    this.#core.onStep();
    if (this.#lockstep) this.#lockstep.stepped(tick);
    else if (this.#settings.down === "inputs") this.#logStep(tick);
    if (this.#emitsConfirmed) this.#confirmedEvent.emit(tick, this.#core.run);
    run.commands = NO_COMMANDS;
    this.#presenter.deliverHeadless(tick + 1);
    return true;
  }

  /** Whether anybody gets states, and effects with them. */
  get #sendsEffects(): boolean {
    return this.#effects.isUsed && (this.#settings.down === "states" || this.#core.hasViewers);
  }

  readonly #emit = (effect: AnyEffect): void => {
    if (this.#sendsEffects) this.#effects.add(effect);
    if (this.#emitsEffects) this.#presenter.emit(effect);
  };

  /** Gives the run the inputs of the next step: those that have arrived, and guesses for the others. */
  #prepare(timing: StepTiming, isPeek: boolean): boolean {
    const run = this.#run;
    const { clients, tick } = this.#core;
    const { packing, players } = this.simulation;
    const width = packing.words;
    const { seats } = this.#settings;
    if (seats.length > 0) {
      const words = this.#sampler.sample(tick, isPeek, timing);
      if (this.#core.isDisposed) return false;
      for (let i = 0; i < seats.length; i++)
        for (let word = 0; word < width; word++)
          this.#words[seats[i]! * width + word] = words[i * width + word]!;
    }
    if (this.#lockstep) this.#takeNext(isPeek);
    else for (const client of clients) if (client.buffer) this.#take(client, tick, isPeek);
    for (let seat = 0; seat < players; seat++) {
      const isAbsent = this.#seats.owners[seat] === undefined;
      run.absent[seat] = isAbsent ? 1 : 0;
      if (isAbsent) this.#words.fill(0, seat * width, (seat + 1) * width);
    }
    run.commands = this.#messages.commandsAt(tick, isPeek);
    return true;
  }

  /** Takes the inputs of a client for a tick out of its buffer, or predicts them. */
  #take({ buffer, seats }: ServerClient, tick: number, isPeek: boolean): void {
    const width = this.simulation.packing.words;
    const last = buffer!.readLast(tick, this.#row);
    if (last < tick && !isPeek && buffer!.hasBegun) buffer!.missing++;
    const age = tick - last;
    const isForgotten = last < 0 || (!this.#predictor.isActive && age * this.#core.tickMs > REPEAT_MS);
    for (let i = 0; i < seats.length; i++) {
      const at = seats[i]! * width;
      for (let word = 0; word < width; word++)
        this.#words[at + word] = isForgotten ? 0 : this.#row[i * width + word]!;
      if (age > 0) this.#predictor.predict(seats[i]!, tick, age);
    }
  }

  /** Takes the next change of each client's inputs. One that is silent does nothing. */
  #takeNext(isPeek: boolean): void {
    const { clients } = this.#core;
    const width = this.simulation.packing.words;
    const silentSince = this.#core.now() - SILENT_MS;
    for (let index = 0; index < clients.length; index++) {
      const { queue, seats, connection } = clients[index]!;
      if (!queue) continue;
      if (!isPeek) queue.advance();
      const isSilent = connection.heardAt < silentSince;
      for (let i = 0; i < seats.length; i++)
        for (let word = 0; word < width; word++)
          this.#words[seats[i]! * width + word] = isSilent ? 0 : queue.row[i * width + word]!;
    }
  }

  /** Keeps what the step has seen, bots included, for clients. */
  #logStep(tick: number): void {
    const { log } = this.#core;
    const { words, absent, commands } = this.#run;
    const width = this.simulation.packing.words;
    for (let seat = 0; seat < absent.length; seat++) {
      log.writeSeat(tick, seat, words, seat * width);
      log.setAbsent(tick, seat, absent[seat] === 1);
    }
    if (commands.length > 0) log.setCommands(tick, ALL_SEATS, commands);
  }

  /** Handles the network without stepping. `advance` does it too: call it only while no loop runs. */
  poll(): void {
    this.#requireAlive();
    const now = this.#core.now();
    if (now - this.#checkedAt < CHECK_EVERY) return;
    this.#checkedAt = now;
    this.#door.poll(now);
    this.#core.log.dropBefore(this.tick - 1024);
  }

  // What hosts do

  /** Adds a link to a client, at any time. */
  connect(link: Link): void {
    this.#requireAlive();
    requireLink("ServerSession.connect: link", link);
    this.#door.open(link);
  }

  /** Issues a command in the name of one of the server's own seats. */
  readonly command: IssueCommand<C> = (name, ...rest) => {
    this.#requireAlive();
    const [values, options] = rest;
    const { seats } = this.#settings;
    const player = options?.player ?? seats[0];
    if (player === undefined || !seats.includes(player))
      badValue(
        "Session.command: player",
        seats.length > 0 ? `a seat of the server: ${seats.join(", ")}` : "a seat, but the server has none",
        player,
        seats[0] ?? "serverSession(game, { seats: [0] })",
      );
    const bytes = this.simulation.commands.encode(
      name,
      values as Readonly<Record<string, unknown>> | undefined,
      "Session.command",
    );
    this.#messages.schedule(this.tick, [{ player, bytes }] satisfies PackedCommand[]);
  };

  /** Sends a message outside the simulation to all clients, or to one: chat, or a result. Up to 64 KB. */
  send(bytes: Uint8Array, to?: number): void {
    this.#requireAlive();
    this.#messages.send(bytes, to);
  }

  /** Stops the game for everybody. The server still answers clients. */
  pause(): void {
    this.#setPaused(true);
  }

  /** Goes on after `pause`. */
  resume(): void {
    this.#setPaused(false);
  }

  #setPaused(isPaused: boolean): void {
    this.#requireAlive();
    if (this.#core.isPaused === isPaused) return;
    this.#core.isPaused = isPaused;
    this.#door.tellNews();
  }

  /** Removes a client. It cannot come back with the same token. */
  kick(id: number, reason = "kicked"): void {
    this.#requireAlive();
    const client = this.#core.clients.find((one) => one.id === id);
    if (!client) return badValue("Session.kick: id", "the id of a client", id, "session.net.clients[0].id");
    this.#door.kick(client, reason);
  }

  /**
   * Returns the game as it is now, to continue it in another program: `serverSession(game, { from: server.handover() })`. It contains
   * the tokens of the players, who get their seats back: keep it secret.
   */
  handover(): Uint8Array {
    return handoverBytes({ seed: this.seed, state: this.bytes(), kept: this.seatTokens });
  }

  /** @internal Whose seats another server must keep, if it continues this game. */
  get seatTokens(): readonly KeptSeats[] {
    return this.#seats.tokens;
  }

  /** Ends the game, or hands it over, and closes all links. */
  leave(): void {
    this.dispose();
  }

  dispose(): void {
    if (this.#core.isDisposed) return;
    this.#run.requireIdle("Session.dispose");
    this.#confirmedEvent.keepState();
    this.#door.close();
    this.#core.isDisposed = true;
    this.#run.dispose();
  }

  #requireAlive(): void {
    this.#run.requireIdle("Session");
    if (this.#sampler.isSampling)
      misuse("reentrant", "Session", "cannot be used inside `inputs`", "Call it before or after advance()");
    if (this.#core.isDisposed) misuse("disposed", "Session", "already disposed", "Create a new one");
  }
}

/**
 * Runs a game as the authority over clients: it keeps its own time, takes their inputs as they arrive, and never waits. A player may
 * host one in a page, with `seats`.
 */
export function serverSession<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number,
  C extends CommandFields,
>(
  simulation: Simulation<S, I, E, X, P, C>,
  options: ServerOptions<I, S, E> = {},
): ServerSession<S, I, E, X, P, C> {
  requireOptions(CALL, options, SERVER_OPTIONS, "{ links: [link] }");
  return new ServerSession(simulation, options);
}
