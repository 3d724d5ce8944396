import type { Values } from "../address.js";

export const SETTINGS = {
  rate: { label: "Simulation rate (Hz)", min: 5, max: 60, step: 1, initial: 6 },
  turns: { label: "Spin (turns/s)", min: 0.1, max: 5, step: 0.1, initial: 1.2 },
  scale: { label: "Time scale", min: 0.1, max: 1, step: 0.05, initial: 1 },
} as const;

export type ThreeDSettings = Values<typeof SETTINGS>;
