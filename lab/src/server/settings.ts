import type { Values } from "../address.js";
import { conditionSettings } from "../conditions.js";

const SWITCH = { on: "On", off: "Off" } as const;

export const SETTINGS = {
  prediction: { label: "Prediction", choices: SWITCH, initial: "on" },
  reconciliation: { label: "Reconciliation", choices: SWITCH, initial: "on" },
  smoothing: { label: "Smoothing", choices: SWITCH, initial: "on" },
  down: {
    label: "Server sends",
    choices: { states: "States", inputs: "Inputs" },
    initial: "states",
  },
  rate: {
    label: "Snapshots per second",
    choices: { "10": "10", "20": "20", "30": "30", "60": "60" },
    initial: "20",
  },
  ...conditionSettings(100, 20),
} as const;

export type ServerSettings = Values<typeof SETTINGS>;
