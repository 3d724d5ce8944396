import { Roster } from "../loop/index.js";
import { LIVE, type Difference, type Fields, type Hash, type World } from "../state/index.js";
import { refuse, requireFunction, requireNumber, requireType, requireWhole } from "../time/index.js";
import { bytesOf, readBytes } from "./bytes.js";
import type { AnyEffect, Effect, EffectFields } from "./effects.js";
import { EffectQueue } from "./effect-queue.js";
import type { InputFields, InputRequest, InputSource, InputValues, StepPlace } from "../input/index.js";
import { writersOf } from "./inputs.js";
import { outsideDifferences, type Outsides } from "./outside.js";
import { Run, type RunOptions } from "./run.js";
import type { Session, SessionEvents } from "./session.js";
import type { Simulation } from "./simulation.js";
import { Timeline } from "./timeline.js";

/** A step without a frame. */
export const ALONE: StepPlace = { due: 1, from: Infinity, to: Infinity };

/** Writes what players do: `players[0].left = keys.has("KeyA")`. What is not written stays as it was. */
export type WriteInputs<I extends InputFields> = (
  players: readonly InputValues<I>[],
  request: InputRequest,
) => void;

/** How far back it can go, and at which cost. */
export interface HistoryOptions {
  /** Seconds that can be gone back. */
  readonly seconds: number;
  /**
   * Ticks from a snapshot to the next: fewer take more memory, more make a jump slower. Default 16. The memory is that
   * of `seconds × rate / every + 2 × every + 7` states, and of the inputs of all ticks.
   */
  readonly every?: number | undefined;
}

export interface LocalOptions<I extends InputFields> extends RunOptions {
  /** What players do, asked before each step: a function that writes it, or what each player's inputs come from. */
  readonly inputs?: WriteInputs<I> | InputSource | readonly (InputSource | undefined)[] | undefined;
  /** Keeps the past, for `jump` and `rewind`. Default: none. */
  readonly history?: HistoryOptions | undefined;
  /**
   * "interpolate" shows a blend of the last two states; "speculate" takes a throw-away step ahead, with the newest
   * inputs, and shows a blend of the current state and that one: a step less latency, at the cost of a step a frame.
   * Default "interpolate".
   */
  readonly present?: "interpolate" | "speculate" | undefined;
}

const PREVIOUS = 0;
const VIEW = 1;
/** The states on both sides of a step that is thrown away. */
const BEFORE = 2;
const AFTER = 3;
const OWN_SNAPSHOTS = 4;
/** Most bytes of the inputs that a history keeps. */
const MOST_INPUT_BYTES = 2 ** 31;

