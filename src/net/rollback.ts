import { LIVE, type Difference, type Fields, type Hash } from "../state/index.js";
import { bytesOf, readBytes } from "../sim/bytes.js";
import { NO_COMMANDS, type PackedCommand } from "../sim/commands.js";
import type { AnyEffect } from "../sim/effects.js";
import { Presenter, type PresenterOptions } from "../sim/presenter.js";
import { Run, type RunOptions } from "../sim/run.js";
import type { AnySimulation, ConfirmedTick } from "../sim/index.js";
import { SnapshotRing } from "../sim/snapshot-ring.js";
import { LOG_TICKS, SeatLog } from "./seat-log.js";

export interface RollbackOptions extends RunOptions {
  /** Ticks that may be predicted. */
  readonly window: number;
  /** Whether anything is ever predicted. Without predictions, few states and inputs are kept. Default true. */
  readonly predicts?: boolean | undefined;
  /** Ticks between two saved states. */
  readonly saveEvery: number;
  readonly presenter: Omit<PresenterOptions, "speculate">;
  /** Writes the inputs of the seats that are not known in a tick, and which seats are absent. */
  guess(tick: number): void;
  /** Called with effects that were delivered but did not happen. */
  withdraw(effect: AnyEffect): void;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Fields that are listed when a loaded state differs. */
const MAX_DIFFERENCES = 20;
/** States that are kept beyond the window: a tick that is known here is confirmed only once others know it too. */
const CONFIRMATION_ROOM = 80;

/** Ticks of inputs that are kept if nothing is predicted: enough to step again from the last saved state. */
const FEW_LOG_TICKS = 64;

/** Steps a simulation with inputs that may be guesses, and resimulates from the first wrong one. It knows nothing of networks. */
export class Rollback<S extends Fields = Fields> {
  readonly simulation: AnySimulation<S>;
  readonly run: Run<S>;
  readonly presenter: Presenter<S>;
  readonly log: SeatLog;
  readonly #options: RollbackOptions;
  readonly #states: SnapshotRing;
  readonly #saveEvery: number;
  readonly #capacity: number;
  readonly #confirmedInfo: Mutable<ConfirmedTick>;
  /** The first tick that was stepped with wrong inputs. */
  #wrong = Infinity;
  /** The newest state that is certain. */
  confirmed = 0;
  /** Whether effects are kept for listeners. */
  emitsEffects = false;
  /** Steps that were taken again, how often, and the first and last tick of the last time. */
  resimulatedTicks = 0;
  rollbacks = 0;
  lastRollback = { first: 0, last: 0 };
  /** The tick whose state a listener of `confirmed` may read. */
  #readable = 0;
  #isConfirming = false;
  /** Hashes of a state before and after another one was written over it. */
  readonly #before: [number, number] = [0.5, 0.5];
  readonly #after: [number, number] = [0.5, 0.5];

