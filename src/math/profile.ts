/**
 * The version of these functions' results, which replays record. It is incremented whenever any result changes by a
 * single bit. A replay with another profile is rejected, as it could diverge.
 */
export const PROFILE = 1;
