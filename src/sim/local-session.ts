import { misuse, requireNumber, requireOptions, requireWhole } from "../errors/index.js";
import type { InputFields, StepTiming } from "../input/index.js";
import {
  LIVE,
  type Difference,
  type Fields,
  type Hash,
  type ReadonlyWorld,
  type State,
  type WorldJson,
} from "../state/index.js";
import { bytesOf, readBytes } from "./bytes.js";
import {
  inOrder,
  MAX_COMMANDS,
  NO_COMMANDS,
  requirePlayer,
  type CommandArguments,
  type CommandFields,
  type CommandOptions,
  type PackedCommand,
} from "./commands.js";
import { ConfirmedEvent } from "./confirmed-event.js";
import type { AnyEffect, Effect, EffectFields } from "./effects.js";
import { externalDifferences, type ExternalStates } from "./external.js";
import { sizeOf } from "./history.js";
import { InputSampler, NO_FRAME, type InputsFrom } from "./input-sampler.js";
import { LateWrites } from "./late-writes.js";
import { LOCAL_OPTIONS, type LocalOptions } from "./local-options.js";
import { Presenter, type Present } from "./presenter.js";
import { requireRate } from "./require-rate.js";
import { Rewind } from "./rewind.js";
import { Run } from "./run.js";
import { SESSION_EVENTS, type Advance, type Session, type SessionEvents } from "./session.js";
import { SessionListeners } from "./session-listeners.js";
import { requireSimulation, type Simulation } from "./simulation.js";
import type { Tape } from "./tape.js";
import { Timeline } from "./timeline.js";
import { WorldWatch } from "./world-watch.js";

const COMMAND_OPTIONS = Object.keys({ player: 1 } satisfies Record<keyof CommandOptions, 1>);

/* oxlint-disable typescript/no-explicit-any -- There is no other type that all sessions fit. */
/** Runs a simulation in this thread, with all players in one place. With a history, it can seek and rewind. */
export class LocalSession<
  S extends Fields = any,
  I extends InputFields = any,
  E extends EffectFields = any,
  X extends ExternalStates = any,
  P extends number = any,
  C extends CommandFields = any,
