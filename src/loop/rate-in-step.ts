import type { ExactRate } from "./rate.js";

/** The rate of the loop or beat whose step is running; undefined outside of frames. Each one restores the previous value. */
export const stepInProgress: { rate: ExactRate | undefined } = { rate: undefined };

/** Returns the rate at which the caller is stepped; undefined outside of frames. */
export const rateInStep = (): ExactRate | undefined => stepInProgress.rate;
