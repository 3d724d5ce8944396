import { badValue, requireNumber, requireOptions, requireType, requireWhole } from "../errors/index.js";
import type { Loop } from "../loop/index.js";
import { readerOf } from "./audio-driver.js";
import { ContextReader, requireContext, type AudioClockContext } from "./context-reader.js";

/** Options of `audioClock`. */
export interface AudioClockOptions {
  /**
   * Seconds from the moment that something is shown to the moment that it is heard: from -1 to 1. Sounds that are asked for too
   * late for it start at once, and unevenly. Default: what the sound output takes, plus 25 ms, which is enough at 60 frames per
   * second; 0 for a loop on an `audioDriver`, where the picture follows the sound.
   */
  delay?: number | undefined;
  /**
   * Seconds that the sound takes besides what the browser reports, from 0 to 1: as a player calibrates it for wireless
   * headphones. For a loop on an `audioDriver`, set it there. Default 0.
   */
  extraLatency?: number | undefined;
}

/** A loop; or a loop and the session that it runs, such as what `drive` and `play` return. */
export type AudioSubject = Loop | { readonly loop: Loop; readonly session: { readonly tick: number } };

/** Maps ticks and shown time to the time of an `AudioContext`. Create one with `audioClock`. */
export interface AudioClock<C extends AudioClockContext = AudioClockContext> {
  readonly context: C;
  readonly loop: Loop;
  /** Whether the context's time runs. Play nothing while it does not: a suspended context would play all of it on return. */
  readonly isRunning: boolean;
  /** Seconds from picture to sound: see the option. */
  readonly delay: number;
  /** Seconds that the sound output takes, as measured or as the browser says; 0 if unknown. */
  readonly latency: number;
  /** How much faster the context runs than the clock of the page: 0.0001 is 100 parts in a million. */
  readonly drift: number;
  /** How many moments had passed when they were asked for, so that their sounds started late. If it grows, raise `delay`. */
  readonly late: number;
  /**
   * Returns when to start a sound that belongs to `tick`: the context time at which `shownTime` reaches `tick / rate`, plus
   * `delay`, to the nearest sample and never in the past. Infinity if that moment is not in sight, as the context does not run,
   * or the game is paused before it.
   */
  timeOf(tick: number): number;
  /**
   * Returns the same for an effect of the session, or of step `tick` of the loop. `fraction` says when within the step it happened,
   * from 0 to 1. Default 1: at its end, with state `tick + 1`.
   */
  timeOfEffect(effect: { readonly tick: number }, fraction?: number): number;
  /** Returns the same for a shown time, in seconds. */
  timeOfShown(seconds: number): number;
  /** Returns the shown time whose sound a context time is, at the current speed. It may lie in the future. */
  shownAt(contextTime: number): number;
  /** Returns the context time that is heard at a moment: milliseconds of performance.now(), such as `event.timeStamp`. */
  timeAt(timestamp: number): number;
  /** Returns when a context time is heard: milliseconds of performance.now(). */
  timestampAt(contextTime: number): number;
  /** Stops listening to the loop. */
  dispose(): void;
}

/** Seconds between the picture and its sound, besides the latency of the output: a frame at 60 Hz, and what callbacks take. */
const SLACK = 0.025;
/** Seconds or samples by which sums may be off. */
const ROUNDING = 1e-6;

/** Creates a clock that maps ticks and shown time of a loop to the time of an `AudioContext`. */
export function audioClock<C extends AudioClockContext>(
  context: C,
  subject: AudioSubject,
  options: AudioClockOptions = {},
): AudioClock<C> {
  requireOptions(
    "audioClock",
    options,
    Object.keys({ delay: 1, extraLatency: 1 } satisfies Record<keyof AudioClockOptions, 1>),
    "{ delay: 0.05 }",
  );
  requireContext("audioClock", context);
  const loop = subject !== null && typeof subject === "object" && "loop" in subject ? subject.loop : subject;
  if (typeof loop?.timestampOf !== "function")
    badValue("audioClock: loop", "a Loop, or what drive returned", subject, "new Loop({ rate: 60 })");
  if (options.delay !== undefined) requireNumber("audioClock: delay", options.delay, -1, 1, 0.05);
  const { extraLatency = 0 } = options;
  requireNumber("audioClock: extraLatency", extraLatency, 0, 1, 0.1);
  return new LoopAudioClock(context, loop, subject, options.delay, extraLatency);
}

class LoopAudioClock<C extends AudioClockContext> implements AudioClock<C> {
  late = 0;
  readonly #own: ContextReader;
  #driver: Loop["driver"];
  readonly #off: () => void;

