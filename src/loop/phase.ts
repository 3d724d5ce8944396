// Constants have files without imports: bundlers then inline their values.

// Where in a frame the loop is. A step lasts from its beats to its `step` listeners.
export const IDLE = 0;
export const DRAWING = 1;
export const BETWEEN_STEPS = 2;
export const IN_STEP = 3;

/** Maximum seconds between two frames, 46 days: nanoseconds, and halves of one, stay below 2^53. */
export const MAX_ELAPSED = 4e6;
