import { measure, onOverload, timeScale, type Loop, type StepTimer } from "../loop/index.js";
import {
  drive,
  localSession,
  type AnySimulation,
  type Drive,
  type Guard,
  type LocalSession,
  type PackedCommand,
} from "../sim/index.js";
import type { Port } from "./port.js";
import {
  dataOf,
  marked,
  type Call,
  type LoopState,
  type Start,
  type ToPage,
  type Wants,
} from "./protocol.js";
import { publisherOf, type Publisher } from "./publisher.js";
import { StepReport } from "./step-report.js";
import { WorkerCalls } from "./worker-calls.js";
import { WorkerInputs } from "./worker-inputs.js";
import { WorkerMoments } from "./worker-moments.js";
import type { WorkerPlatform } from "./worker-platform.js";

/** What the worker's program decides about each session. */
export interface RunOptions {
  readonly guard?: Guard | undefined;
  /** Attaches parts to the loop. */
  readonly onLoop?: ((loop: Loop) => void) | undefined;
}

/** One session in the worker, from its start to its stop: steps it in real time, and publishes each state. */
export class WorkerRun {
  readonly inputs: WorkerInputs;
  readonly #port: Port;
  readonly #start: Start;
  readonly #now: () => number;
  readonly #session: LocalSession;
  readonly #timer: StepTimer;
  readonly #drive: Drive<LocalSession>;
  readonly #publisher: Publisher;
  readonly #moments: WorkerMoments;
  readonly #report: StepReport;
  readonly #calls: WorkerCalls;
  #settings: LoopState;
  #savedAt: number;
  /** A forced step is running, whose state is published after it. */
  #isForced = false;
  #isStopped = false;

  constructor(
    game: AnySimulation,
    port: Port,
    start: Start,
    { now, timer }: WorkerPlatform,
    { guard, onLoop }: RunOptions,
  ) {
    this.#port = port;
    this.#start = start;
    this.#now = now;
    this.#settings = start.settings;
    this.#savedAt = now();
    this.inputs = new WorkerInputs(game, start);
    this.#session = localSession(game, {
      seed: start.seed,
      kernels: start.kernels,
      history: start.history,
      inputs: this.inputs,
      present: "none",
      guard,
    }) as LocalSession;
    this.#timer = timer({
      due: () => (this.#moments as WorkerMoments | undefined)?.nextDue ?? Infinity,
      onError: (error) => this.#fail(error),
    });
    let driven: Drive<LocalSession> | undefined;
    try {
      if (start.from) this.#session.load(start.from);
      this.#publisher = publisherOf(port, start, game.layout.size);
      this.#report = new StepReport(this.#session, start.wants);
      driven = this.#begin();
      onLoop?.(driven.loop);
    } catch (error) {
      driven?.loop.stop();
      this.#session.dispose();
      throw error;
    }
    this.#drive = driven;
    this.#moments = new WorkerMoments(this.#drive, this.#publisher, start.start, now);
    this.#calls = new WorkerCalls(game, this.#drive, this.#moments, this.#report, () => this.#onLoad());
    this.#moments.publishFirst();
    this.#post({ kind: "ready", start: start.start });
    if (!start.settings.isPaused) this.#change(() => this.#loop.resume());
  }

  /** Starts the loop, paused. */
  #begin(): Drive<LocalSession> {
    const { timeScale: scale, maxFrameTime, maxSteps } = this.#settings;
    const driven = drive(this.#session, { driver: this.#timer, maxFrameTime, maxSteps });
    const { loop } = driven;
    loop.pause();
    timeScale(loop).set(scale);
    measure(loop);
    loop.on("afterStep", () => this.#afterStep());
    onOverload(loop, ({ lost, tick }) =>
      this.#post({ kind: "overload", start: this.#start.start, lost, tick }),
    );
    return driven;
  }

  get #loop(): Loop {
    return this.#drive.loop;
  }

  get tick(): number {
    return this.#session.tick;
  }

  #post(message: ToPage): void {
    this.#port.post(marked(message));
  }

  /** Changes how the loop runs: what has happened until now still counts as before. */
  #change(change: () => void): void {
    this.#timer.wake();
    if (this.#isStopped) return;
    change();
    this.#moments.revise();
    this.#timer.wake();
  }

  set settings(settings: LoopState) {
    const { isPaused, timeScale: scale, maxFrameTime, maxSteps } = settings;
    const before = this.#settings;
    this.#settings = settings;
    this.#change(() => {
      const loop = this.#loop;
      // Only what has changed: `onLoop` may have set the rest.
      if (maxFrameTime !== before.maxFrameTime) loop.maxFrameTime = maxFrameTime;
      if (maxSteps !== before.maxSteps) loop.maxSteps = maxSteps;
      if (scale !== before.timeScale) timeScale(loop).set(scale);
      if (isPaused) loop.pause();
      else loop.resume();
    });
  }

  hitStop(seconds: number): void {
    this.#change(() => timeScale(this.#loop).hitStop(seconds));
  }

  /** Takes single steps. Each is shown as if the loop had taken it. */
  runSteps(count: number): void {
    this.#change(() => {
      this.#isForced = true;
      try {
        for (let left = count; left > 0 && !this.#isStopped; left--) {
          if (left === 1) this.#moments.jump();
          this.#loop.runSteps(1);
        }
      } catch (error) {
        this.#fail(error);
      } finally {
        this.#isForced = false;
      }
    });
  }

  set wants(wants: Wants) {
    this.#report.wants = wants;
  }

  command(command: PackedCommand): void {
    this.#session.issue(command);
  }

  takeBack(buffer: ArrayBuffer): void {
    this.#publisher.takeBack(buffer);
  }

  /** Publishes the state after a step of the loop, and what the step has brought. */
  #afterStep(): void {
    // The page has stopped the session in the meantime.
    if (this.#isStopped) return;
    const moments = this.#moments;
    // `runSteps` publishes the state of a forced step.
    const moment = this.#isForced ? undefined : moments.publishStep();
    const report = this.#report.take(this.#start.start, moments.jumps);
    if (report) this.#post(report);
    const isAhead = this.#start.present === "speculate" && !this.#session.rewinding;
    if (moment !== undefined && isAhead) moments.publishAhead(moment);
    this.#saveIfDue();
  }

  #saveIfDue(): void {
    const { saveEvery, start } = this.#start;
    if (saveEvery === 0 || this.#now() - this.#savedAt < 1000 * saveEvery) return;
    this.#savedAt = this.#now();
    this.#post({ kind: "saved", start, tick: this.tick, bytes: this.#session.bytes() });
  }

  #onLoad(): void {
    this.#post({ kind: "load", start: this.#start.start, jumps: this.#moments.jumps, tick: this.tick });
  }

  /** Does what the page has asked for, and sends the result. */
  call(id: number, call: Call): void {
    const { start } = this.#start;
    try {
      this.#timer.wake();
      const value = this.#isStopped ? undefined : this.#calls.run(call);
      this.#post({ kind: "result", start, id, value, error: undefined });
    } catch (error) {
      this.#post({ kind: "result", start, id, value: undefined, error: dataOf(error) });
    }
  }

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#post({ kind: "failed", start: this.#start.start, tick: this.tick, error: dataOf(error) });
    this.stop();
  }

  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#drive.loop.stop();
    try {
      this.#drive.dispose();
    } catch {
      // It was stopped inside a step: its memory is freed with the thread.
    }
  }
}
