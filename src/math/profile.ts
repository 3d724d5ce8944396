/**
 * The number of this set of functions, which replays record: a function whose results change in a single bit makes a
 * new profile.
 */
export const PROFILE = 1;
