import { systemNow } from "../platform/index.js";
import { badValue } from "../errors/index.js";
import { ContextLine } from "./context-line.js";

/** What a clock needs of an `AudioContext`. */
export interface AudioClockContext {
  readonly state: string;
  readonly currentTime: number;
  readonly sampleRate: number;
  readonly baseLatency?: number;
  readonly outputLatency?: number;
  getOutputTimestamp?(): { readonly contextTime?: number; readonly performanceTime?: number };
}

/** Throws unless a value looks like a context. */
export function requireContext(call: string, context: AudioClockContext): void {
  const { sampleRate, currentTime } = context ?? {};
  if (!(typeof sampleRate === "number" && sampleRate > 0 && typeof currentTime === "number"))
    badValue(`${call}: context`, "an AudioContext", context, "new AudioContext()");
}

/** Milliseconds between readings, at least: the browser allocates for each. */
const INTERVAL = 12;
/** A context that claims to run, but whose time has not changed for this long, does not run. Safari has such contexts. */
const FROZEN = 1000;
/** Before this context time, in seconds, output timestamps are not reliable. */
const WARM_UP = 0.05;
/** Longer latencies, in seconds, are mistakes of the browser. */
const MAX_LATENCY = 1;

const NONE: { readonly contextTime?: number; readonly performanceTime?: number } = {};

/** Reads the clocks of a context, and checks what browsers say about them. */
export class ContextReader {
  readonly line: ContextLine;
  readonly context: AudioClockContext;
  /** Whether the context's time advanced at the last reading. */
  #ran = false;
  #readAt: number;
  #currentTime: number;
  #changedAt: number;

  /** `extraLatency`, in seconds, is what the browser does not know. */
  constructor(context: AudioClockContext, extraLatency = 0) {
    this.line = new ContextLine(extraLatency);
    this.context = context;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.#readAt = this.#currentTime = this.#changedAt = 0.5;
    this.clear();
  }

  /** Whether the context's time advances. */
  get isRunning(): boolean {
    return this.#ran && this.context.state === "running";
  }

  /** Starts again: the clock is another one now. */
  clear(): void {
    this.line.clear();
    this.#ran = false;
    this.#readAt = this.#changedAt = -Infinity;
    this.#currentTime = -1;
  }

  /** Takes a reading, at `now` milliseconds of the clock that context times are compared with. Call it in each frame. */
  read(now: number): void {
    const { context, line } = this;
    const { currentTime } = context;
    if (currentTime !== this.#currentTime) this.#changedAt = now;
    this.#currentTime = currentTime;
    const isRunning = context.state === "running" && currentTime > 0 && now - this.#changedAt < FROZEN;
    // The time that was suspended is missing from the context's time.
    if (isRunning !== this.#ran) line.clear();
    this.#ran = isRunning;
    const elapsed = now - this.#readAt;
    if (!isRunning || (elapsed >= 0 && elapsed < INTERVAL)) return;
    this.#readAt = now;
    const { contextTime = NaN, performanceTime = NaN } = context.getOutputTimestamp?.() ?? NONE;
    // By its age, as `now` may be another clock than performance.now().
    const age = systemNow() - performanceTime;
    // Safari before 17.4 divides context times by the sample rate: they are always small.
    const isPlausible =
      contextTime >= WARM_UP &&
      currentTime - contextTime >= 0 &&
      currentTime - contextTime <= MAX_LATENCY &&
      Math.abs(age) <= MAX_LATENCY * 1000;
    line.add(
      now,
      currentTime,
      isPlausible ? now - age : NaN,
      isPlausible ? contextTime : NaN,
      latencyOf(context),
    );
  }
}

/** What the context says about its latency, in seconds: 0 if it says nothing that can be true. */
function latencyOf({ outputLatency, baseLatency }: AudioClockContext): number {
  return isLatency(outputLatency) ? outputLatency : isLatency(baseLatency) ? baseLatency : 0;
}

const isLatency = (value: number | undefined): value is number =>
  typeof value === "number" && value > 0 && value <= MAX_LATENCY;
