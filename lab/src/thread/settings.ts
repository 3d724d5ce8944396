import type { Values } from "../address.js";
import { MAX_COST } from "./pile.js";

export const SETTINGS = {
  cost: { label: "Cost of a step (ms)", min: 1, max: MAX_COST, step: 1, initial: 14 },
  memory: {
    label: "Memory",
    choices: { auto: "shared, if allowed", transferred: "transferred" },
    initial: "auto",
  },
} as const;

export type ThreadSettings = Values<typeof SETTINGS>;