/** All players in one place: inputs in, a blended view out; and back in time, if it has a history. */
export class LocalSession<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends Outsides,
> implements Session<World<S>, Effect<E>> {
  readonly simulation: Simulation<S, I, E, O>;
  readonly #run: Run<S>;
  readonly #options: LocalOptions<I>;
  readonly #timeline: Timeline | undefined;
  readonly #words: Uint32Array;
  readonly #players: readonly InputValues<I>[];
  readonly #queue = new EffectQueue();
  readonly #listeners = {
    effect: new Roster<Effect<E>>(),
    withdrawn: new Roster<Effect<E>>(),
    step: new Roster<SessionEvents<Effect<E>>["step"]>(),
    load: new Roster<SessionEvents<Effect<E>>["load"]>(),
  };
  readonly #taken: { tick: number; words: Uint32Array } = { tick: 0, words: new Uint32Array(0) };
  readonly #request = { tick: 0, peek: false, ...ALONE };
  #ask: (request: InputRequest) => void;
  readonly #emit = (effect: AnyEffect) => this.#queue.add(effect);
  readonly #tell = (effect: AnyEffect) => this.#listeners.effect.call(effect as Effect<E>);
  /** How many ticks go back in a step; 0 while it goes forward. */
  #speed = 0;
  /** Where the picture of the last step is, and that of the one before, while it goes back. */
  #cursor = 0;
  #cursorBefore = 0;
  /** Where it began to go back at this speed, and how many times it has moved since. */
  #origin = 0;
  #moves = 0;
  /** Whether anybody has ever listened to effects. */
  #isHeard = false;
  #isDisposed = false;
  /** Inputs are being asked for: a step has begun. */
  #isAsking = false;
  /** A step failed, and what lives outside could not be taken back. */
  #isBroken = false;

  /** @internal Use `localSession`. */
  constructor(simulation: Simulation<S, I, E, O>, options: LocalOptions<I>) {
    const { history, inputs, present = "interpolate" } = options;
    if (present !== "interpolate" && present !== "speculate")
      refuse("localSession: present", '"interpolate" or "speculate"', present, '"speculate"');
    const [keyframes, every] = history ? sizeOf(history, simulation) : [0, 0];
    this.simulation = simulation;
    this.#options = options;
    this.#run = new Run(
      simulation,
      OWN_SNAPSHOTS + (history ? Timeline.snapshots(keyframes, every) : 0),
      options,
    );
    this.#words = new Uint32Array(this.#run.words.length);
    this.#taken.words = this.#run.words;
    this.#players = writersOf(simulation.packing, simulation.players, this.#words);
    try {
      this.#ask = this.#asker("localSession: inputs", inputs);
      this.#run.state.save(PREVIOUS);
      this.#timeline = history && new Timeline(this.#run, OWN_SNAPSHOTS, keyframes, every);
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
  get world(): World<S> {
    return this.#run.world;
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
    return this.#speed > 0;
  }
  /** Bytes of all its states, the real one and those it keeps. */
  get memory(): number {
    const { state } = this.#run;
    return state.layout.size * (state.snapshots + 1);
  }

  /** 64 bits of all; written into `out`, where nothing may be allocated. */
  hash(out?: [number, number]): Hash {
    return this.#run.hash(out);
  }

  on<N extends keyof SessionEvents<Effect<E>>>(
    event: N,
    listener: (info: SessionEvents<Effect<E>>[N]) => void,
  ): () => void {
    requireFunction("Session.on: listener", listener);
    const roster = Object.hasOwn(this.#listeners, event) ? this.#listeners[event] : undefined;
    if (!roster)
      refuse("Session.on: event", `one of ${Object.keys(this.#listeners).join(", ")}`, event, '"effect"');
    this.#isHeard ||= event === "effect";
    return (roster as unknown as Roster<SessionEvents<Effect<E>>[N]>).add(listener);
  }

  advance(place: StepPlace = ALONE): void {
    this.#requireUsable();
    if (this.#speed > 0) this.#goBack();
    else this.#step(place, this.#isHeard);
  }

  /** So many steps whose effects nobody is told: to be somewhere else quickly. */
  skip(ticks: number): void {
    this.#requireUsable();
    requireWhole("Session.skip: ticks", ticks, 0, 60);
    this.#speed = 0;
    // Nor those that no frame has shown yet: they would be told elsewhere.
    if (ticks > 0) this.#queue.rewind(0);
    for (let i = 0; i < ticks; i++) this.#step(ALONE, false);
  }

  #step(place: StepPlace, isHeard: boolean): void {
    const run = this.#run;
    const { tick } = run;
    this.#sample(false, place);
    if (this.#isDisposed) return;
    run.state.save(PREVIOUS);
    this.#timeline?.record();
    try {
      if (isHeard) run.step(this.#emit);
      else run.step();
    } catch (error) {
      this.#undo(tick);
      throw error;
    }
    this.#taken.tick = tick;
    this.#listeners.step.call(this.#taken);
  }

  /** A step that failed never was. */
  #undo(tick: number): void {
    this.#queue.rewind(tick);
    this.#run.state.load(PREVIOUS);
    this.#timeline?.unrecord();
    if (!this.#run.hasOutside) return;
    if (this.#timeline) this.#run.load(this.#timeline.snapshotOf(tick));
    else this.#isBroken = true;
  }

  /** Takes inputs from elsewhere from now on. */
  setInputs(inputs: LocalOptions<I>["inputs"]): void {
    this.#ask = this.#asker("Session.setInputs: inputs", inputs);
  }

  #asker(call: string, inputs: LocalOptions<I>["inputs"]): (request: InputRequest) => void {
    if (inputs === undefined) return () => {};
    if (typeof inputs === "function") return (request) => inputs(this.#players, request);
    const sources = Array.isArray(inputs) ? (inputs as (InputSource | undefined)[]) : [inputs as InputSource];
    if (sources.length > this.#players.length)
      refuse(call, `of at most ${this.#players.length} players`, sources.length, "a source for each");
    for (const source of sources)
      if (source !== undefined && typeof source?.sample !== "function")
        refuse(call, "a function or a source of inputs", source, "(players) => {}");
    const width = this.simulation.packing.words;
    return (request) => {
      for (let player = 0; player < sources.length; player++)
        sources[player]?.sample(this.#words, player * width, request);
    };
  }

  #sample(peek: boolean, { due, from, to }: StepPlace): void {
    const request = this.#request;
    request.tick = this.tick;
    request.peek = peek;
    request.due = due;
    request.from = from;
    request.to = to;
    this.#isAsking = true;
    try {
      this.#ask(request);
    } finally {
      this.#isAsking = false;
    }
    this.#run.words.set(this.#words);
  }

  view(alpha: number): World<S> {
    this.#requireUsable();
    requireNumber("Session.view: alpha", alpha, 0, 1, "loop.alpha");
    const { state } = this.#run;
    if (this.#speed > 0) this.#show(this.#cursorBefore + (this.#cursor - this.#cursorBefore) * alpha);
    else if (this.#options.present === "speculate") this.#speculate(alpha);
    else {
      // Before the first step, and after a jump, nothing lies between the two: a curve would swing out and back.
      const between = state.tickOf(PREVIOUS) === this.tick ? 1 : alpha;
      state.blend(VIEW, PREVIOUS, LIVE, between, this.#dt);
      this.#queue.show(this.tick - 1 + alpha, this.#tell);
    }
    this.#queue.confirm(this.tick);
    return state.at(VIEW);
  }

  get #dt(): number {
    const { rate } = this.simulation;
    return rate[1] / rate[0];
  }

  /** Shows what the next step would be if nothing more were done, and takes it back. */
  #speculate(alpha: number): void {
    const run = this.#run;
    this.#sample(true, ALONE);
    if (this.#isDisposed) return;
    run.save(BEFORE);
    try {
      run.step();
      run.state.save(AFTER);
    } finally {
      run.load(BEFORE);
    }
    run.state.blend(VIEW, BEFORE, AFTER, alpha, this.#dt);
    this.#queue.show(this.tick, this.#tell);
  }

  /** Goes to a state in the history, exactly. The next step goes on from there: the future is another one then. */
  jump(tick: number): void {
    this.#requireUsable();
    this.#requireHistory("Session.jump").require("Session.jump", tick);
    this.#speed = 0;
    this.#load(tick);
  }

  /** Goes back by so many ticks in each `advance`, a fraction too, until `resume`. It stops where the history begins. */
  rewind(speed = 1): void {
    this.#requireUsable();
    this.#requireHistory("Session.rewind");
    requireNumber("Session.rewind: speed", speed, 1e-6, 1e6, 1);
    if (this.#speed === 0) this.#cursor = this.#cursorBefore = this.tick;
    if (this.#speed === speed) return;
    this.#origin = this.#cursor;
    this.#moves = 0;
    this.#speed = speed;
  }

  /** Goes forward again, from where it is. */
  resume(): void {
    this.#requireUsable();
    if (this.#speed === 0) return;
    this.#speed = 0;
    this.#load(this.tick);
  }

  #goBack(): void {
    this.#cursorBefore = this.#cursor;
    this.#moves += 1;
    // Computed, never summed.
    this.#cursor = Math.max(this.first, this.#origin - this.#speed * this.#moves);
    this.#load(Math.floor(this.#cursor));
  }

  /** Shows what lies between two states of the history. */
  #show(at: number): void {
    const run = this.#run;
    const timeline = this.#timeline!;
    const tick = Math.floor(at);
    const isThere = timeline.has(tick);
    if (!isThere) run.save(BEFORE);
    const snapshot = timeline.snapshotOf(tick);
    run.state.blend(VIEW, snapshot, tick < timeline.last ? snapshot + 1 : snapshot, at - tick, this.#dt);
    if (!isThere) run.load(BEFORE);
  }

  #load(tick: number): void {
    this.#run.load(this.#timeline!.snapshotOf(tick));
    this.#run.state.save(PREVIOUS);
    this.#queue.rewind(tick);
  }

  /** The whole state, as bytes with the name and the version of the simulation. */
  bytes(): Uint8Array {
    this.#requireUsable();
    return bytesOf(this.simulation, this.#run);
  }

  /** Goes on from a state that `bytes` gave. What is of another simulation or version, or changed, is refused, and nothing is loaded. */
  load(bytes: Uint8Array): void {
    this.#requireThere();
    readBytes(this.simulation, this.#run, bytes);
    this.#isBroken = false;
    this.#run.state.save(PREVIOUS);
    this.#queue.rewind(0);
    this.#timeline?.restart();
    this.#speed = 0;
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
    const now = run.outsideHashes();
    run.save(BEFORE);
    readBytes(this.simulation, run, bytes);
    try {
      const differences = run.state.diff(LIVE, BEFORE, most);
      return [...differences, ...outsideDifferences(run.outsideHashes(), now)].slice(0, most);
    } finally {
      run.load(BEFORE);
    }
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#run.requireIdle("Session.dispose");
    this.#isDisposed = true;
    this.#run.dispose();
  }

  #requireThere(): void {
    this.#run.requireIdle("Session");
    if (this.#isAsking)
      refuse("Session", "called outside of `inputs`", "a call in it", "it before or after `advance`");
    if (this.#isDisposed) refuse("Session", "in use", "one that was disposed of", "a new one");
  }

  #requireUsable(): void {
    this.#requireThere();
    if (this.#isBroken)
      refuse(
        "Session",
        "one whose steps have not failed, or with a history",
        "one whose step failed",
        "load(bytes)",
      );
  }

  #requireHistory(call: string): Timeline {
    return (
      this.#timeline ??
      refuse(call, "called on a session with a history", "one without", "history: { seconds: 10 }")
    );
  }
}

/** Keyframes, and the ticks between two of them. */
function sizeOf(
  history: HistoryOptions,
  { rate, players, packing }: Pick<Simulation, "rate" | "players"> & { packing: { words: number } },
): [number, number] {
  requireType("localSession: history", history, "object", "{ seconds: 10 }");
  const { seconds, every = 16 } = history;
  requireNumber("localSession: history.seconds", seconds, 0, 1e6, 10);
  requireWhole("localSession: history.every", every, 1, 16);
  const keyframes = Math.ceil((seconds * rate[0]) / rate[1] / every) + 1;
  if (keyframes * every * players * packing.words * 4 > MOST_INPUT_BYTES)
    refuse(
      "localSession: history.seconds",
      `so few that the inputs of all ticks have at most ${MOST_INPUT_BYTES} bytes`,
      seconds,
      10,
    );
  return [keyframes, every];
}

/** Runs a simulation here: the session to begin with. */
export function localSession<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends Outsides,
>(simulation: Simulation<S, I, E, O>, options: LocalOptions<I> = {}): LocalSession<S, I, E, O> {
  return new LocalSession(simulation, options);
}
