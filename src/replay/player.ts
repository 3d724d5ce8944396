import type { InputFields } from "../input/index.js";
import type {
  Effect,
  EffectFields,
  LocalOptions,
  LocalSession,
  ExternalStates,
  Session,
  SessionEvents,
  Simulation,
  StepTiming,
} from "../sim/index.js";
import type { Fields, Hash, ReadonlyWorld, WorldJson } from "../state/index.js";
import { badValue, requireFunction, requireType } from "../errors/index.js";
import { Marks } from "./marks.js";
import { requireReplay, type Replay } from "./replay.js";
import { loadState, sessionOf, type ReplayInputs } from "./source.js";

/** A state that came out otherwise than it was recorded. */
export interface Divergence {
  readonly tick: number;
  /**
   * True if the file is at fault, not the simulation: its keyframe of this tick has another hash than its checkpoint, or cannot
   * be loaded. The player then uses no keyframe of this file, and simulates instead.
   */
  readonly keyframe?: true;
}

/** Options of `replayPlayer`. */
export interface PlayerOptions extends Pick<LocalOptions<InputFields>, "guard" | "kernels"> {
  /** Whether it can play backwards, which takes memory for some seconds of states. Default true. */
  readonly rewind?: boolean | undefined;
  /**
   * Called with the first checkpoint whose hash differs, and with a keyframe that contradicts its checkpoint. Playback
   * continues, so that you can look.
   */
  readonly diverged?: ((divergence: Divergence) => void) | undefined;
}

/** Seconds that are kept to go back smoothly, and between the states that it keeps where the file has none. */
const SECONDS = 10;

