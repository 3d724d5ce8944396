import { onePerFrame, semiFixed, variable, type Stepping } from "tickwise/stepping";

/** One way to turn frames into steps, and steps into a picture. */
export interface Strategy {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  /** None is the exact accumulator. */
  readonly stepping?: Stepping;
  /** Draws between the last two states; else the newest one. */
  readonly blended?: boolean;
}

export const STRATEGIES: readonly Strategy[] = [
  {
    id: "fixed",
    name: "Fixed",
    about: "One step a frame, however long the frame was.",
    stepping: onePerFrame(),
  },
  {
    id: "variable",
    name: "Variable",
    about: "One step a frame, as long as the frame was.",
    stepping: variable(),
  },
  {
    id: "semi-fixed",
    name: "Semi-fixed",
    about: "Steps of at most dt; the last one takes what is left.",
    stepping: semiFixed(),
  },
  {
    id: "accumulator",
    name: "Accumulator",
    about: "Steps of exactly dt; what is left waits. Draws the newest state.",
  },
  {
    id: "blended",
    name: "Accumulator with blending",
    about: "The same steps, drawn between the last two states.",
    blended: true,
  },
];
