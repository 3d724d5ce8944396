// Constants have files without imports: bundlers then inline their values.

/** Nanoseconds in a second. */
export const SECOND = 1e9;

/** Billionths in one: time scales are stored in whole billionths. */
export const ONE = 1e9;

/** Maximum seconds of any setting, and maximum time scale. */
export const MAX_SETTING = 3600;
export const MAX_SCALE = 1000;

/** How far a fraction may be from the number that it stands for, in hertz. */
export const TOLERANCE = 1e-12;

/** Maximum seconds between two frames: 46 days. */
export const MAX_ELAPSED = 4e6;
