import type { stepTimer } from "../loop/index.js";

/** The clock and the driver of a worker. Tests have their own. */
export interface WorkerPlatform {
  readonly now: () => number;
  readonly timeOrigin: number;
  readonly timer: typeof stepTimer;
}
