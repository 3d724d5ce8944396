/** What moves: one number and how fast it changes, in units a second. Any object with these two. */
export interface Motion {
  position: number;
  velocity: number;
}

/** The acceleration at a position, a velocity and a time. Made of `+ - * /` and `tickwise/math`, it is the same everywhere. */
export type Acceleration = (position: number, velocity: number, t: number) => number;