  constructor(call: string, simulation: AnySimulation<S>, options: RollbackOptions) {
    const { window, saveEvery, presenter, predicts = true } = options;
    const { rate, players, packing } = simulation;
    // The states between two saved ones are resimulated, from one more saved state.
    const room = predicts ? window + CONFIRMATION_ROOM : 1;
    this.#capacity = Math.ceil(room / saveEvery) + 2;
    this.#saveEvery = saveEvery;
    this.#options = options;
    this.simulation = simulation;
    this.run = new Run<S>(simulation, Presenter.snapshots + this.#capacity, options, call);
    try {
      this.presenter = new Presenter(call, this.run, rate[1] / rate[0], {
        ...presenter,
        speculate: () => {
          this.#prepare(this.run.tick);
          this.run.step();
          return true;
        },
      });
      this.#states = new SnapshotRing(this.run as Run, Presenter.snapshots, this.#capacity, saveEvery);
    } catch (error) {
      this.run.dispose();
      throw error;
    }
    this.log = new SeatLog(simulation, predicts ? LOG_TICKS : FEW_LOG_TICKS);
    this.#states.save();
    this.#confirmedInfo = {
      tick: 0,
      words: new Uint32Array(players * packing.words),
      absent: new Uint8Array(players),
      commands: NO_COMMANDS,
      hash: (out) => this.hashAt(this.#readable, out),
      bytes: () => this.bytesAt(this.#readable),
    };
  }

  get tick(): number {
    return this.run.tick;
  }

  /** The tick of the `confirmed` event that is being emitted; otherwise the next tick. */
  get shownStep(): number {
    return this.#isConfirming ? this.#readable - 1 : this.run.tick;
  }

  /** How many states the run may be ahead of the confirmed one. */
  get maxAhead(): number {
    return (this.#capacity - 2) * this.#saveEvery;
  }

  /** The run's snapshot with the newest certain state that is saved; -1 if there is none. */
  get certain(): number {
    const tick = this.#savedBefore(this.confirmed);
    return tick < 0 ? -1 : this.#states.at(tick);
  }

  /** Bytes of all states that are kept. */
  get memory(): number {
    const { state } = this.run;
    return state.layout.size * (state.snapshots + 1);
  }

  /** Notes that the inputs of a tick have changed. */
  invalidate(tick: number): void {
    // What is confirmed stays as it is.
    const first = Math.max(tick, this.confirmed);
    if (first < this.#wrong && first < this.run.tick) this.#wrong = first;
  }

  /** The newest state that follows from the inputs as they are known now. */
  get correctUntil(): number {
    return Math.min(this.#wrong, this.run.tick);
  }

  /** Resimulates from the first tick that was stepped with wrong inputs. Returns how many ticks. */
  correct(): number {
    const { run } = this;
    const newest = run.tick;
    if (this.#wrong >= newest) return 0;
    const first = this.#savedBefore(this.#wrong);
    this.lastRollback.first = this.#wrong;
    this.lastRollback.last = newest - 1;
    this.#states.load(first);
    this.#resimulateTo(newest);
    return newest - first;
  }

  /**
   * Takes over the state of a tick from elsewhere, which is certain, and simulates again what follows. `write` writes it over the own
   * state of that tick, `prepare` is called before the next steps. Returns whether it differs from the own one.
   */
  rebase(tick: number, write: () => void, prepare: (tick: number) => void): boolean {
    const { run } = this;
    const newest = run.tick;
    const { effects } = this.presenter;
    const isHeld = tick <= newest && this.#states.has(tick);
    if (!isHeld) {
      // Ahead of us, or too old to go on from here: nothing of what we have follows from it.
      write();
      effects.beginResimulation(tick);
      effects.endResimulation(this.#options.withdraw);
      this.#restartAt();
      prepare(run.tick);
      return true;
    }
    run.save(Presenter.spare);
    this.#states.load(tick);
    run.hash(this.#before);
    write();
    run.hash(this.#after);
    this.confirmed = tick;
    prepare(tick);
    const isSame = this.#before[0] === this.#after[0] && this.#before[1] === this.#after[1];
    if (isSame && this.#wrong >= newest) {
      run.load(Presenter.spare);
      return false;
    }
    this.lastRollback.first = tick;
    this.lastRollback.last = newest - 1;
    this.#states.save();
    this.#resimulateTo(newest);
    return true;
  }

  /** Takes over which effects the ticks from `first` to before `end` had. */
  settleEffects(first: number, end: number, effects: readonly AnyEffect[]): void {
    this.presenter.effects.settle(first, end, effects, this.#options.withdraw);
  }

  /** Delivers the effects of a session without a picture, up to the confirmed state. */
  deliverHeadless(): void {
    this.presenter.deliverHeadless(this.confirmed);
  }

  /** Takes the steps from the current tick up to `newest` again. */
  #resimulateTo(newest: number): void {
    const { run, presenter } = this;
    const first = run.tick;
    presenter.effects.beginResimulation(first);
    try {
      while (run.tick < newest) this.step();
    } finally {
      this.#wrong = Infinity;
      presenter.effects.endResimulation(this.#options.withdraw);
    }
    this.rollbacks++;
    this.resimulatedTicks += newest - first;
  }

  /** Takes one step, with guesses for inputs that are not known. */
  step(): void {
    this.#prepare(this.run.tick);
    this.#step();
  }

  #prepare(tick: number): void {
    const { run, log } = this;
    this.#options.guess(tick);
    log.read(tick, run.words, run.absent);
    run.commands = log.commands(tick);
  }

  #step(): void {
    const { run, presenter } = this;
    // The state before the step is in the ring already, except between two that are saved.
    const isSaved = this.#states.has(run.tick);
    presenter.beforeStep(isSaved ? this.#states.at(run.tick) : undefined);
    try {
      if (this.emitsEffects) run.step(presenter.emit);
      else run.step();
    } catch (error) {
      presenter.effects.discardFrom(run.tick);
      presenter.undoStep();
      throw error;
    }
    this.#logBots();
    if (run.tick % this.#saveEvery === 0) this.#states.save();
  }

  /** Logs what the bots of absent seats did in the last step, for recordings. */
  #logBots(): void {
    const { run, log } = this;
    const { words: width } = this.simulation.packing;
    for (let seat = 0; seat < run.absent.length; seat++)
      if (run.absent[seat] === 1) log.writeSeat(run.tick - 1, seat, run.words, seat * width);
  }

  /** Returns the newest saved state at or before a tick. */
  #savedBefore(tick: number): number {
    const saved = tick - (tick % this.#saveEvery);
    return this.#states.has(saved) ? saved : this.#states.nearest(tick);
  }

  /** Confirms all states up to `tick`, in order. The inputs are read only if `needsInputs`. */
  confirmTo(tick: number, emit: (confirmed: ConfirmedTick) => void, needsInputs = true): void {
    const info = this.#confirmedInfo;
    while (this.confirmed < tick) {
      const step = this.confirmed++;
      if (needsInputs) this.log.read(step, info.words, info.absent as Uint8Array);
      info.commands = this.log.commands(step);
      info.tick = step;
      this.#readable = step + 1;
      this.#isConfirming = true;
      try {
        emit(info);
      } finally {
        this.#isConfirming = false;
      }
    }
    this.deliverHeadless();
  }

  /** The oldest state that can be read. */
  get oldest(): number {
    let tick = Math.max(0, this.run.tick - this.maxAhead);
    while (tick < this.run.tick && this.#states.nearest(tick) < 0) tick++;
    return tick;
  }

  /** Calls `read` while the run is in the state of a tick that is kept. */
  readAt<T>(tick: number, read: () => T): T {
    const { run } = this;
    if (tick === run.tick) return read();
    const first = this.#savedBefore(tick);
    run.save(Presenter.spare);
    try {
      this.#states.load(first);
      while (run.tick < tick) {
        this.log.read(run.tick, run.words, run.absent);
        run.commands = this.log.commands(run.tick);
        run.step();
      }
      return read();
    } finally {
      run.load(Presenter.spare);
    }
  }

  hashAt(tick: number, out: [number, number] = [0, 0]): Hash {
    const { run } = this;
    if (tick === run.tick) return run.hash(out);
    // A snapshot can be hashed where it lies.
    if (!run.hasExternal && this.#states.has(tick)) return run.state.hash(this.#states.at(tick), out);
    return this.#hashReadAt(tick, out);
  }

  // A function of its own, as its closure would be allocated on every call of the other.
  #hashReadAt(tick: number, out: [number, number]): Hash {
    return this.readAt(tick, () => this.run.hash(out));
  }

  bytesAt(tick: number): Uint8Array {
    return this.readAt(tick, () => bytesOf(this.simulation, this.run as Run, true));
  }

  /**
   * Loads a state from elsewhere. Throws, and loads nothing, if the bytes are bad. Inputs that are known stay so if `keepsInputs`.
   * Returns how the own state of that tick (`a`) differed, as far as it is held.
   */
  load(call: string, bytes: Uint8Array, keepsInputs: boolean): readonly Difference[] {
    const { run } = this;
    readBytes(this.simulation, run as Run, bytes, call);
    const isHeld = this.#states.has(run.tick);
    const differences = isHeld ? run.state.diff(this.#states.at(run.tick), LIVE, MAX_DIFFERENCES) : [];
    const { effects } = this.presenter;
    if (keepsInputs) effects.restart(this.confirmed, this.#options.withdraw);
    else effects.discardFrom(0);
    this.#restartAt();
    if (!keepsInputs) this.log.clear();
    return differences;
  }

  /** Goes on from the run's state, as it was loaded from elsewhere. */
  #restartAt(): void {
    this.#wrong = Infinity;
    this.confirmed = this.run.tick;
    this.presenter.restart();
    const origin = this.run.tick - (this.run.tick % this.#saveEvery);
    this.#states.clear(origin);
    // Also if its tick is between two that are saved: nothing before it can be resimulated.
    this.#states.save();
  }

  commandsAt(tick: number): readonly PackedCommand[] {
    return this.log.commands(tick);
  }

  dispose(): void {
    this.run.dispose();
  }
}
