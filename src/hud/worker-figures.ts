import type { WorkerSession } from "../worker/index.js";
import { milliseconds, NONE, percent } from "./text.js";

/** Returns the figures that the overlay shows of a session in a worker, by name. */
export function workerFiguresOf({ timing, memory, present, simulation, failure }: WorkerSession) {
  const [numerator, denominator] = simulation.rate;
  const step = (1000 * denominator) / numerator;
  // A state that was stepped in advance stands for one step later.
  const lag = timing.lagOf(0.5) + (present === "speculate" ? step : 0);
  return {
    worker: failure ? `failed (${failure.reason})` : `${memory} memory`,
    behind: timing.states > 0 ? milliseconds(timing.delay / 1000) : NONE,
    busy: timing.states > 0 ? percent(lag / step, 0) : NONE,
    starved: String(timing.starvedFrames),
  };
}

export type WorkerFigures = ReturnType<typeof workerFiguresOf>;
