// A session that predicts, stalls and resimulates: the second player's inputs and commands arrive late. It has all that rollback needs,
// except a network.
import type { StepTiming } from "../../src/input/index.js";
import { bytesOf } from "../../src/sim/bytes.js";
import type { PackedCommand } from "../../src/sim/commands.js";
import type { Effect } from "../../src/sim/index.js";
import { InputLog } from "../../src/sim/input-log.js";
import { Presenter, type Present } from "../../src/sim/presenter.js";
import { Run } from "../../src/sim/run.js";
import {
  SESSION_EVENTS,
  type Advance,
  type ConfirmedTick,
  type Session,
  type SessionEvents,
} from "../../src/sim/session.js";
import { SessionListeners } from "../../src/sim/session-listeners.js";
import { SnapshotRing } from "../../src/sim/snapshot-ring.js";
import type { Hash } from "../../src/state/index.js";
import type { ViewOf } from "../../src/sim/index.js";
import { jumpsOf, tug } from "./tug.js";

type View = ViewOf<typeof tug>;
type TugEffect = Effect<NonNullable<typeof tug.options.effects>>;

const REMOTE = 1;

export interface PredictingOptions {
  readonly input: (player: number, tick: number) => number;
  /** How many calls of `advance` after its tick a remote input arrives. */
  readonly delay: (tick: number) => number;
  /** Ticks that may be predicted. */
  readonly window: number;
  readonly present?: Present;
  /** When each effect is delivered. */
  readonly when?: (name: string) => "shown" | "confirmed";
}

export class PredictingSession implements Session<View, TugEffect> {
  readonly simulation = tug;
  readonly seed = 0;
  readonly #options: PredictingOptions;
  readonly #run: Run<(typeof tug)["layout"]["fields"]>;
  readonly #presenter: Presenter<(typeof tug)["layout"]["fields"]>;
  readonly #states: SnapshotRing;
  readonly #inputs: InputLog;
  readonly #listeners = new SessionListeners<SessionEvents<TugEffect>>(SESSION_EVENTS);
  readonly #words = new Uint32Array(2);
  readonly #guess = new Uint32Array(1);
  #calls = 0;
  #confirmed = 0;
  /** Remote inputs are known for all ticks before this one. */
  #known = 0;
  /** Steps that were taken again. */
  resimulated = 0;

  constructor(options: PredictingOptions) {
    const { window, present, when } = options;
    this.#options = options;
    this.#run = new Run(tug, Presenter.snapshots + window + 2);
    this.#presenter = new Presenter("predicting", this.#run, 1 / 60, {
      present,
      when,
      deliver: (effect) => this.#listeners.emit("effect", effect as TugEffect),
      speculate: () => {
        this.#readInputs(this.#run.tick);
        this.#run.step();
        return true;
      },
    });
    this.#states = new SnapshotRing(this.#run, Presenter.snapshots, window + 2);
    this.#inputs = new InputLog(2, 1, window + 2);
    this.#states.save();
  }

  get tick() {
    return this.#run.tick;
  }
  get confirmed() {
    return this.#confirmed;
  }
  /** Slows down while it is far ahead of what is certain. */
  get pace() {
    return this.tick - this.#confirmed > this.#options.window / 2 ? 0.95 : 1;
  }
  get present() {
    return this.#presenter.present;
  }
  get world() {
    return this.#run.world as View;
  }

  advance(_timing?: StepTiming): Advance {
    const run = this.#run;
    this.#calls += 1;
    this.#receive();
    this.#confirm();
    if (run.tick - this.#confirmed >= this.#options.window) {
      this.#presenter.stall();
      return "stalled";
    }
    this.#guessInputs(run.tick);
    this.#step();
    // An input that was known in advance makes its tick certain at once.
    this.#confirm();
    return "stepped";
  }

  /** Takes the inputs that have arrived, and resimulates from the first tick that was predicted wrongly. */
  #receive(): void {
    const { input, delay } = this.#options;
    const run = this.#run;
    let wrong = Infinity;
    while (this.#known < run.tick && this.#known + delay(this.#known) < this.#calls) {
      const tick = this.#known++;
      this.#words[0] = input(REMOTE, tick);
      // Nobody expects a command.
      if (this.#inputs.writePlayer(tick, REMOTE, this.#words) || jumpsOf(REMOTE, tick).length > 0)
        wrong = Math.min(wrong, tick);
    }
    if (wrong === Infinity) return;
    const newest = run.tick;
    this.#presenter.effects.beginResimulation(wrong);
    this.#states.load(wrong);
    while (run.tick < newest) {
      this.#guessInputs(run.tick);
      this.#step();
      this.resimulated += 1;
    }
    this.#presenter.effects.endResimulation((effect) =>
      this.#listeners.emit("withdrawn", effect as TugEffect),
    );
  }

  /** Predicts that the remote player goes on as in the last known tick. */
  #guessInputs(tick: number): void {
    this.#words[0] = this.#options.input(0, tick);
    this.#inputs.writePlayer(tick, 0, this.#words);
    if (tick < this.#known) return;
    this.#guess[0] = 0;
    if (this.#known > 0) this.#inputs.readPlayer(this.#known - 1, REMOTE, this.#guess);
    this.#inputs.writePlayer(tick, REMOTE, this.#guess);
  }

  #readInputs(tick: number): void {
    this.#inputs.read(tick, this.#run.words);
    this.#run.commands = this.#commandsOf(tick);
  }

  #commandsOf(tick: number): readonly PackedCommand[] {
    return tick < this.#known ? [...jumpsOf(0, tick), ...jumpsOf(REMOTE, tick)] : jumpsOf(0, tick);
  }

  #step(): void {
    this.#readInputs(this.#run.tick);
    this.#presenter.beforeStep();
    this.#run.step(this.#presenter.emit);
    this.#states.save();
  }

  #confirm(): void {
    while (this.#confirmed < Math.min(this.#known, this.#run.tick)) {
      const tick = this.#confirmed++;
      this.#inputs.read(tick, this.#words);
      const after = <T>(read: () => T): T => this.#states.read(tick + 1, Presenter.spare, read);
      const confirmed: ConfirmedTick = {
        tick,
        words: this.#words,
        commands: this.#commandsOf(tick),
        absent: this.#run.absent,
        hash: (out) => after(() => this.#run.hash(out)),
        bytes: () => after(() => this.bytes()),
      };
      this.#listeners.emit("confirmed", confirmed);
    }
    this.#presenter.deliverHeadless(this.#confirmed);
  }

  view(alpha: number) {
    return this.#presenter.view(alpha, this.#confirmed) as View;
  }
  hash(out?: [number, number]): Hash {
    return this.#run.hash(out);
  }
  bytes() {
    return bytesOf(tug, this.#run, true);
  }
  on<N extends keyof SessionEvents<TugEffect>>(
    event: N,
    listener: (info: SessionEvents<TugEffect>[N]) => void,
  ) {
    return this.#listeners.on(event, listener);
  }
  dispose() {
    this.#run.dispose();
  }
}
