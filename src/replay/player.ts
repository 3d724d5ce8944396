import type { InputFields } from "../input/index.js";
import type {
  Advance,
  CommandArguments,
  CommandFields,
  CommandOptions,
  Effect,
  EffectFields,
  LocalOptions,
  LocalSession,
  Present,
  ExternalStates,
  Session,
  SessionEvents,
  Simulation,
  StepTiming,
} from "../sim/index.js";
import type { Fields, Hash, ReadonlyWorld, WorldJson } from "../state/index.js";
import {
  badValue,
  misuse,
  requireFunction,
  requireNumber,
  requireOptions,
  requireType,
} from "../errors/index.js";

import { requireReplay, type Replay } from "./replay.js";
import { SeekPoints } from "./seek-points.js";
import { loadState, sessionOf, type ReplayInputs } from "./source.js";

/** A state that differs from the recorded one. */
export interface Divergence {
  readonly tick: number;
  /**
   * Set if the file is at fault, not the simulation: its keyframe of this tick contradicts its checkpoint, or cannot be loaded.
   * The player then ignores all keyframes of the file and resimulates instead.
   */
  readonly keyframe?: true;
}

/** Options of `replayPlayer`. */
export interface PlayerOptions extends Pick<LocalOptions<InputFields>, "guard" | "kernels"> {
  /** Whether the player can rewind, which takes memory for ten seconds of states. Default true. */
  readonly rewind?: boolean | undefined;
  /** Called with the first checkpoint that differs, and with a keyframe that contradicts its checkpoint. Playback continues. */
  readonly diverged?: ((divergence: Divergence) => void) | undefined;
}

export const PLAYER_OPTIONS = Object.keys({
  guard: 1,
  kernels: 1,
  rewind: 1,
  diverged: 1,
} satisfies Record<keyof PlayerOptions, 1>);

/** Seconds of history for smooth rewinding, and between the states that the player keeps where the file has no keyframes. */
const SECONDS = 10;

/** Plays a recording: a session whose inputs come from the recording. */
export class ReplayPlayer<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number = number,
  C extends CommandFields = {},
