// Constants have files without imports: bundlers then inline their values.

/** Recent figures cover the last 128 to 256 frames. */
export const BLOCK = 128;

// Indices of the sums in a tally. Times are in nanoseconds.

// 0 to 8: frames with 0, 1, … 8 or more steps.
export const MANY = 8;
/** Steps beyond 8 in frames with more. */
export const MORE_STEPS = 9;
/** Simulated time including the overstep, at the last frame. */
export const PROGRESS = 10;
/** Simulated time beyond real time: negative if time was scaled down, paused or lost. */
export const GAIN = 11;
/** Simulated time of steps that were forced by `runSteps`. */
export const FORCED = 12;
/** Frames whose elapsed time was zero or negative. */
export const WITHOUT_TIME = 13;
/** Time thrown away, and frames that were overloaded. */
export const LOST = 14;
export const OVERLOADS = 15;
/** Costs in milliseconds; the next index has their count. */
export const STEP_COST = 16;
export const RENDER_COST = 18;
/** On a display: refreshes without a frame, and frames with an irregular number of steps. */
export const DROPPED = 20;
export const IRREGULAR = 21;
/** Squared errors of what each refresh showed, and of each frame's move; the next index has their count. */
export const JUDDER = 22;
export const MOVE_ERROR = 24;
export const FIELDS = 26;
