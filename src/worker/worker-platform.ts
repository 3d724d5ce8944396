import type { StepDriver } from "../drivers/index.js";

/** The clock and the driver of a worker. Tests have their own. */
export interface WorkerPlatform {
  readonly now: () => number;
  readonly timeOrigin: number;
  readonly driver: (options: { due: () => number; onError: (error: unknown) => void }) => StepDriver;
}
