import type { InputFields } from "../input/index.js";
import type {
  Effect,
  EffectFields,
  LocalOptions,
  LocalSession,
  Outsides,
  Session,
  SessionEvents,
  Simulation,
  StepPlace,
} from "../sim/index.js";
import type { Fields, Hash, ReadonlyWorld } from "../state/index.js";
import { refuse, requireFunction, requireType } from "../time/index.js";
import type { Keyframe } from "./keyframe.js";
import { Marks } from "./marks.js";
import { requireReplay, type Replay } from "./replay.js";
import { loadState, sessionOf, type ReplayInputs } from "./source.js";

/** A state that came out otherwise than it was recorded. */
export interface Divergence {
  readonly tick: number;
}

export interface PlayerOptions extends Pick<LocalOptions<InputFields>, "guard" | "kernels"> {
  /** Whether it can play backwards, which takes memory for some seconds of states. Default true. */
  readonly rewind?: boolean | undefined;
  /** Is told the first checkpoint whose hash differs. Playing goes on, so that one can look. */
  readonly diverged?: ((divergence: Divergence) => void) | undefined;
}

/** Seconds that are kept to go back smoothly, and between the states that it keeps where the file has none. */
const SECONDS = 10;

/** Plays a recording: a session like any other, whose inputs are those that were recorded. */
export class Player<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends Outsides,
> implements Session<ReadonlyWorld<S>, Effect<E>> {
  readonly replay: Replay;
  readonly #session: LocalSession<S, I, E, O>;
  readonly #inputs: ReplayInputs;
  readonly #size: number | undefined;
  readonly #marks: Marks;
  readonly #diverged: ((divergence: Divergence) => void) | undefined;
  /** One of the file's keyframes could not be loaded: none is believed then. */
  #isForged = false;
  readonly #hash: [number, number] = [0, 0];
  #divergence: Divergence | undefined;
  #isUntold = false;
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
    this.#marks.add(replay.start, this.#session.bytes());
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
    return !this.#isLive && this.tick >= this.replay.end;
  }
  get rewinding(): boolean {
    return this.#session.rewinding;
  }
  /** The first checkpoint that was passed and came out otherwise than it was recorded. */
  get divergence(): Divergence | undefined {
    return this.#divergence;
  }

  hash(out?: [number, number]): Hash {
    return this.#session.hash(out);
  }
  bytes(): Uint8Array {
    return this.#session.bytes();
  }
  /** The world, for people. */
  toJSON(): unknown {
    return this.#session.toJSON();
  }

  on<N extends keyof SessionEvents<Effect<E>>>(
    event: N,
    listener: (info: SessionEvents<Effect<E>>[N]) => void,
  ): () => void {
    return this.#session.on(event, listener);
  }

  /** One step of the recording, or back; none after its end. */
  advance(place?: StepPlace): void {
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
    const { start, end } = this.replay;
    if (!(Number.isSafeInteger(tick) && tick >= start && tick <= end))
      refuse("Player.seek: tick", `a whole number from ${start} to ${end}`, tick, start);
    this.resume();
    const wasLive = this.#isLive;
    if (wasLive) this.#session.setInputs(this.#inputs);
    this.#isLive = false;
    this.#go(tick, tick, wasLive || tick < this.tick);
    this.#isStill = true;
  }

  /** Goes back by so many ticks in each `advance`, a fraction too, until `resume`. It stops at the start. */
  rewind(speed = 1): void {
    if (this.#isLive)
      refuse("Player.rewind", "called before takeOver", "a call after it", "player.seek(tick)");
    this.#session.rewind(speed);
    this.#speed = speed;
    this.#isStill = false;
  }

  /** Goes forward again, from where it is. */
  resume(): void {
    this.#session.resume();
  }

  /** Goes on live from here, with these inputs; what was held in the recording is let go. */
  takeOver(inputs: LocalOptions<I>["inputs"]): void {
    this.resume();
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
    const target = Math.max(this.replay.start, Math.floor(tick - this.#speed));
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
      const nearest = Math.max(mark?.tick ?? -1, keyframe?.tick ?? -1);
      if (!mustLoad && nearest <= this.tick) break;
      if (!keyframe || keyframe.tick < nearest) {
        session.load(mark!.bytes);
        break;
      }
      try {
        loadState(session, this.replay, keyframe, this.#size);
        break;
      } catch {
        // It is whole by its checksum and yet no state of this simulation. The inputs lead there, too.
        this.#isForged = true;
        mustLoad = true;
      }
    }
    session.skip(tick - session.tick);
    this.#tellDivergence();
  }

  #keyframeBefore(tick: number): Keyframe | undefined {
    return this.#isForged ? undefined : this.replay.keyframeBefore(tick);
  }

  /** A step came to a state. */
  #passed(tick: number): void {
    if (this.#isLive) return;
    if (this.#marks.wants(tick) && this.#keyframeBefore(tick)?.tick !== tick)
      this.#marks.add(tick, this.#session.bytes());
    const { checkpoints } = this.replay;
    const { ticks } = checkpoints;
    if (ticks[this.#checkpoint] !== tick) {
      // In the usual case it is that after the last one.
      const next = ticks[this.#checkpoint]!;
      if (!(next > tick && (ticks[this.#checkpoint - 1] ?? -1) < tick))
        this.#checkpoint = checkpoints.from(tick);
      if (ticks[this.#checkpoint] !== tick) return;
    }
    if (checkpoints.agrees(this.#checkpoint++, this.#session.hash(this.#hash)) || this.#divergence) return;
    this.#divergence = { tick };
    this.#isUntold = true;
  }

  /** After the step: whoever is told may go elsewhere. */
  #tellDivergence(): void {
    if (!this.#isUntold) return;
    this.#isUntold = false;
    this.#diverged?.(this.#divergence!);
  }
}

/** Plays a recording of a simulation, from its start. */
export function replayPlayer<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends Outsides,
>(simulation: Simulation<S, I, E, O>, replay: Replay, options: PlayerOptions = {}): Player<S, I, E, O> {
  requireReplay("replayPlayer", replay, simulation);
  requireType("replayPlayer: options", options, "object", "{}");
  if (options.diverged !== undefined) requireFunction("replayPlayer: diverged", options.diverged);
  return new Player(simulation, replay, options);
}
