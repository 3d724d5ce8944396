import type { Values } from "../address.js";
import { conditionSettings } from "../conditions.js";

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
  ...conditionSettings(60, 10),
} as const;

export type NetworkSettings = Values<typeof SETTINGS>;
