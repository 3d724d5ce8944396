/**
 * The number of this set of functions, which replays record. From the first release on, it counts up whenever a function's
 * results change in a single bit: a replay of another profile is refused, as it could diverge.
 */
export const PROFILE = 1;
