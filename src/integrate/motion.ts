/** Any object with a position and a velocity, in units per second. */
export interface Motion {
  position: number;
  velocity: number;
}

/**
 * Returns the acceleration at a position, a velocity and a time in seconds. Use only `+ - * /` and `tickwise/math` in
 * it to get the same bits everywhere.
 */
export type Acceleration = (position: number, velocity: number, t: number) => number;
