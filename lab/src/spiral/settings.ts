import type { Values } from "../address.js";

export const SETTINGS = {
  cost: { label: "Step cost (% of dt)", min: 10, max: 300, step: 5, initial: 150 },
  rate: { label: "Simulation rate (Hz)", min: 10, max: 240, step: 1, initial: 60 },
  fps: { label: "Display (frames/s)", min: 5, max: 240, step: 1, initial: 60 },
} as const;

export type SpiralSettings = Values<typeof SETTINGS>;
