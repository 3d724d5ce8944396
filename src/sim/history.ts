import { badValue, requireNumber, requireType, requireWhole } from "../errors/index.js";
import type { AnySimulation } from "./simulation.js";
import type { TimelineSize } from "./timeline.js";

/** How far back it can go, and at which cost. */
export interface HistoryOptions {
  /** Seconds that can be gone back. */
  readonly seconds: number;
  /**
   * Ticks from a snapshot to the next: fewer take more memory, more make a jump slower. Default 16. The memory is that
   * of `seconds × rate / every + 2 × every + 8` states, and of the inputs of all ticks.
   */
  readonly every?: number | undefined;
}

/** Most bytes of the inputs that a history keeps. */
const MOST_INPUT_BYTES = 2 ** 31;

/** How large a timeline must be for it. */
export function sizeOf(history: HistoryOptions, { rate, players, packing }: AnySimulation): TimelineSize {
  requireType("localSession: history", history, "object", "{ seconds: 10 }");
  const { seconds, every = 16 } = history;
  requireNumber("localSession: history.seconds", seconds, 0, 1e6, 10);
  requireWhole("localSession: history.every", every, 1, 16);
  const keyframes = Math.ceil((seconds * rate[0]) / rate[1] / every) + 1;
  if (keyframes * every * players * packing.words * 4 > MOST_INPUT_BYTES)
    badValue(
      "localSession: history.seconds",
      `so few that the inputs of all ticks have at most ${MOST_INPUT_BYTES} bytes`,
      seconds,
      10,
    );
  return { keyframes, every };
}
