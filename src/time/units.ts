// Constants have files without imports: bundlers then write their values where they are used.

/** Nanoseconds. */
export const SECOND = 1e9;

/** Time scales are held in whole billionths. */
export const ONE = 1e9;

/** The most seconds of any setting, and the largest scale: together they keep scaled time below 2^53 ns. */
export const MAX_SETTING = 3600;
export const MAX_SCALE = 1000;

/** How near a fraction must come to a rate that was given as a number, in hertz. */
export const TOLERANCE = 1e-12;
