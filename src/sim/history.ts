import { badValue, requireKnownOptions, requireNumber, requireType } from "../errors/index.js";
import type { AnySimulation } from "./simulation.js";
import type { TimelineSize } from "./timeline.js";

/** How much of the past a session keeps. */
export interface HistoryOptions {
  /** How far back the session can go, in seconds. */
  readonly seconds: number;
  /**
   * Seconds between two snapshots, rounded to whole ticks. A shorter time takes more memory; a longer one makes seeking
   * slower. Default 0.25.
   *
   * A history of n intervals of k ticks takes the memory of n + 2 × k + 8 states, and of the inputs of all ticks.
   */
  readonly every?: number | undefined;
}

const OPTIONS = Object.keys({ seconds: 1, every: 1 } satisfies Record<keyof HistoryOptions, 1>);

const MAX_INPUT_BYTES = 2 ** 31;

/** Returns how large a timeline must be for a history. */
export function sizeOf(history: HistoryOptions, { rate, players, packing }: AnySimulation): TimelineSize {
  requireType("localSession: history", history, "object", "{ seconds: 10 }");
  requireKnownOptions("localSession", history, OPTIONS, "history");
  const { seconds, every = 0.25 } = history;
  requireNumber("localSession: history.seconds", seconds, 0, 1e6, 10);
  requireNumber("localSession: history.every", every, 1e-9, 1e6, 0.25);
  const ticksPerSecond = rate[0] / rate[1];
  const stride = Math.max(1, Math.round(Math.min(every, seconds) * ticksPerSecond));
  const keyframes = Math.ceil((seconds * ticksPerSecond) / stride) + 1;
  if (keyframes * stride * players * packing.words * 4 > MAX_INPUT_BYTES)
    badValue(
      "localSession: history.seconds",
      `short enough that the inputs of all ticks take at most ${MAX_INPUT_BYTES} bytes`,
      seconds,
      10,
    );
  return { keyframes, every: stride };
}