> implements Session<ReadonlyWorld<S>, Effect<E>> {
  /* oxlint-enable typescript/no-explicit-any */
  readonly simulation: Simulation<S, I, E, X, P, C>;
  readonly #run: Run<S>;
  readonly #options: LocalOptions<I, P>;
  readonly #presenter: Presenter<S>;
  readonly #timeline: Timeline | undefined;
  readonly #rewind: Rewind | undefined;
  readonly #sampler: InputSampler<I, P>;
  readonly #listeners = new SessionListeners<SessionEvents<Effect<E>>>(SESSION_EVENTS);
  readonly #confirmedEvent: ConfirmedEvent;
  /** Only with a guard. */
  readonly #worldWatch: WorldWatch | undefined;
  /** Set once a step was rejected for returning a promise. */
  #lateWrites: LateWrites | undefined;
  /** The commands that wait for the next step, in order of the players. */
  #waiting: readonly PackedCommand[] = NO_COMMANDS;
  /** Replaces them while a recording is played. */
  #tape: Tape | undefined;
  /** Whether effects were ever listened to. */
  #hasEffectListener = false;
  /** Effects of a headless session are being delivered. */
  #isDelivering = false;
  #isDisposed = false;
  /** A step threw, and its external state could not be restored. */
  #isBroken = false;

  /** @internal Use `localSession`. */
  constructor(simulation: Simulation<S, I, E, X, P, C>, options: LocalOptions<I, P>) {
    requireSimulation("localSession", simulation);
    const { history, inputs, present, guard } = options;
    const size = history === undefined ? undefined : sizeOf(history, simulation);
    const { rate } = simulation;
    this.simulation = simulation;
    this.#options = options;
    this.#sampler = new InputSampler<I, P>("localSession: inputs", simulation, inputs);
    const snapshots = Presenter.snapshots + (size ? Timeline.snapshots(size) : 0);
    const run = new Run<S>(simulation, guard ? snapshots + 1 : snapshots, options);
    this.#run = run;
    try {
      this.#presenter = new Presenter("localSession", run, rate[1] / rate[0], {
        present,
        deliver: (effect: AnyEffect) => this.#listeners.emit("effect", effect as Effect<E>),
        speculate: () => this.#speculate(),
      });
      this.#worldWatch = guard && new WorldWatch(run, snapshots);
      this.#timeline = size && new Timeline(run, simulation, Presenter.snapshots, size);
      this.#rewind = this.#timeline && new Rewind(run, this.#timeline);
    } catch (error) {
      run.dispose();
      throw error;
    }
    this.#confirmedEvent = new ConfirmedEvent(run, this, (confirmed) =>
      this.#listeners.emit("confirmed", confirmed),
    );
  }

  get tick(): number {
    return this.#run.tick;
  }
  /** The same as `tick`: nothing is predicted here. */
  get confirmed(): number {
    return this.#run.tick;
  }
  /** Always 1: a local session has no peers to keep up with. */
  get pace(): number {
    return 1;
  }
  get present(): Present {
    return this.#presenter.present;
  }
  get seed(): number | string {
    return this.#options.seed ?? 0;
  }
  get world(): ReadonlyWorld<S> {
    this.#lateWrites?.restore();
    return this.#run.world as ReadonlyWorld<S>;
  }
  /** How the session copies, blends and hashes states. */
  get kernels(): "wasm" | "js" {
    return this.#run.state.kernels;
  }
  /** The oldest state in the history. */
  get first(): number {
    return this.#timeline?.first ?? this.tick;
  }
  /** The newest state in the history. */
  get last(): number {
    return this.#timeline?.last ?? this.tick;
  }
  get rewinding(): boolean {
    return this.#rewind !== undefined && this.#rewind.isOn;
  }
  /** Bytes of all states that the session keeps. */
  get memory(): number {
    const { state } = this.#run;
    return state.layout.size * (state.snapshots + 1);
  }
  /** Effects that were discarded, as more than 10,000 waited for a `view` that was never drawn. */
  get lostEffects(): number {
    return this.#presenter.effects.lost;
  }

  hash(out?: [number, number]): Hash {
    this.#lateWrites?.restore();
    return this.#run.hash(out);
  }

  /** Returns the world as plain objects and arrays. */
  toJSON(): WorldJson<S> {
    this.#lateWrites?.restore();
    return this.#run.state.toJSON();
  }

  on<N extends keyof SessionEvents<Effect<E>>>(
    event: N,
    listener: (info: SessionEvents<Effect<E>>[N]) => void,
  ): () => void {
    if (this.#isDisposed) this.#rejectDisposed();
    const off = this.#listeners.on(event, listener);
    this.#hasEffectListener ||= event === "effect";
    return off;
  }

  /** Takes one step; or goes back, while the session rewinds. */
  advance(timing: StepTiming = NO_FRAME): Advance {
    this.#requireUsable();
    requireRate(this.simulation);
    const rewind = this.#rewind;
    if (rewind === undefined || !rewind.isOn)
      return this.#step(timing, this.#hasEffectListener) ? "stepped" : "ended";
    this.#seek(Math.floor(rewind.next));
    rewind.move();
    return "rewound";
  }

  /** Runs `ticks` steps without emitting effects. */
  skip(ticks: number): void {
    this.#requireUsable();
    requireWhole("Session.skip: ticks", ticks, 0, 60);
    this.#rewind?.stop();
    // Effects that no frame has shown yet would be delivered at the wrong place.
    if (ticks > 0) this.#presenter.effects.discardFrom(0);
    // A listener may dispose or rewind the session.
    for (let i = 0; i < ticks && !this.#isDisposed && !this.rewinding; i++) this.#step(NO_FRAME, false);
  }

  /** Takes one step. Returns false if the session was disposed while it asked for inputs. */
  #step(timing: StepTiming, emitsEffects: boolean): boolean {
    if (this.#confirmedEvent.isEmitting || this.#isDelivering) this.#rejectStep();
    const run = this.#run;
    const { tick } = run;
    run.words.set(this.#sampler.sample(tick, false, timing));
    if (this.#isDisposed) return false;
    this.#worldWatch?.check();
    this.#presenter.beforeStep();
    this.#timeline?.beforeStep();
    this.#prepare(tick);
    // Also if the step throws: a command that makes it throw would otherwise stop the session for good.
    this.#waiting = NO_COMMANDS;
    try {
      if (emitsEffects) run.step(this.#presenter.emit);
      else run.step();
    } catch (error) {
      run.commands = NO_COMMANDS;
      this.#undoStep(tick);
      this.#catchLateWrites();
      throw error;
    }
    this.#timeline?.afterStep();
    this.#worldWatch?.keep();
    this.#lateWrites?.keep();
    this.#confirmedEvent.emit(tick, run);
    run.commands = NO_COMMANDS;
    if (this.present === "none") this.#deliverHeadless(run.tick);
    return true;
  }

  /** Gives the run the commands and the absent seats of its next step. */
  #prepare(tick: number): void {
    const run = this.#run;
    const tape = this.#tape;
    run.commands = tape === undefined ? this.#waiting : tape.commandsAt(tick);
    if (tape === undefined) run.absent.fill(0);
    else tape.absentAt(tick, run.absent);
  }

  #rejectStep(): never {
    const listener = this.#confirmedEvent.isEmitting
      ? 'a "confirmed" listener'
      : 'an "effect" listener of a headless session';
    return misuse("reentrant", "Session", `cannot step inside ${listener}`, "Step after advance() returns");
  }

  /** Delivers effects right after the step. A listener that steps could recurse without bound. */
  #deliverHeadless(tick: number): void {
    this.#isDelivering = true;
    try {
      this.#presenter.deliverHeadless(tick);
    } finally {
      this.#isDelivering = false;
    }
  }

  /** Runs one step that the presenter throws away. */
  #speculate(): boolean {
    const run = this.#run;
    run.words.set(this.#sampler.sample(run.tick, true, NO_FRAME));
    if (this.#isDisposed) return false;
    // The commands still wait: the next step executes them for good.
    this.#prepare(run.tick);
    try {
      run.step();
    } finally {
      run.commands = NO_COMMANDS;
    }
    return true;
  }

  /** @internal The states of the session: a thread that simulates for another one publishes them. */
  get state(): State<S> {
    return this.#run.state;
  }

  /** @internal Where a rewind is, in ticks with a fraction; NaN while the session plays forward. */
  get rewindCursor(): number {
    return this.rewinding ? this.#rewind!.cursor : NaN;
  }

  /** @internal Steps ahead with the newest inputs, and takes that back. Returns the snapshot that holds the next state, until the next call; -1 if disposed. */
  speculateAside(): number {
    this.#requireUsable();
    return this.#presenter.speculateAside();
  }

  /** @internal Blends the picture of a rewind, where its last move ended. Returns the snapshot that holds it, until the next call. */
  rewindAside(): number {
    this.#requireUsable();
    return this.#presenter.rewindAside(this.#rewind!);
  }

  /** Accepts a state that no step led to. */
  #restart(): void {
    this.#waiting = NO_COMMANDS;
    this.#presenter.restart();
    this.#worldWatch?.keep();
    this.#lateWrites?.keep();
  }

  /** Rolls back a step that threw. */
  #undoStep(tick: number): void {
    this.#presenter.effects.discardFrom(tick);
    this.#presenter.undoStep();
    if (!this.#run.hasExternal) return;
    this.#isBroken = true;
    if (!this.#timeline) return;
    this.#timeline.ringAt(tick).load(tick);
    this.#isBroken = false;
  }

  /** Undoes later writes of a step that was rejected for returning a promise. */
  #catchLateWrites(): void {
    const { stray } = this.#run;
    if (!stray) return;
    this.#run.stray = undefined;
    this.#lateWrites ??= new LateWrites(this.simulation, this.#run);
    this.#lateWrites.add(stray);
    if (this.#isBroken) this.#lateWrites.forget();
    else this.#lateWrites.keep();
  }

  /** Takes inputs from another source from now on. */
  setInputs(inputs: InputsFrom<I, P>): void {
    this.#sampler.setSource("Session.setInputs: inputs", inputs);
  }

  /** @internal Takes commands and absent seats from a recording from now on; or, without one, from `command`. */
  setTape(tape: Tape | undefined): void {
    this.#tape = tape;
    this.#waiting = NO_COMMANDS;
  }

  /**
   * Issues a command, which the next step executes: `session.command("build", { x: 7, y: 3 })`. A seek, a rewind or a load
   * discards commands that are still waiting.
   */
  command<K extends keyof C & string>(
    name: K,
    ...values: {} extends C[K]
      ? [values?: CommandArguments<C[K]>, options?: CommandOptions]
      : [values: CommandArguments<C[K]>, options?: CommandOptions]
  ): void {
    const [fields, options = {}] = values as [
      Record<string, unknown> | undefined,
      CommandOptions | undefined,
    ];
    this.#requireUsable();
    requireOptions("Session.command", options, COMMAND_OPTIONS, "{ player: 1 }");
    const { commands, players } = this.simulation;
    const { player = 0 } = options;
    requirePlayer("Session.command: player", player, players);
    this.issue({ player, bytes: commands.encode(name, fields, "Session.command") });
  }

  /** @internal Issues a command that is encoded already. */
  issue(command: PackedCommand): void {
    if (this.#waiting.length >= MAX_COMMANDS)
      misuse(
        "not-ready",
        "Session.command",
        `${MAX_COMMANDS} commands already wait for the next step`,
        "Step the session, or put more into one command",
      );
    this.#waiting = inOrder([...this.#waiting, command]);
  }

  view(alpha: number): ReadonlyWorld<S> {
    this.#requireUsable();
    const rewind = this.#rewind;
    try {
      const view =
        rewind !== undefined && rewind.isOn
          ? this.#presenter.viewRewind(rewind, alpha)
          : this.#presenter.view(alpha, this.tick);
      return view as ReadonlyWorld<S>;
    } finally {
      this.#catchLateWrites();
    }
  }

  /** Goes to a state in the history. The next step continues from there, into another future. */
  seek(tick: number): void {
    this.#requireUsable();
    this.#requireHistory("Session.seek").require("Session.seek", tick);
    this.#seek(tick);
    this.#rewind?.stop();
  }

  /** Goes back by `speed` ticks, which may be a fraction, in each `advance` until `endRewind`. Stops at the oldest state. */
  rewind(speed = 1): void {
    this.#requireUsable();
    this.#requireHistory("Session.rewind");
    requireNumber("Session.rewind: speed", speed, 1e-6, 1e6, 1);
    this.#rewind!.start(speed);
  }

  /** Plays forward again, from the current state. */
  endRewind(): void {
    this.#requireUsable();
    if (!this.rewinding) return;
    this.#seek(this.tick);
    this.#rewind!.stop();
  }

  #seek(tick: number): void {
    this.#confirmedEvent.keepState();
    this.#timeline!.ringAt(tick, Presenter.spare).load(tick);
    this.#restart();
    this.#presenter.effects.discardFrom(tick);
  }

  /** Returns the whole state as bytes, with the name, version and layout of the simulation. */
  bytes(): Uint8Array<ArrayBuffer> {
    this.#requireUsable();
    return bytesOf(this.simulation, this.#run, true);
  }

  /** Loads a state that `bytes` returned. Throws, and loads nothing, if it is damaged or of another simulation or version. */
  load(bytes: Uint8Array): void {
    this.#requireAlive();
    this.#confirmedEvent.keepState();
    readBytes(this.simulation, this.#run, bytes);
    this.#isBroken = false;
    this.#restart();
    this.#presenter.effects.discardFrom(0);
    this.#timeline?.restart();
    this.#rewind?.stop();
    this.#listeners.emit("load", { tick: this.tick });
  }

  /**
   * Compares a state that `bytes` returned (`a`) with this one (`b`). Returns the first `max` fields that differ, and the
   * external states whose hashes differ.
   */
  diff(bytes: Uint8Array, max = 20): Difference[] {
    this.#requireUsable();
    requireWhole("Session.diff: max", max, 0, 20);
    const run = this.#run;
    const now = run.externalHashes();
    run.save(Presenter.spare);
    readBytes(this.simulation, run, bytes, "Session.diff");
    try {
      const differences = run.state.diff(LIVE, Presenter.spare, max);
      return [...differences, ...externalDifferences(run.externalHashes(), now)].slice(0, max);
    } finally {
      run.load(Presenter.spare);
    }
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#run.requireIdle("Session.dispose");
    this.#confirmedEvent.keepState();
    this.#isDisposed = true;
    this.#lateWrites?.forget();
    this.#run.dispose();
  }

  #requireAlive(): void {
    this.#run.requireIdle("Session");
    if (this.#sampler.isSampling)
      misuse("reentrant", "Session", "cannot be used inside `inputs`", "Call it before or after advance()");
    if (this.#isDisposed) this.#rejectDisposed();
    this.#lateWrites?.restore();
  }

  #rejectDisposed(): never {
    return misuse("disposed", "Session", "already disposed", "Create a new one");
  }

  #requireUsable(): void {
    this.#requireAlive();
    if (this.#isBroken)
      misuse(
        "step-failed",
        "Session",
        "the last step threw and its external state cannot be restored",
        "Call load(bytes), or enable history",
      );
  }

  #requireHistory(call: string): Timeline {
    return (
      this.#timeline ??
      misuse(
        "not-ready",
        call,
        "this session keeps no history",
        "Create it with { history: { seconds: 10 } }",
      )
    );
  }
}

/** Runs a simulation in this thread. Start here: with `play` or `drive`, a loop steps and draws it. */
export function localSession<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number,
  C extends CommandFields,
>(
  simulation: Simulation<S, I, E, X, P, C>,
  options: LocalOptions<I, P> = {},
): LocalSession<S, I, E, X, P, C> {
  requireOptions("localSession", options, LOCAL_OPTIONS, "{ seed: 7 }");
  return new LocalSession(simulation, options);
}
