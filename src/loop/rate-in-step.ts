import type { ExactRate } from "../time/index.js";

/** The rate of the loop or beat whose step is running; undefined outside of steps. Each one restores the previous value. */
export const stepInProgress: { rate: ExactRate | undefined } = { rate: undefined };

/** Returns the rate at which the caller is stepped; undefined outside of steps. */
export const rateInStep = (): ExactRate | undefined => stepInProgress.rate;
