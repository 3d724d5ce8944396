import type { DisplayOptions } from "../../../scenes/display.js";
import type { Values } from "../address.js";

export const SETTINGS = {
  source: {
    label: "Display",
    choices: {
      simulated: "Simulated",
      own: "Yours (live)",
      "chromium-idle": "Chromium, idle",
      "chromium-busy": "Chromium, busy",
      "firefox-idle": "Firefox, idle",
      "webkit-idle": "WebKitGTK, idle",
      file: "Recording (file)",
    },
    initial: "simulated",
  },
  rate: { label: "Simulation rate (Hz)", min: 10, max: 240, step: 1, initial: 60 },
  refresh: { label: "Refresh rate (Hz)", min: 24, max: 240, step: 0.01, initial: 60 },
  sync: {
    label: "Refreshes",
    choices: { even: "Even", variable: "Variable (from 1/3)" },
    initial: "even",
  },
  clock: {
    label: "Clock resolution",
    choices: { exact: "no rounding", fine: "0.02 ms", usual: "0.1 ms", whole: "1 ms" },
    initial: "usual",
  },
  stamps: {
    label: "Timestamps",
    choices: { refresh: "of the refresh", late: "of the callback, late" },
    initial: "refresh",
  },
  jitter: { label: "Jitter (±ms)", min: 0, max: 3, step: 0.1, initial: 0 },
  drops: { label: "Dropped frames (%)", min: 0, max: 20, step: 0.5, initial: 0 },
  slow: { label: "Slow motion (×)", min: 1, max: 30, step: 1, initial: 6 },
  magnify: { label: "Magnify errors (×)", min: 1, max: 20, step: 1, initial: 5 },
} as const;

export type SmoothSettings = Values<typeof SETTINGS>;

/** Settings that apply to the simulated display only. */
export const SIMULATED_DISPLAY_SETTINGS = ["refresh", "sync", "clock", "stamps", "jitter", "drops"] as const;

const GRIDS = { exact: 0, fine: 0.02, usual: 0.1, whole: 1 };

/** Returns a minute of the display that the settings describe. */
export function displayOf(settings: SmoothSettings): DisplayOptions {
  const { refresh, sync, clock, stamps, jitter, drops } = settings;
  return {
    refresh: sync === "variable" ? [refresh / 3, refresh] : refresh,
    grid: GRIDS[clock],
    late: stamps === "late",
    jitter,
    drops: drops / 100,
    seconds: 60,
    seed: 1,
  };
}
