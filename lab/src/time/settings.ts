import type { Values } from "../address.js";

export const SETTINGS = {
  scene: {
    label: "Scene",
    choices: { platformer: "Platformer", balls: "Ball pile" },
    initial: "platformer",
  },
  by: {
    label: "Played by",
    choices: { script: "script", keys: "you" },
    initial: "script",
  },
  speed: {
    label: "Rewind speed",
    choices: { "0.25": "0.25×", "1": "1×", "2": "2×", "4": "4×" },
    initial: "1",
  },
  history: { label: "History (s)", min: 2, max: 60, step: 1, initial: 20 },
} as const;

export type TimeSettings = Values<typeof SETTINGS>;

/** Settings that take effect without a restart. */
export const PLAY_SETTINGS = ["by", "speed"];
