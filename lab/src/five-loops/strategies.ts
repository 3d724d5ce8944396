import { onePerFrame, semiFixed, variable, type Stepping } from "tickwise/stepping";

/** A way to turn frames into steps, and steps into a picture. */
export interface Strategy {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  /** Default: the accumulator. */
  readonly stepping?: Stepping;
  /** Draws a blend of the last two states instead of the newest one. */
  readonly blended?: boolean;
}

export const STRATEGIES: readonly Strategy[] = [
  {
    id: "one-per-frame",
    name: "One per frame",
    about: "One step of dt per frame, however long the frame was.",
    stepping: onePerFrame(),
  },
  {
    id: "variable",
    name: "Variable",
    about: "One step per frame, as long as the frame was.",
    stepping: variable(),
  },
  {
    id: "semi-fixed",
    name: "Semi-fixed",
    about: "Steps of at most dt; the last one takes the remainder.",
    stepping: semiFixed(),
  },
  {
    id: "accumulator",
    name: "Accumulator",
    about: "Steps of exactly dt; the remainder waits for the next frame. Draws the newest state.",
  },
  {
    id: "blended",
    name: "Accumulator with blending",
    about: "The same steps, but draws a blend of the last two states.",
    blended: true,
  },
];
