import type { Values } from "../address.js";

export const SETTINGS = {
  rate: { label: "Simulation rate (Hz)", min: 10, max: 240, step: 1, initial: 40 },
  fps: { label: "Display (frames/s)", min: 5, max: 240, step: 1, initial: 60 },
  jitter: { label: "Jitter (% of a frame)", min: 0, max: 100, step: 1, initial: 0 },
  scale: { label: "Time scale", min: 0.1, max: 3, step: 0.05, initial: 1 },
} as const;

export type FiveLoopsSettings = Values<typeof SETTINGS>;
