import type { StepDriver } from "../drivers/index.js";
import type { OverloadInfo } from "../loop/index.js";
import type { AnyEffect } from "../sim/effects.js";
import {
  drive,
  localSession,
  syncTest,
  type AnySimulation,
  type ConfirmedTick,
  type Drive,
  type Guard,
  type LocalSession,
  type PackedCommand,
} from "../sim/index.js";
import { LIVE } from "../state/index.js";
import type { Port } from "./port.js";
import {
  dataOf,
  marked,
  type Call,
  type LoopState,
  type Report,
  type Start,
  type ToPage,
  type Wants,
} from "./protocol.js";
import { publisherOf, type Publisher } from "./publisher.js";
import {
  HEAD_JUMPS,
  HEAD_FIRST,
  HEAD_FLAGS,
  HEAD_FROM,
  HEAD_LAST,
  HEAD_MOMENT,
  HEAD_READY,
  HEAD_SINCE,
  HEAD_SPAN,
  HEAD_START,
  HEAD_TICK,
  HEAD_TIMELINE,
  IS_REVISION,
  IS_REWINDING,
  IS_SPECULATED,
} from "./state-head.js";
import { WorkerInputs } from "./worker-inputs.js";

/** The clock and the driver of a worker. Tests have their own. */
export interface WorkerPlatform {
  readonly now: () => number;
  readonly timeOrigin: number;
  readonly driver: (options: { due: () => number; onError: (error: unknown) => void }) => StepDriver;
}

/** One session in the worker, from its start to its stop: steps it in real time, and publishes each state. */
export class WorkerRun {
  readonly inputs: WorkerInputs;
  readonly #game: AnySimulation;
  readonly #port: Port;
  readonly #start: Start;
  readonly #platform: WorkerPlatform;
  readonly #session: LocalSession;
  readonly #driver: StepDriver;
  readonly #drive: Drive<LocalSession>;
  readonly #publisher: Publisher;
  #settings: LoopState;
  #wants: Wants;
  #needsState: boolean;
  #jumps = 0;
  /** What the current step has brought. */
  #effects: AnyEffect[] = [];
  #confirmed: Report["confirmed"];
  #savedAt: number;
  /** A forced step is running, whose state is published after it. */
  #isForced = false;
  #isStopped = false;

