// Constants have files without imports: bundlers then write their values where they are used.

// Where the loop is. It cannot be entered again in a frame; a step lasts from its beats to its `step` listeners.
export const IDLE = 0;
export const DRAWING = 1;
export const BETWEEN_STEPS = 2;
export const IN_STEP = 3;
/** Beside one of these: the frame is no common one, as something is set, attached, owed or interrupted. */
export const SPECIAL = 4;

/** The most seconds between two frames, 46 days: nanoseconds and a half of one stay below 2^53. */
export const LONGEST_ELAPSED = 4e6;
