import { requireArguments, requireFunction, requireSynchronous } from "../../errors/index.js";
import { BeatPhase, nextBeat } from "./beat-phase.js";
import { type ExactRate, exactRate, type Rate } from "../rate.js";
import { stepInProgress } from "../rate-in-step.js";
import { call } from "../frames.js";
import type { FrameInfo, StepInfo, Writable } from "../info.js";
import { ListenerList } from "../listener-list.js";
import type { Loop } from "../loop.js";
import type { LoopEvents, Part } from "../part.js";
import { onePerLoop } from "./one-per-loop.js";
import { unknownName } from "../../errors/index.js";

/** Events of a beat. Its "steps" are the calls of its callback. */
export type BeatEvents = Pick<LoopEvents, "enterStep" | "leaveStep" | "beforeRender" | "reset">;

/** A callback at a further rate, in exact phase with the steps. */
export interface Beat {
  /** Number of the next beat. For a beat declared before the first step, the count of beats that ran. */
  readonly tick: number;
  /**
   * Where the picture lies between the second to last beat (0) and the last one (1). Grows from 0 to 1 until the next beat
   * runs: evenly, if the beat's rate divides the loop's.
   */
  readonly alpha: number;
  /**
   * Listens to the beat, as `smooth(beat, …)` does: before and after each call of its callback, and before each frame, with
   * the beat's `tick` and `alpha`. Returns the function that removes the listener.
   */
  on<E extends keyof BeatEvents>(event: E, listener: (info: BeatEvents[E]) => void): () => void;
  /** Ends the beat. */
  dispose(): void;
}

/** Calls `run` at a further rate: beat k just before the first step n with n / rate ≥ k / its rate. */
export function every(loop: Loop, rate: Rate, run: (info: StepInfo) => void): Beat {
  requireArguments("every", arguments.length, 3);
  requireFunction("every: run", run);
  const beat = new LoopBeat(loop, exactRate("every: rate", rate), run);
  beatsOf(loop).add(beat);
  return beat;
}

/** The beats of a loop. */
class Beats implements Part {
  readonly name = "every";
  #beats: readonly LoopBeat[] = [];
  /** The step whose beats are running or have run. */
  #step = -1;

  constructor(private readonly loop: Loop) {}

  add(beat: LoopBeat): void {
    // A beat that is declared inside a step starts with the next step.
    beat.phase.join(this.loop.kernel, Math.max(this.loop.tick - 1, this.#step));
    this.#beats = [...this.#beats.filter(({ phase }) => !phase.isOver), beat];
  }

  beat({ tick }: StepInfo): void {
    this.#step = tick;
    for (let beat = nextBeat(this.#beats, tick); beat; beat = nextBeat(this.#beats, tick)) beat.run();
  }

  rate(): void {
    const { kernel, frame, tick } = this.loop;
    for (const { phase } of this.#beats) phase.follow(kernel, tick, frame.tick - 1 + frame.alpha);
  }

  reset(): void {
    this.#step = -1;
    for (const { phase } of this.#beats) phase.join(this.loop.kernel, -1);
  }
}

const beatsOf = onePerLoop("every", (loop) => {
  const part = new Beats(loop);
  loop.use(part);
  return part;
});

class LoopBeat implements Beat {
  readonly phase: BeatPhase;
  readonly #enter = new ListenerList<StepInfo>();
  readonly #leave = new ListenerList<StepInfo>();
  readonly #info: Writable<StepInfo>;

  constructor(
    private readonly loop: Loop,
    private readonly rate: ExactRate,
    private readonly callback: (info: StepInfo) => void,
  ) {
    this.phase = new BeatPhase(rate);
    this.#info = { tick: 0, dt: rate[1] / rate[0], time: 0.5 };
  }

  get tick(): number {
    return this.phase.tick;
  }

  get alpha(): number {
    const { tick, alpha } = this.loop.frame;
    return this.phase.progressAt(tick - 1 + alpha);
  }

  on<E extends keyof BeatEvents>(event: E, listener: (info: BeatEvents[E]) => void): () => void {
    requireFunction("Beat.on: listener", listener);
    if (event === "enterStep") return this.#enter.add(listener as (info: StepInfo) => void);
    if (event === "leaveStep") return this.#leave.add(listener as (info: StepInfo) => void);
    if (event === "reset") return this.loop.on("reset", listener as () => void);
    if (event === "beforeRender") return this.#onFrame(listener as (info: FrameInfo) => void);
    return unknownName("Beat.on", "event", event, ["enterStep", "leaveStep", "beforeRender", "reset"]);
  }

  /** Calls a listener before each frame, with the beat's tick and alpha. */
  #onFrame(listener: (info: FrameInfo) => void): () => void {
    const info: Writable<FrameInfo> = { ...this.loop.frame, alpha: 0.5, shownTime: 0.5 };
    return this.loop.on("beforeRender", (frame) => {
      Object.assign(info, frame);
      info.alpha = this.alpha;
      info.tick = this.tick;
      listener(info);
    });
  }

  dispose(): void {
    this.phase.isOver = true;
  }

  run(): void {
    const info = this.#info;
    const outer = stepInProgress.rate;
    info.tick = this.tick;
    info.time = (this.tick * this.rate[1]) / this.rate[0];
    stepInProgress.rate = this.rate;
    try {
      call(this.#enter, info);
      requireSynchronous("every: run", this.callback(info));
      call(this.#leave, info);
    } finally {
      stepInProgress.rate = outer;
    }
    this.phase.next();
  }
}
