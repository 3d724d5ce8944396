import type { Values } from "../address.js";
import type { Conditions } from "../../../src/net/index.js";

export const SETTINGS = {
  players: { label: "Players", choices: { "2": "Two", "4": "Four" }, initial: "2" },
  model: {
    label: "Model",
    choices: { rollback: "Rollback", lockstep: "Lockstep" },
    initial: "rollback",
  },
  delay: {
    label: "Input delay",
    choices: {
      auto: "auto",
      "0": "none",
      "1": "1 tick",
      "2": "2 ticks",
      "3": "3 ticks",
      "4": "4 ticks",
      "6": "6 ticks",
      "8": "8 ticks",
      "10": "10 ticks",
    },
    initial: "2",
  },
  latency: { label: "Latency (ms)", min: 0, max: 400, step: 5, initial: 60 },
  jitter: { label: "Jitter (± ms)", min: 0, max: 150, step: 5, initial: 10 },
  loss: { label: "Loss (%)", min: 0, max: 50, step: 1, initial: 5 },
  burst: { label: "Lost in a row", min: 1, max: 20, step: 1, initial: 1 },
} as const;

export type NetworkSettings = Values<typeof SETTINGS>;

/** Settings of the network, which take effect without a restart. */
export const LIVE_SETTINGS = ["latency", "jitter", "loss", "burst"];

/** Returns the conditions of each direction of each link. */
export const conditionsOf = ({ latency, jitter, loss, burst }: NetworkSettings): Conditions => ({
  latency,
  jitter,
  loss: loss / 100,
  burst,
});