/** Plays a recording: a session like any other, whose inputs are those that were recorded. */
export class ReplayPlayer<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends ExternalStates,
> implements Session<ReadonlyWorld<S>, Effect<E>> {
  readonly replay: Replay;
  readonly #session: LocalSession<S, I, E, O>;
  readonly #inputs: ReplayInputs;
  readonly #size: number | undefined;
  readonly #marks: Marks;
  readonly #diverged: ((divergence: Divergence) => void) | undefined;
  /** A keyframe could not be loaded, or contradicts its checkpoint: keyframes of the file are no longer used. */
  #isForged = false;
  readonly #hash: [number, number] = [0, 0];
  #divergence: Divergence | undefined;
  /** A checkpoint differed: later ones are not reported. */
  #hasDiverged = false;
  /** Divergences that `diverged` has not been called with yet. */
  readonly #unreported: Divergence[] = [];
  #isLive = false;
  /** Nothing moved in the last advance: the picture stands. */
  #isStill = true;
  #speed = 0;
  #checkpoint = 0;

  /** @internal Use `replayPlayer`. */
  constructor(simulation: Simulation<S, I, E, O>, replay: Replay, options: PlayerOptions) {
    const { guard, kernels, rewind = true, diverged } = options;
    this.replay = replay;
    const history = rewind ? { seconds: SECONDS } : undefined;
    const made = sessionOf("replayPlayer", simulation, replay, { guard, kernels, history });
    this.#session = made.session;
    this.#inputs = made.inputs;
    this.#size = made.size;
    this.#diverged = diverged;
    const { keyframes, rate } = replay.info;
    this.#marks = new Marks(keyframes || Math.max(1, Math.round((SECONDS * rate[0]) / rate[1])));
    this.#marks.add(replay.first, this.#session.bytes());
    // It is used nevertheless, as no other state leads to the start.
    if (replay.startState && this.#contradicts(replay.first))
      this.#report({ tick: replay.first, keyframe: true });
    this.#session.on("step", ({ tick }) => this.#passed(tick + 1));
  }

  get simulation(): Simulation<S, I, E, O> {
    return this.#session.simulation;
  }
  get seed(): number | string {
    return this.#session.seed;
  }
  get tick(): number {
    return this.#session.tick;
  }
  get world(): ReadonlyWorld<S> {
    return this.#session.world;
  }
  /** Whether it was taken over, and is no longer the recording. */
  get live(): boolean {
    return this.#isLive;
  }
  /** Whether the recording has no more. */
  get ended(): boolean {
    return !this.#isLive && this.tick >= this.replay.last;
  }
  get rewinding(): boolean {
    return this.#session.rewinding;
  }
  /** The first checkpoint whose hash differs, or keyframe that contradicts its checkpoint, of those that were passed. */
  get divergence(): Divergence | undefined {
    return this.#divergence;
  }

  hash(out?: [number, number]): Hash {
    return this.#session.hash(out);
  }
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#session.bytes();
  }
  /** The world, for people. */
  toJSON(): WorldJson<S> {
    return this.#session.toJSON();
  }

  on<N extends keyof SessionEvents<Effect<E>>>(
    event: N,
    listener: (info: SessionEvents<Effect<E>>[N]) => void,
  ): () => void {
    return this.#session.on(event, listener);
  }

  /** One step of the recording, or back; none after its end. */
  advance(place?: StepTiming): void {
    const session = this.#session;
    this.#isStill = this.ended && !session.rewinding;
    if (this.#isStill) return;
    if (session.rewinding) this.#goBack();
    else session.advance(place);
    this.#tellDivergence();
  }

  view(alpha: number): ReadonlyWorld<S> {
    return this.#session.view(this.#isStill ? 1 : alpha);
  }

  /** Goes to a state of the recording, exactly; by the nearest one before it that is known. It ends a take-over. */
  seek(tick: number): void {
    const { first, last } = this.replay;
    if (!(Number.isSafeInteger(tick) && tick >= first && tick <= last))
      badValue("Player.seek: tick", `a whole number from ${first} to ${last}`, tick, first);
    this.endRewind();
    const wasLive = this.#isLive;
    if (wasLive) this.#session.setInputs(this.#inputs);
    this.#isLive = false;
    this.#go(tick, tick, wasLive || tick < this.tick);
    this.#isStill = true;
    this.#tellDivergence();
  }

  /** Goes back by so many ticks in each `advance`, a fraction too, until `resume`. It stops at the start. */
  rewind(speed = 1): void {
    if (this.#isLive)
      badValue("Player.rewind", "called before takeOver", "a call after it", "player.seek(tick)");
    this.#session.rewind(speed);
    this.#speed = speed;
    this.#isStill = false;
  }

  /** Goes forward again, from where it is. */
  endRewind(): void {
    this.#session.endRewind();
  }

  /** Goes on live from here, with these inputs; what was held in the recording is let go. */
  takeOver(inputs: LocalOptions<I>["inputs"]): void {
    this.endRewind();
    this.#session.setInputs(inputs);
    this.#inputs.letGo();
    this.#isLive = true;
    this.#isStill = false;
  }

  dispose(): void {
    this.#session.dispose();
  }

  /** One move back. Where the past that the session keeps ends within it, what was before is made known first. */
  #goBack(): void {
    const session = this.#session;
    const { tick } = session;
    const target = Math.max(this.replay.first, Math.floor(tick - this.#speed));
    if (target >= session.first) return session.advance();
    this.#go(tick, target, true);
    // Farther in one move than the session keeps: no picture lies between.
    const isFar = target < session.first;
    if (isFar) this.#go(target, target, true);
    session.rewind(this.#speed);
    if (!isFar) session.advance();
  }

  /** Goes to a tick by a state at `by` or before it; by the present one, if it need not go back and that is nearest. */
  #go(tick: number, by: number, isBack: boolean): void {
    const session = this.#session;
    let mustLoad = isBack;
    for (;;) {
      const mark = this.#marks.before(by);
      const keyframe = this.#keyframeBefore(by);
      const nearest = Math.max(mark?.tick ?? -1, keyframe);
      if (!mustLoad && nearest <= this.tick) break;
      if (keyframe < nearest) {
        session.load(mark!.bytes);
        break;
      }
      if (this.#loadKeyframe(keyframe)) break;
      mustLoad = true;
    }
    session.skip(tick - session.tick);
  }

  /** Loads the keyframe of a tick. Returns false if it cannot be loaded, or contradicts its checkpoint. */
  #loadKeyframe(tick: number): boolean {
    const { states } = this.replay;
    try {
      loadState(this.#session, this.replay, states.at(states.indexBefore(tick))!, this.#size);
      if (!this.#contradicts(tick)) return true;
    } catch {
      // Its checksum is right, but it is not a state of this simulation.
    }
    this.#isForged = true;
    // Later marks may come from another bad keyframe, one without a checkpoint.
    this.#marks.keepFirst();
    this.#report({ tick, keyframe: true });
    return false;
  }

  /** Whether the present state, of this tick, has another hash than the tick's checkpoint. */
  #contradicts(tick: number): boolean {
    const { checkpoints } = this.replay;
    const index = checkpoints.indexOf(tick);
    return index >= 0 && !checkpoints.agrees(index, this.#session.hash(this.#hash));
  }

  /** The tick of the last usable keyframe at a tick or before it; -1 if there is none. */
  #keyframeBefore(tick: number): number {
    if (this.#isForged) return -1;
    const { states, checkpoints } = this.replay;
    let index = states.indexBefore(tick);
    // Without a checkpoint of its own tick, nothing confirms it.
    if (checkpoints.count > 0) while (index >= 0 && checkpoints.indexOf(states.tickOf(index)) < 0) index--;
    return index < 0 ? -1 : states.tickOf(index);
  }

  /** A step came to a state. */
  #passed(tick: number): void {
    if (this.#isLive) return;
    if (this.#marks.wants(tick) && this.#keyframeBefore(tick) !== tick)
      this.#marks.add(tick, this.#session.bytes());
    const { checkpoints } = this.replay;
    if (checkpoints.tickOf(this.#checkpoint) !== tick) {
      // In the usual case it is that after the last one.
      const isNext =
        checkpoints.tickOf(this.#checkpoint) > tick && !(checkpoints.tickOf(this.#checkpoint - 1) >= tick);
      if (!isNext) this.#checkpoint = checkpoints.from(tick);
      if (checkpoints.tickOf(this.#checkpoint) !== tick) return;
    }
    if (checkpoints.agrees(this.#checkpoint++, this.#session.hash(this.#hash)) || this.#hasDiverged) return;
    this.#hasDiverged = true;
    this.#report({ tick });
  }

  #report(divergence: Divergence): void {
    this.#divergence ??= divergence;
    this.#unreported.push(divergence);
  }

  /** Calls `diverged`, once a step or a seek is over, as the callback may seek. */
  #tellDivergence(): void {
    for (let next; (next = this.#unreported.shift());) this.#diverged?.(next);
  }
}

/** Plays a recording of a simulation, from its start. */
export function replayPlayer<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends ExternalStates,
>(simulation: Simulation<S, I, E, O>, replay: Replay, options: PlayerOptions = {}): ReplayPlayer<S, I, E, O> {
  requireReplay("replayPlayer", replay, simulation);
  requireType("replayPlayer: options", options, "object", "{}");
  if (options.diverged !== undefined) requireFunction("replayPlayer: diverged", options.diverged);
  return new ReplayPlayer(simulation, replay, options);
}