  constructor(
    readonly context: C,
    readonly loop: Loop,
    private readonly subject: AudioSubject,
    private readonly setDelay: number | undefined,
    extraLatency: number,
  ) {
    this.#driver = loop.driver;
    this.#own = new ContextReader(context, () => loop.driver?.now() ?? loop.frameEnd, extraLatency);
    this.#off = loop.on("beforeRender", () => void this.#read());
  }

  get isRunning(): boolean {
    return this.#read().isRunning;
  }
  get delay(): number {
    return this.setDelay ?? (this.#isAudioDriven ? 0 : this.latency + SLACK);
  }
  get latency(): number {
    return this.#reader.line.latency;
  }
  get drift(): number {
    return this.#reader.line.drift;
  }

  timeOf(tick: number): number {
    requireWhole("AudioClock.timeOf: tick", tick, 0, "clock.loop.tick");
    return this.#startOf(tick);
  }

  timeOfEffect(effect: { readonly tick: number }, fraction = 1): number {
    requireType("AudioClock.timeOfEffect: effect", effect, "object", "{ tick: loop.tick }");
    requireWhole("AudioClock.timeOfEffect: tick", effect.tick, 0, 0);
    requireNumber("AudioClock.timeOfEffect: fraction", fraction, 0, 1, 0.5);
    const { loop, subject } = this;
    // The ticks of a session differ from those of its loop after a seek, a load or a stall.
    const { tick } = "session" in subject ? subject.session : loop;
    return this.#startOf(loop.tick + (effect.tick - tick + fraction));
  }

  timeOfShown(seconds: number): number {
    requireNumber("AudioClock.timeOfShown: seconds", seconds, 0, 1e9, "clock.loop.shownTime");
    // From the current tick, as the rate may have been another before.
    const { loop } = this;
    return this.#startOf(loop.tick + (seconds - loop.time) / loop.dt);
  }

  shownAt(contextTime: number): number {
    requireNumber("AudioClock.shownAt: contextTime", contextTime, -1e9, 1e9, "clock.context.currentTime");
    const { loop } = this;
    const time = contextTime - this.delay;
    const timestamp = this.#isAudioDriven ? time * 1000 : this.#read().line.timestampAt(time);
    return loop.shownTime + ((timestamp - loop.frameEnd) / 1000) * loop.speed;
  }

  timeAt(timestamp: number): number {
    requireNumber("AudioClock.timeAt: timestamp", timestamp, -1e15, 1e15, "event.timeStamp");
    return this.#read().line.timeAt(timestamp);
  }

  timestampAt(contextTime: number): number {
    requireNumber("AudioClock.timestampAt: contextTime", contextTime, -1e9, 1e9, "clock.context.currentTime");
    return this.#read().line.timestampAt(contextTime);
  }

  dispose(): void {
    this.#off();
  }

  /** The reader of the loop's driver, if that follows this context. */
  get #reader(): ContextReader {
    const shared = this.loop.driver && readerOf(this.loop.driver);
    return shared?.context === this.context ? shared : this.#own;
  }

  get #isAudioDriven(): boolean {
    return this.#reader !== this.#own;
  }

  #read(): ContextReader {
    const { driver } = this.loop;
    // Another driver may have another clock.
    if (driver !== this.#driver) this.#own.clear();
    this.#driver = driver;
    const reader = this.#reader;
    reader.read();
    return reader;
  }

  /** Returns when the sound of a tick starts, which may have a fraction. */
  #startOf(tick: number): number {
    const { loop, context } = this;
    const { isRunning, line } = this.#read();
    const isShown = loop.time + (tick - loop.tick) * loop.dt <= loop.shownTime + ROUNDING;
    const timestamp = this.#timestampOf(Math.max(0, tick));
    // What is already shown was so in this frame at the latest, even if time has stopped since.
    const moment = isShown ? Math.min(timestamp, loop.frameEnd) : timestamp;
    if (!isRunning || moment === Infinity) return Infinity;
    const heard = this.#isAudioDriven ? moment / 1000 : line.timeAt(moment);
    const sample = Math.round((heard + this.delay) * context.sampleRate);
    const first = Math.ceil(context.currentTime * context.sampleRate - ROUNDING);
    if (sample < first) this.late++;
    return Math.max(sample, first) / context.sampleRate;
  }

  #timestampOf(tick: number): number {
    const whole = Math.floor(tick);
    const from = this.loop.timestampOf(whole);
    const part = tick - whole;
    return part === 0 || from === Infinity ? from : from + part * (this.loop.timestampOf(whole + 1) - from);
  }
}
