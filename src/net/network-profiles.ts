import type { Conditions } from "./conditioned.js";

/** The name of a typical network, from the best to the worst. */
export type NetworkProfile = "LAN" | "good wifi" | "bad wifi" | "4G" | "satellite" | "hell";

/** Typical networks, as conditions of one direction: `conditioned(link, NETWORK_PROFILES["bad wifi"])`. */
export const NETWORK_PROFILES: Readonly<Record<NetworkProfile, Readonly<Conditions>>> = {
  LAN: { latency: 1, jitter: 0.2 },
  "good wifi": { latency: 20, jitter: 3, loss: 0.005 },
  "bad wifi": { latency: 40, jitter: 20, loss: 0.05, burst: 3, reorder: 0.01 },
  "4G": { latency: 60, jitter: 15, loss: 0.02 },
  satellite: { latency: 300, jitter: 20, loss: 0.01 },
  hell: { latency: 150, jitter: 75, loss: 0.2, burst: 8, reorder: 0.05, duplicate: 0.02, skew: 0.01 },
};
