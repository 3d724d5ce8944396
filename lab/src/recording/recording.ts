import type { DisplayFrame } from "../../../scenes/display.js";
import { findRefreshes } from "../smooth/lattice.js";
import { readTrace, TraceError, writeTrace, type Trace } from "../smooth/trace.js";

/** Milliseconds. Longer recordings are cut, so that they can be kept for the visit. */
const MAX_LENGTH = 60_000;
const MIN_LENGTH = 1000;
/** The longest time without a frame, in milliseconds: a picture that stands still for longer looks broken. */
const MAX_GAP = 2000;
/** Frames that follow more closely, in milliseconds, are one: no display is that fast. */
const MIN_GAP = 0.5;
const MAX_NAME = 300;

/** What a real display did for some seconds, from a trace. It can be played forever: the last frame is also the first one again. */
export class DisplayRecording {
  readonly #trace: Trace;
  readonly frames: readonly DisplayFrame[];
  /** Refreshes per second; frames per second if no even rate fits the timestamps. */
  readonly rate: number;
  /** How far timestamps are from even ones, in milliseconds, root mean square. */
  readonly uneven: number;
  /** Refreshes, and how many of them had no new frame. */
  readonly refreshes: number;
  readonly missed: number;

  /** Throws `TraceError` if a figure could not play the trace. */
  constructor(trace: Trace) {
    const { T, N = T } = (this.#trace = playable(trace));
    const { period, vsyncs, counts, noise } = findRefreshes(T);
    this.frames = T.map((stamp, i) => ({
      stamp,
      now: N[i]!,
      vsync: vsyncs[i]!,
      refreshes: counts[i]!,
    }));
    const mean = (T.at(-1)! - T[0]!) / (T.length - 1);
    const isEven = !Number.isNaN(noise);
    this.rate = 1000 / (isEven ? period : mean);
    this.uneven = isEven ? noise : deviation(T, mean);
    this.refreshes = counts.reduce((sum, count, i) => sum + (i > 0 ? count : 0), 0);
    this.missed = this.refreshes - (T.length - 1);
  }

  /** "59.94 Hz" */
  get hertz(): string {
    return `${this.rate.toFixed(2)} Hz`;
  }

  /** Returns the milliseconds from the first frame to another one. */
  stampAt(index: number): number {
    const { frames } = this;
    const [first, last] = [frames[0]!.stamp, frames.at(-1)!.stamp];
    const round = Math.floor(index / (frames.length - 1));
    return frames[index % (frames.length - 1)]!.stamp - first + round * (last - first);
  }

  /** Returns a frame, counted from 0. After the last one, the recording goes on with its second one. */
  frameAt(index: number): DisplayFrame {
    const { frames } = this;
    const cycle = Math.floor(index / (frames.length - 1));
    const frame = frames[index % (frames.length - 1)]!;
    if (cycle === 0) return frame;
    const [first, last] = [frames[0]!, frames.at(-1)!];
    const { stamp, now, vsync, refreshes } = frame;
    return {
      stamp: stamp + cycle * (last.stamp - first.stamp),
      now: now + cycle * (last.stamp - first.stamp),
      vsync: vsync + cycle * (last.vsync - first.vsync),
      // The first frame is the last one of the round before.
      refreshes: frame === first ? last.refreshes : refreshes,
    };
  }

  /** The text of a trace file. */
  get text(): string {
    return writeTrace(this.#trace);
  }
}

/** Reads the text of a trace file. Throws `TraceError`. */
export const readRecording = (text: string): DisplayRecording => new DisplayRecording(readTrace(text));

/** Returns the frames that a figure plays: in order, without doubled ones, and at most a minute. */
function playable({ ua, T, N }: Trace): Trace {
  const kept: number[] = [];
  let last = -Infinity;
  for (let i = 0; i < T.length && T[i]! - T[0]! <= MAX_LENGTH; i++) {
    requireNext(T, i);
    if (N) requireClock(T, N, i);
    if (T[i]! - last < MIN_GAP) continue;
    last = T[i]!;
    kept.push(i);
  }
  const length = last - T[0]!;
  if (length < MIN_LENGTH)
    throw new TraceError(
      `it is ${(length / 1000).toFixed(2)} s long, but needs at least ${MIN_LENGTH / 1000} s`,
      "Record for a few seconds.",
    );
  const pick = (list: readonly number[]) => kept.map((i) => list[i]!);
  return { ua: ua.slice(0, MAX_NAME), T: pick(T), ...(N ? { N: pick(N) } : {}) };
}

function requireNext(T: readonly number[], i: number): void {
  const stamp = T[i]!;
  const before = i > 0 ? T[i - 1]! : stamp;
  if (stamp < 0)
    throw new TraceError(
      `T[${i}] is ${stamp} ms`,
      "Timestamps count from the moment the page was opened, so none is negative.",
    );
  if (stamp < before)
    throw new TraceError(
      `T[${i}] is ${stamp} ms, which is before T[${i - 1}] with ${before} ms`,
      "Sort the timestamps, or record again.",
    );
  if (stamp - before > MAX_GAP)
    throw new TraceError(
      `no frame follows for ${((stamp - before) / 1000).toFixed(1)} s after T[${i - 1}]`,
      "Record again, and keep the page visible.",
    );
}

/** A loop that reads the clock would take as many steps as the clock jumps. */
function requireClock(T: readonly number[], N: readonly number[], i: number): void {
  const late = N[i]! - T[i]!;
  if (Math.abs(late) > MAX_GAP)
    throw new TraceError(
      `N[${i}] is ${N[i]} ms, which is ${(Math.abs(late) / 1000).toFixed(1)} s away from T[${i}]`,
      "“N” has performance.now() in the callback of each frame. Leave it out, or record again.",
    );
}

/** The root mean square by which the times between timestamps differ from their mean. */
function deviation(T: readonly number[], mean: number): number {
  let squares = 0;
  for (let i = 1; i < T.length; i++) squares += (T[i]! - T[i - 1]! - mean) ** 2;
  return Math.sqrt(squares / (T.length - 1));
}
