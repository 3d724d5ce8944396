import { rateInStep, ListenerList } from "../loop/index.js";
import {
  hashText,
  LIVE,
  type Difference,
  type Fields,
  type Hash,
  type ReadonlyWorld,
  type WorldJson,
} from "../state/index.js";
import {
  badValue,
  nearest,
  requireFunction,
  requireKnownOptions,
  requireNumber,
  requireType,
  requireWhole,
} from "../errors/index.js";
import { type ExactRate } from "../time/index.js";
import { bytesOf, readBytes } from "./bytes.js";
import type { AnyEffect, Effect, EffectFields } from "./effects.js";
import { EffectQueue } from "./effect-queue.js";
import type { InputFields, StepTiming } from "../input/index.js";
import { sizeOf } from "./history.js";
import { ALONE, InputSampler, type InputsFrom } from "./input-sampler.js";
import { LOCAL_OPTIONS, type LocalOptions } from "./local-options.js";
import { externalDifferences, type ExternalStates } from "./external.js";
import { Rewind } from "./rewind.js";
import { Run } from "./run.js";
import type { Session, SessionEvents } from "./session.js";
import { requireSimulation, type Simulation } from "./simulation.js";
import { Strays } from "./strays.js";
import { Timeline } from "./timeline.js";

const PREVIOUS = 0;
const VIEW = 1;
/** The states on both sides of a step that is thrown away; the first is also what the present is kept in. */
const BEFORE = 2;
const AFTER = 3;
const OWN_SNAPSHOTS = 4;

/* oxlint-disable typescript/no-explicit-any -- There is no other type that all sessions fit. */
/** All players in one place: inputs in, a blended view out; and back in time, if it has a history. */
export class LocalSession<
  S extends Fields = any,
  I extends InputFields = any,
  E extends EffectFields = any,
  O extends ExternalStates = any,
