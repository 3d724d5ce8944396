import type { ExactRate } from "../time/index.js";

/** The rate of the loop or beat that is calling its step now; undefined outside of steps. Whoever sets it restores it. */
export const stepping: { rate: ExactRate | undefined } = { rate: undefined };

/** The rate at which the caller is stepped; undefined outside of steps. */
export const rateInStep = (): ExactRate | undefined => stepping.rate;