  constructor(
    game: AnySimulation,
    port: Port,
    start: Start,
    platform: WorkerPlatform,
    guard: Guard | undefined,
  ) {
    this.#game = game;
    this.#port = port;
    this.#start = start;
    this.#platform = platform;
    this.#settings = start.settings;
    this.#wants = start.wants;
    this.#needsState = start.wants.needsState;
    this.#savedAt = platform.now();
    this.inputs = new WorkerInputs(game, start);
    this.#session = localSession(game, {
      seed: start.seed,
      kernels: start.kernels,
      history: start.history,
      inputs: this.inputs,
      present: "none",
      guard,
    }) as LocalSession;
    try {
      if (start.from) this.#session.load(start.from);
      this.#publisher = publisherOf(port, start, game.layout.size);
      this.#session.on("confirmed", (confirmed) => this.#onConfirmed(confirmed));
      if (start.wants.effects) this.#listenToEffects();
      this.#driver = platform.driver({
        due: () => this.#nextDue(),
        onError: (error) => this.#fail(error),
      });
      this.#drive = this.#begin();
    } catch (error) {
      this.#session.dispose();
      throw error;
    }
    this.#setFlags(0);
    this.#publishAt(LIVE, this.#now, Infinity, 0, 1);
    this.#post({ kind: "ready", start: start.start });
    if (!start.settings.isPaused) this.#change(() => this.#loop.resume());
  }

  /** Starts the loop, paused. */
  #begin(): Drive<LocalSession> {
    const { policy, timeScale } = this.#settings;
    const settings = Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));
    const driven = drive(this.#session, { ...settings, timeScale, driver: this.#driver, pacing: "raw" });
    driven.loop.pause();
    driven.loop.on("step", () => this.#afterStep());
    driven.loop.on("overload", (info) => this.#onOverload(info));
    return driven;
  }

  /** When the next step is due. */
  #nextDue(): number {
    const driven = this.#drive as Drive<LocalSession> | undefined;
    if (!driven) return Infinity;
    const { loop } = driven;
    if (loop.paused || loop.timeScale === 0) return Infinity;
    // State 0 is shown from the beginning, not only when the first step is due.
    return loop.tick > 0 ? loop.timestampOf(loop.tick) : loop.timestampOf(1) - this.#span;
  }

  /** How long a step takes at the current speed, in milliseconds. */
  get #span(): number {
    const { dt, timeScale, pace } = this.#loop;
    return (1000 * dt) / (timeScale * pace);
  }

  get #loop() {
    return this.#drive.loop;
  }

  get #now(): number {
    return this.#platform.now();
  }

  get tick(): number {
    return this.#session.tick;
  }

  #post(message: ToPage): void {
    this.#port.post(marked(message));
  }

  /** Changes how the loop runs: what has happened until now still counts as before. */
  #change(change: () => void): void {
    this.#driver.wake();
    if (this.#isStopped) return;
    change();
    this.#revise();
    this.#driver.wake();
  }

  /** Publishes the newest state again, as it will be shown at another moment than was thought. */
  #revise(): void {
    const loop = this.#loop;
    const since = loop.frameEnd;
    const moment = this.#nextDue();
    this.#setFlags(IS_REVISION);
    // A hit-stop comes first: the picture stands still until then.
    this.#publishAt(LIVE, since, moment, (1 - loop.alpha) * this.#span, loop.alpha);
  }

  /** Publishes the newest state as one that nothing leads to: the picture jumps there. */
  #jump(): void {
    this.#setFlags(IS_REVISION);
    const since = this.#loop.frameEnd;
    this.#publishAt(LIVE, since, since, 0, 1);
  }

  set settings(settings: LoopState) {
    const { isPaused, timeScale, policy } = settings;
    const before = this.#settings;
    this.#settings = settings;
    this.#change(() => {
      const loop = this.#loop;
      const changed = Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));
      loop.configure(changed);
      if (timeScale !== before.timeScale) loop.timeScale = timeScale;
      if (isPaused) loop.pause();
      else loop.resume();
    });
  }

  hitStop(seconds: number): void {
    this.#change(() => this.#loop.hitStop(seconds));
  }

  /** Takes single steps. Each is shown as if the loop had taken it. */
  runSteps(count: number): void {
    this.#change(() => {
      this.#isForced = true;
      try {
        for (let left = count; left > 0 && !this.#isStopped; left--) {
          if (left === 1) this.#jump();
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
    if (wants.effects && !this.#wants.effects) this.#listenToEffects();
    this.#wants = wants;
    this.#needsState ||= wants.needsState;
  }

  #listenToEffects(): void {
    this.#session.on("effect", (effect) => this.#effects.push(effect as AnyEffect));
  }

  command(command: PackedCommand): void {
    this.#session.issue(command);
  }

  #onConfirmed({ tick, words, commands, absent, hash, bytes }: ConfirmedTick): void {
    const { confirmed, hashEvery, bytesEvery } = this.#wants;
    if (!confirmed) return;
    const isBytes = this.#needsState || isMultiple(tick + 1, bytesEvery);
    // A recorder stores a checkpoint with each keyframe.
    const isHash = isBytes || isMultiple(tick + 1, hashEvery);
    this.#confirmed = {
      words,
      commands,
      absent,
      hash: isHash ? hash() : undefined,
      bytes: isBytes ? bytes() : undefined,
    };
    this.#needsState = false;
  }

  /** Publishes the state after a step of the loop, and what the step has brought. */
  #afterStep(): void {
    // The page has stopped the session in the meantime, or the step is published by `runSteps`.
    if (this.#isStopped) return;
    const loop = this.#loop;
    const session = this.#session;
    const span = this.#span;
    const moment = this.#isForced ? Infinity : loop.timestampOf(loop.tick + 1);
    if (!this.#isForced) {
      const { rewinding } = session;
      this.#setFlags(rewinding ? IS_REWINDING : 0);
      this.#publishAt(rewinding ? session.rewindAside() : LIVE, -Infinity, moment, span, 0);
    }
    this.#report();
    if (!this.#isForced && this.#start.present === "speculate" && !session.rewinding) {
      const next = session.speculateAside();
      if (next >= 0) {
        this.#setFlags(IS_SPECULATED);
        this.#publishAt(next, -Infinity, moment + span, span, 0);
      }
    }
    this.#saveIfDue();
  }

  #setFlags(flags: number): void {
    this.#publisher.head[HEAD_FLAGS] = flags;
  }

  #publishAt(snapshot: number, since: number, moment: number, span: number, from: number): void {
    const { head } = this.#publisher;
    const session = this.#session;
    const { state } = session;
    const cursor = session.rewindCursor;
    head[HEAD_START] = this.#start.start;
    head[HEAD_SINCE] = since;
    head[HEAD_MOMENT] = moment;
    head[HEAD_SPAN] = span;
    head[HEAD_FROM] = from;
    head[HEAD_TICK] = snapshot === LIVE ? state.tick : cursor >= 0 ? cursor : state.tickOf(snapshot);
    // What a rewind shows is not a state of the timeline.
    head[HEAD_TIMELINE] = cursor >= 0 ? NaN : state.timelineOf(snapshot);
    head[HEAD_JUMPS] = this.#jumps;
    head[HEAD_FIRST] = session.first;
    head[HEAD_LAST] = session.last;
    head[HEAD_READY] = this.#now;
    this.#publisher.publish(state, snapshot);
  }

  takeBack(buffer: ArrayBuffer): void {
    this.#publisher.takeBack(buffer);
  }

  /** Tells the page what a step has brought. */
  #report(): void {
    const effects = this.#effects;
    const confirmed = this.#confirmed;
    if (effects.length === 0 && !confirmed) return;
    this.#effects = [];
    this.#confirmed = undefined;
    this.#post({
      kind: "report",
      start: this.#start.start,
      jumps: this.#jumps,
      tick: this.tick - 1,
      effects: effects.length > 0 ? effects : undefined,
      confirmed,
    });
  }

  #saveIfDue(): void {
    const { saveEvery, start } = this.#start;
    if (saveEvery === 0 || this.#now - this.#savedAt < 1000 * saveEvery) return;
    this.#savedAt = this.#now;
    this.#post({ kind: "saved", start, tick: this.tick, bytes: this.#session.bytes() });
  }

  #onOverload({ lost, debt, tick }: OverloadInfo): void {
    this.#post({ kind: "overload", start: this.#start.start, lost, debt, tick });
  }

  /** Does what the page has asked for, and sends the result. */
  call(id: number, call: Call): void {
    const { start } = this.#start;
    try {
      this.#driver.wake();
      const value = this.#isStopped ? undefined : this.#called(call);
      this.#post({ kind: "result", start, id, value, error: undefined });
    } catch (error) {
      this.#post({ kind: "result", start, id, value: undefined, error: dataOf(error) });
    }
  }

  #called(call: Call): unknown {
    const session = this.#session;
    switch (call.name) {
      case "seek":
        return this.#leaveCourse(() => session.seek(call.tick));
      case "load":
        this.#leaveCourse(() => session.load(call.bytes));
        return this.#post({
          kind: "load",
          start: this.#start.start,
          jumps: this.#jumps,
          tick: session.tick,
        });
      case "rewind":
        session.rewind(call.speed);
        this.#needsState = true;
        return undefined;
      case "endRewind":
        return this.#leaveCourse(() => session.endRewind());
      case "save":
        return session.bytes();
      case "hash":
        return { tick: session.tick, hash: session.hash() };
      case "stats":
        return this.#loop.stats.toJSON();
      case "syncTest":
        return syncTest(this.#game, call.options);
    }
  }

  /** Goes to another state. */
  #leaveCourse(go: () => void): void {
    go();
    this.#jumps++;
    this.#needsState = true;
    this.#jump();
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

const isMultiple = (tick: number, every: number): boolean => every > 0 && tick % every === 0;
