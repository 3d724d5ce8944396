/** A change of the time scale in progress. Times are in nanoseconds, scales in billionths. */
export interface Course {
  /** Real time until the end. */
  readonly left: number;
  /** The current scale. */
  readonly scale: number;
  /** The scale at the end. */
  readonly target: number;
  /** Virtual time until the end, not rounded. */
  readonly virtualLeft: number;
  /** Advances by real time, at most what is left. Returns the virtual time. The sum does not depend on the lengths of frames. */
  advance(real: number): number;
  /** Returns the real time until `virtual` time has passed, at most what is left. */
  realFor(virtual: number): number;
}
