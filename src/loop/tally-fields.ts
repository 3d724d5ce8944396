// Constants have files without imports: bundlers then write their values where they are used.

/** Recent figures are of the last 128 to 256 frames. */
export const BLOCK = 128;
// What the tally sums up. First the histogram: frames with 0, 1, … 8 or more steps. Times are in nanoseconds.
export const MANY = 8;
/** Steps beyond 8, of frames with more. */
export const MORE_STEPS = 9;
/** Simulated time, the overstep included, as the last frame had it. */
export const PROGRESS = 10;
/** Of that, what was won beyond real time: less than 0 where time was scaled down, paused or lost. */
export const GAIN = 11;
/** And the time of steps that were run without any. */
export const FORCED = 12;
export const WITHOUT_TIME = 13;
export const LOST = 14;
export const OVERLOADS = 15;
/** Costs, in milliseconds, and after each, of how many. */
export const STEP_COST = 16;
export const RENDER_COST = 18;
/** Before a display: refreshes without a frame; frames with other than their regular count of steps. */
export const DROPPED = 20;
export const IRREGULAR = 21;
/** Sums of squared errors, each followed by their count: of what each refresh showed, and of each frame's move. */
export const JUDDER = 22;
export const MOVE_ERROR = 24;
export const FIELDS = 26;
