/** What calls the loop: a display, a timer, a test. The only place where a clock is read. */
export interface Driver {
  /** Begins to call `frame` with timestamps in milliseconds, all of one clock. */
  start(frame: (timestamp: number) => void): void;
  /** Ends it: `frame` is not called again until the next `start`. */
  stop(): void;
  /** The clock for step budgets and cost statistics, in milliseconds. */
  now(): number;
}
