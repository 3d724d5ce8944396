import type { Values } from "../address.js";

export const SETTINGS = {
  speed: {
    label: "Replay speed",
    choices: { "0.25": "0.25×", "0.5": "0.5×", "1": "1×", "2": "2×", "4": "4×" },
    initial: "1",
  },
  rewind: {
    label: "Rewind speed",
    choices: { "0.5": "0.5×", "1": "1×", "2": "2×", "4": "4×" },
    initial: "2",
  },
  sound: {
    label: "Sound",
    choices: { off: "off", on: "effects", music: "effects, music" },
    initial: "off",
  },
} as const;

export type GameSettings = Values<typeof SETTINGS>;
