import type { Values } from "../address.js";
import type { DisplaySettings } from "../display.js";

const RATES = {
  "15": "15 frames/s",
  "30": "30 frames/s",
  "60": "60 frames/s",
  "144": "144 frames/s",
  "240": "240 frames/s",
  jitter: "about 50, jittery",
} as const;

export const SETTINGS = {
  scene: {
    label: "Scene",
    choices: { platformer: "Platformer", balls: "Ball pile", orbit: "Orbit", tumble: "Thrown boxes" },
    initial: "platformer",
  },
  left: { label: "First display", choices: RATES, initial: "30" },
  right: { label: "Second display", choices: RATES, initial: "144" },
  fault: {
    label: "Planted fault",
    choices: {
      none: "None",
      random: "Math.random",
      hidden: "Hidden state",
      variable: "Variable dt",
    },
    initial: "none",
  },
} as const;

export type DeterminismSettings = Values<typeof SETTINGS>;
export type Rate = keyof typeof RATES;

/** Returns the display settings of a choice. */
export const displayOf = (rate: Rate, seed: number): DisplaySettings =>
  rate === "jitter" ? { fps: 50, jitter: 100, seed } : { fps: Number(rate), jitter: 0, seed };

export const nameOf = (rate: Rate): string => RATES[rate];