> implements Session<ReadonlyWorld<S>, Effect<E>> {
  /* oxlint-enable typescript/no-explicit-any */
  readonly simulation: Simulation<S, I, E, O>;
  readonly #run: Run<S>;
  readonly #options: LocalOptions<I>;
  readonly #timeline: Timeline | undefined;
  readonly #rewind: Rewind | undefined;
  readonly #sampler: InputSampler<I>;
  readonly #dt: number;
  readonly #queue = new EffectQueue();
  readonly #listeners = {
    effect: new ListenerList<Effect<E>>(),
    withdrawn: new ListenerList<Effect<E>>(),
    step: new ListenerList<SessionEvents<Effect<E>>["step"]>(),
    load: new ListenerList<SessionEvents<Effect<E>>["load"]>(),
  };
  readonly #taken: { tick: number; words: Uint32Array } = { tick: 0, words: new Uint32Array(0) };
  readonly #emit = (effect: AnyEffect) => this.#queue.add(effect);
  readonly #tell = (effect: AnyEffect) => this.#listeners.effect.call(effect as Effect<E>);
  /** With a guard, the snapshot of the state as the last step left it. */
  readonly #left: number | undefined;
  /** Set once a step was refused for returning a promise. */
  #strays: Strays | undefined;
  /** Whether anybody has ever listened to effects. */
  #isHeard = false;
  /** Listeners are being told of a step. */
  #isTelling = false;
  #isDisposed = false;
  /** A step failed, and what lives outside could not be taken back. */
  #isBroken = false;

  /** @internal Use `localSession`. */
  constructor(simulation: Simulation<S, I, E, O>, options: LocalOptions<I>) {
    requireSimulation("localSession", simulation);
    const { history, inputs, present = "interpolate" } = options;
    if (present !== "interpolate" && present !== "speculate")
      badValue("localSession: present", '"interpolate" or "speculate"', present, '"speculate"');
    const size = history && sizeOf(history, simulation);
    const { rate } = simulation;
    this.simulation = simulation;
    this.#options = options;
    this.#dt = rate[1] / rate[0];
    this.#sampler = new InputSampler("localSession: inputs", simulation, inputs);
    const snapshots = OWN_SNAPSHOTS + (size ? Timeline.snapshots(size) : 0);
    this.#left = options.guard && snapshots;
    this.#run = new Run(simulation, options.guard ? snapshots + 1 : snapshots, options);
    this.#taken.words = this.#run.words;
    try {
      this.#settle();
      this.#timeline = size && new Timeline(this.#run, OWN_SNAPSHOTS, size);
      this.#rewind = this.#timeline && new Rewind(this.#run, this.#timeline);
    } catch (error) {
      this.#run.dispose();
      throw error;
    }
  }

  get tick(): number {
    return this.#run.tick;
  }
  /** What chance began with. */
  get seed(): number | string {
    return this.#options.seed ?? 0;
  }
  get world(): ReadonlyWorld<S> {
    this.#strays?.restore();
    return this.#run.world as ReadonlyWorld<S>;
  }
  /** How it copies, blends and hashes. */
  get kernels(): "wasm" | "js" {
    return this.#run.state.kernels;
  }
  /** The oldest and the newest state that it can go to. */
  get first(): number {
    return this.#timeline?.first ?? this.tick;
  }
  get last(): number {
    return this.#timeline?.last ?? this.tick;
  }
  get rewinding(): boolean {
    return this.#rewind !== undefined && this.#rewind.isOn;
  }
  /** Bytes of all its states, the real one and those it keeps. */
  get memory(): number {
    const { state } = this.#run;
    return state.layout.size * (state.snapshots + 1);
  }

  /** 64 bits of all; written into `out`, where nothing may be allocated. */
  hash(out?: [number, number]): Hash {
    this.#strays?.restore();
    return this.#run.hash(out);
  }

  /** The world, for people. */
  toJSON(): WorldJson<S> {
    this.#strays?.restore();
    return this.#run.state.toJSON();
  }

  on<N extends keyof SessionEvents<Effect<E>>>(
    event: N,
    listener: (info: SessionEvents<Effect<E>>[N]) => void,
  ): () => void {
    requireFunction("Session.on: listener", listener);
    const roster = Object.hasOwn(this.#listeners, event) ? this.#listeners[event] : undefined;
    if (!roster)
      badValue(
        "Session.on: event",
        `one of ${Object.keys(this.#listeners).join(", ")}`,
        event,
        JSON.stringify(nearest(String(event), Object.keys(this.#listeners)) ?? "effect"),
      );
    this.#isHeard ||= event === "effect";
    return (roster as unknown as ListenerList<SessionEvents<Effect<E>>[N]>).add(listener);
  }

  advance(place: StepTiming = ALONE): void {
    this.#requireUsable();
    this.#requireRate();
    const rewind = this.#rewind;
    if (rewind !== undefined && rewind.isOn) {
      this.#load(Math.floor(rewind.next));
      rewind.move();
    } else this.#step(place, this.#isHeard);
  }

  /** So many steps whose effects nobody is told: to be somewhere else quickly. */
  skip(ticks: number): void {
    this.#requireUsable();
    requireWhole("Session.skip: ticks", ticks, 0, 60);
    this.#rewind?.stop();
    // Nor those that no frame has shown yet: they would be told elsewhere.
    if (ticks > 0) this.#queue.rewind(0);
    // A listener may end it, or turn it round.
    for (let i = 0; i < ticks && !this.#isDisposed && !this.rewinding; i++) this.#step(ALONE, false);
  }

  #step(place: StepTiming, isHeard: boolean): void {
    if (this.#isTelling)
      badValue("Session", "stepped outside of listeners to steps", "a call in one", "it after `advance`");
    const run = this.#run;
    const { tick } = run;
    run.words.set(this.#sampler.sample(tick, false, place));
    if (this.#isDisposed) return;
    if (this.#left !== undefined) this.#requireLeft(this.#left);
    run.state.save(PREVIOUS);
    this.#timeline?.keep();
    try {
      if (isHeard) run.step(this.#emit);
      else run.step();
    } catch (error) {
      this.#undo(tick);
      this.#followStray();
      throw error;
    }
    this.#timeline?.record();
    if (this.#left !== undefined) run.state.save(this.#left);
    this.#strays?.keep();
    this.#taken.tick = tick;
    this.#isTelling = true;
    try {
      this.#listeners.step.call(this.#taken);
    } finally {
      this.#isTelling = false;
    }
  }

  /** It is in a state that no step has led to. */
  #settle(): void {
    const { state } = this.#run;
    state.save(PREVIOUS);
    if (this.#left !== undefined) state.save(this.#left);
    this.#strays?.keep();
  }

  /** Undoes what a step that was refused for returning a promise still writes. */
  #followStray(): void {
    const { stray } = this.#run;
    if (!stray) return;
    this.#run.stray = undefined;
    this.#strays ??= new Strays(this.simulation, this.#run);
    this.#strays.add(stray);
    if (this.#isBroken) this.#strays.forget();
    else this.#strays.keep();
  }

  /** What is written outside of a step is in no recording, and not in the past once that is simulated again. */
  #requireLeft(left: number): void {
    const { state } = this.#run;
    if (hashText(state.hash(left)) === hashText(state.hash(LIVE))) return;
    const [{ path, a, b }] = state.diff(left, LIVE, 1) as [Difference];
    state.load(left);
    badValue(
      "Session.world",
      "written by steps alone",
      `${path}: ${a} ≠ ${b}`,
      "an input that the step acts on",
    );
  }

  /** Rolls back a step that threw. */
  #undo(tick: number): void {
    this.#queue.rewind(tick);
    this.#run.state.load(PREVIOUS);
    if (!this.#run.hasExternal) return;
    this.#isBroken = true;
    if (!this.#timeline) return;
    this.#run.load(this.#timeline.snapshotOf(tick));
    this.#isBroken = false;
  }

  /** Takes inputs from elsewhere from now on. */
  setInputs(inputs: InputsFrom<I>): void {
    this.#sampler.setSource("Session.setInputs: inputs", inputs);
  }

  view(alpha: number): ReadonlyWorld<S> {
    this.#requireUsable();
    requireNumber("Session.view: alpha", alpha, 0, 1, "loop.alpha");
    const { state } = this.#run;
    const rewind = this.#rewind;
    if (rewind !== undefined && rewind.isOn) rewind.show(VIEW, BEFORE, alpha, this.#dt);
    else if (this.#options.present === "speculate") this.#speculate(alpha);
    else {
      // Before the first step, and after a jump, nothing lies between the two: a curve would swing out and back.
      const between = state.tickOf(PREVIOUS) === this.tick ? 1 : alpha;
      state.blend(VIEW, PREVIOUS, LIVE, between, this.#dt);
      this.#queue.show(this.tick - 1 + alpha, this.#tell);
    }
    this.#queue.confirm(this.tick);
    return state.at(VIEW) as ReadonlyWorld<S>;
  }

  /** Shows what the next step would be if nothing more were done, and takes it back. */
  #speculate(alpha: number): void {
    const run = this.#run;
    run.words.set(this.#sampler.sample(run.tick, true, ALONE));
    if (this.#isDisposed) return;
    run.save(BEFORE);
    try {
      run.step();
      run.state.save(AFTER);
    } finally {
      run.load(BEFORE);
      this.#followStray();
    }
    run.state.blend(VIEW, BEFORE, AFTER, alpha, this.#dt);
    this.#queue.show(this.tick, this.#tell);
  }

  /** Goes to a state in the history, exactly. The next step goes on from there: the future is another one then. */
  seek(tick: number): void {
    this.#requireUsable();
    this.#requireHistory("Session.jump").require("Session.jump", tick);
    this.#load(tick);
    this.#rewind?.stop();
  }

  /** Goes back by so many ticks in each `advance`, a fraction too, until `resume`. It stops where the history begins. */
  rewind(speed = 1): void {
    this.#requireUsable();
    this.#requireHistory("Session.rewind");
    requireNumber("Session.rewind: speed", speed, 1e-6, 1e6, 1);
    this.#rewind!.start(speed);
  }

  /** Goes forward again, from where it is. */
  endRewind(): void {
    this.#requireUsable();
    if (!this.rewinding) return;
    this.#load(this.tick);
    this.#rewind!.stop();
  }

  #load(tick: number): void {
    this.#run.load(this.#timeline!.snapshotOf(tick, BEFORE));
    this.#settle();
    this.#queue.rewind(tick);
  }

  /** The whole state, as bytes with the name and the version of the simulation. */
  bytes(): Uint8Array<ArrayBuffer> {
    this.#requireUsable();
    return bytesOf(this.simulation, this.#run, true);
  }

  /** Goes on from a state that `bytes` gave. What is of another simulation or version, or changed, is refused, and nothing is loaded. */
  load(bytes: Uint8Array): void {
    this.#requireThere();
    readBytes(this.simulation, this.#run, bytes);
    this.#isBroken = false;
    this.#settle();
    this.#queue.rewind(0);
    this.#timeline?.restart();
    this.#rewind?.stop();
    this.#listeners.load.call({ tick: this.tick });
  }

  /**
   * What differs between a state that `bytes` gave (`a`) and this one (`b`), field by field; the first `most` of them.
   * Of what lives outside, the hashes.
   */
  diff(bytes: Uint8Array, most = 20): Difference[] {
    this.#requireUsable();
    requireWhole("Session.diff: most", most, 0, 20);
    const run = this.#run;
    const now = run.externalHashes();
    run.save(BEFORE);
    readBytes(this.simulation, run, bytes);
    try {
      const differences = run.state.diff(LIVE, BEFORE, most);
      return [...differences, ...externalDifferences(run.externalHashes(), now)].slice(0, most);
    } finally {
      run.load(BEFORE);
    }
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#run.requireIdle("Session.dispose");
    this.#isDisposed = true;
    this.#strays?.forget();
    this.#run.dispose();
  }

  #requireThere(): void {
    this.#run.requireIdle("Session");
    if (this.#sampler.isSampling)
      badValue("Session", "called outside of `inputs`", "a call in it", "it before or after `advance`");
    if (this.#isDisposed) badValue("Session", "in use", "one that was disposed of", "a new one");
    this.#strays?.restore();
  }

  #requireUsable(): void {
    this.#requireThere();
    if (this.#isBroken)
      badValue(
        "Session",
        "one whose steps have not failed, or with a history",
        "one whose step failed",
        "load(bytes)",
      );
  }

  /** The loop that steps it must have the simulation's rate: otherwise time runs too fast or too slow, and blends are wrong. */
  #requireRate(): void {
    const loopRate = rateInStep();
    if (loopRate === undefined) return;
    const { rate, name } = this.simulation;
    if (loopRate[0] !== rate[0] || loopRate[1] !== rate[1])
      badValue(
        "Loop: rate",
        `${hertz(rate)}, the rate of the simulation ${JSON.stringify(name)} that it steps`,
        hertz(loopRate),
        "{ rate: game.rate }, or loop.every(game.rate, () => session.advance())",
      );
  }

  #requireHistory(call: string): Timeline {
    return (
      this.#timeline ??
      badValue(call, "called on a session with a history", "one without", "history: { seconds: 10 }")
    );
  }
}

const hertz = ([numerator, denominator]: ExactRate): string =>
  denominator === 1 ? `${numerator} Hz` : `${numerator}/${denominator} Hz`;

/** Runs a simulation here: the session to begin with. */
export function localSession<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends ExternalStates,
>(simulation: Simulation<S, I, E, O>, options: LocalOptions<I> = {}): LocalSession<S, I, E, O> {
  requireType("localSession: options", options, "object", "{ seed: 7 }");
  requireKnownOptions("localSession", options, LOCAL_OPTIONS);
  return new LocalSession(simulation, options);
}