> implements Session<ReadonlyWorld<S>, Effect<E>> {
  readonly replay: Replay;
  readonly #session: LocalSession<S, I, E, X, P, C>;
  readonly #inputs: ReplayInputs;
  readonly #size: number | undefined;
  readonly #seekPoints: SeekPoints;
  readonly #canRewind: boolean;
  readonly #diverged: ((divergence: Divergence) => void) | undefined;
  /** A keyframe could not be loaded, or contradicts its checkpoint, so the file's keyframes are ignored. */
  #isForged = false;
  readonly #hash: [number, number] = [0, 0];
  #divergence: Divergence | undefined;
  /** A checkpoint differed. Later ones are not reported. */
  #hasDiverged = false;
  /** Divergences to report once the step or seek is over. */
  readonly #unreported: Divergence[] = [];
  #isLive = false;
  /** The last `advance` did not move, or the player has just sought: the picture stands still. */
  #isStill = true;
  #speed = 0;
  #checkpoint = 0;

  /** @internal Use `replayPlayer`. */
  constructor(simulation: Simulation<S, I, E, X, P, C>, replay: Replay, options: PlayerOptions) {
    const { guard, kernels, rewind = true, diverged } = options;
    this.replay = replay;
    const history = rewind ? { seconds: SECONDS } : undefined;
    const made = sessionOf("replayPlayer", simulation, replay, { guard, kernels, history });
    this.#session = made.session;
    this.#inputs = made.inputs;
    this.#size = made.size;
    this.#diverged = diverged;
    this.#canRewind = rewind;
    const { keyframes, rate } = replay.info;
    this.#seekPoints = new SeekPoints(keyframes || Math.max(1, Math.round((SECONDS * rate[0]) / rate[1])));
    this.#seekPoints.add(replay.first, this.#session.bytes());
    // Use it all the same, as nothing else leads to the first state.
    if (replay.startState && this.#contradicts(replay.first))
      this.#report({ tick: replay.first, keyframe: true });
    this.#session.on("confirmed", ({ tick }) => this.#passed(tick + 1));
  }

  get simulation(): Simulation<S, I, E, X, P, C> {
    return this.#session.simulation;
  }
  get present(): Present {
    return this.#session.present;
  }
  get seed(): number | string {
    return this.#session.seed;
  }
  get tick(): number {
    return this.#session.tick;
  }
  /** The same as `tick`: a recording holds only certain ticks. */
  get confirmed(): number {
    return this.#session.tick;
  }
  /** Always 1. */
  get pace(): number {
    return 1;
  }
  get world(): ReadonlyWorld<S> {
    return this.#session.world;
  }
  /** The names of who sat in the seats in the last step, as recorded. Empty after `takeOver`. */
  get seatNames(): readonly string[] {
    return this.#isLive ? [] : this.#inputs.namesAt(Math.max(this.replay.first, this.tick - 1));
  }
  /** Whether `takeOver` has ended the playback, and new inputs are used. */
  get live(): boolean {
    return this.#isLive;
  }
  /** Whether the playback has reached the last tick. */
  get ended(): boolean {
    return !this.#isLive && this.tick >= this.replay.last;
  }
  get rewinding(): boolean {
    return this.#session.rewinding;
  }
  /** The first divergence found so far. */
  get divergence(): Divergence | undefined {
    return this.#divergence;
  }

  hash(out?: [number, number]): Hash {
    return this.#session.hash(out);
  }
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#session.bytes();
  }
  /** Returns the world as plain objects and arrays. */
  toJSON(): WorldJson<S> {
    return this.#session.toJSON();
  }

  on<N extends keyof SessionEvents<Effect<E>>>(
    event: N,
    listener: (info: SessionEvents<Effect<E>>[N]) => void,
  ): () => void {
    return this.#session.on(event, listener);
  }

  /** Takes one step of the recording; or goes back, while the player rewinds. */
  advance(timing?: StepTiming): Advance {
    const session = this.#session;
    this.#isStill = this.ended && !session.rewinding;
    if (this.#isStill) return "ended";
    const result = session.rewinding ? this.#goBack() : session.advance(timing);
    this.#reportDivergences();
    return result;
  }

  view(alpha: number): ReadonlyWorld<S> {
    requireNumber("Session.view: alpha", alpha, 0, 1, "loop.alpha");
    return this.#session.view(this.#isStill ? 1 : alpha);
  }

  /** Goes to a state of the recording, by way of the nearest known state before it. Ends a take-over. */
  seek(tick: number): void {
    const { first, last } = this.replay;
    if (!(Number.isSafeInteger(tick) && tick >= first && tick <= last))
      badValue("ReplayPlayer.seek: tick", `a whole number from ${first} to ${last}`, tick, first);
    this.endRewind();
    const wasLive = this.#isLive;
    if (wasLive) {
      this.#session.setInputs(this.#inputs);
      this.#session.setTape(this.#inputs);
    }
    this.#isLive = false;
    this.#go(tick, tick, wasLive || tick < this.tick);
    this.#isStill = true;
    this.#reportDivergences();
  }

  /** Goes back by `speed` ticks, which may be a fraction, in each `advance` until `endRewind`. Stops at the first state. */
  rewind(speed = 1): void {
    if (this.#isLive)
      misuse("not-ready", "ReplayPlayer.rewind", "cannot rewind after takeOver", "Call seek(tick) first");
    if (!this.#canRewind)
      misuse(
        "not-ready",
        "ReplayPlayer.rewind",
        "this player cannot rewind",
        "Create the player with { rewind: true }",
      );
    this.#session.rewind(speed);
    this.#speed = speed;
    this.#isStill = false;
  }

  /** Plays forward again, from the current state. */
  endRewind(): void {
    this.#session.endRewind();
  }

  /** Issues a command after `takeOver`: the next step executes it. */
  command<K extends keyof C & string>(
    name: K,
    ...values: {} extends C[K]
      ? [values?: CommandArguments<C[K]>, options?: CommandOptions]
      : [values: CommandArguments<C[K]>, options?: CommandOptions]
  ): void {
    if (!this.#isLive)
      misuse(
        "not-ready",
        "ReplayPlayer.command",
        "the commands of a recording cannot be changed",
        "Call takeOver(inputs) first",
      );
    this.#session.command(name, ...values);
  }

  /**
   * Continues from here with new inputs, and with the commands that you issue. Buttons that were held in the recording are
   * released, and no seat is absent any more.
   */
  takeOver(inputs: LocalOptions<I, P>["inputs"]): void {
    this.endRewind();
    this.#session.setInputs(inputs);
    this.#session.setTape(undefined);
    this.#inputs.releaseAll();
    this.#isLive = true;
    this.#isStill = false;
  }

  dispose(): void {
    this.#session.dispose();
  }

  /** Goes back by one move. Resimulates older states first if the session's history does not reach that far. */
  #goBack(): Advance {
    const session = this.#session;
    const { tick } = session;
    const target = Math.max(this.replay.first, Math.floor(tick - this.#speed));
    if (target >= session.first) return session.advance();
    this.#go(tick, target, true);
    // One move reaches further than the history: nothing to blend.
    const isFar = target < session.first;
    if (isFar) this.#go(target, target, true);
    session.rewind(this.#speed);
    return isFar ? "rewound" : session.advance();
  }

  /** Goes to a tick from the nearest known state at `by` or before it, or from the current state if that is nearer. */
  #go(tick: number, by: number, isBack: boolean): void {
    const session = this.#session;
    let mustLoad = isBack;
    for (;;) {
      const point = this.#seekPoints.before(by);
      const keyframe = this.#keyframeBefore(by);
      const nearest = Math.max(point?.tick ?? -1, keyframe);
      if (!mustLoad && nearest <= this.tick) break;
      if (keyframe < nearest) {
        session.load(point!.bytes);
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
      // The checksum is right, but it is not a state of this simulation.
    }
    this.#isForged = true;
    // Later states may come from another bad keyframe, one without a checkpoint.
    this.#seekPoints.keepFirst();
    this.#report({ tick, keyframe: true });
    return false;
  }

  /** Whether the current state contradicts the checkpoint of its tick. */
  #contradicts(tick: number): boolean {
    const { checkpoints } = this.replay;
    const index = checkpoints.indexOf(tick);
    return index >= 0 && !checkpoints.agrees(index, this.#session.hash(this.#hash));
  }

  /** Returns the tick of the last usable keyframe at a tick or before it, or -1. */
  #keyframeBefore(tick: number): number {
    if (this.#isForged) return -1;
    const { states, checkpoints } = this.replay;
    let index = states.indexBefore(tick);
    // A keyframe without a checkpoint of its tick is not confirmed by anything.
    if (checkpoints.count > 0) while (index >= 0 && checkpoints.indexOf(states.tickOf(index)) < 0) index--;
    return index < 0 ? -1 : states.tickOf(index);
  }

  /** Compares the state that a step has reached, and keeps it if it is due. */
  #passed(tick: number): void {
    if (this.#isLive) return;
    if (this.#seekPoints.wants(tick) && this.#keyframeBefore(tick) !== tick)
      this.#seekPoints.add(tick, this.#session.bytes());
    const { checkpoints } = this.replay;
    if (checkpoints.tickOf(this.#checkpoint) !== tick) {
      // Usually it is the next checkpoint.
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

  /** Calls `diverged`, once the step or seek is over, as the callback may seek. */
  #reportDivergences(): void {
    for (let next; (next = this.#unreported.shift());) this.#diverged?.(next);
  }
}

/** Creates a player for a recording, at its first state. Run it with `drive`, or see `playReplay`. */
export function replayPlayer<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number,
  C extends CommandFields,
>(
  simulation: Simulation<S, I, E, X, P, C>,
  replay: Replay,
  options: PlayerOptions = {},
): ReplayPlayer<S, I, E, X, P, C> {
  requireReplay("replayPlayer", replay, simulation);
  requireOptions("replayPlayer", options, PLAYER_OPTIONS);
  if (options.rewind !== undefined) requireType("replayPlayer: rewind", options.rewind, "boolean", false);
  if (options.diverged !== undefined) requireFunction("replayPlayer: diverged", options.diverged);
  return new ReplayPlayer(simulation, replay, options);
}
