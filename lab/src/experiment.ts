import type { FrameTimes } from "./pulse.js";

/** An experiment: what the page shows at one of its addresses. */
export interface Experiment {
  readonly element: HTMLElement;
  /** Advances by real seconds, up to this frame. */
  advance(seconds: number, frame: FrameTimes): void;
  dispose(): void;
}

/** Whether the visitor prefers reduced motion. Experiments then start paused. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Returns "Running" or "Paused" for the status line. */
export function runningText(paused: boolean): string {
  if (!paused) return "Running";
  return prefersReducedMotion() ? "Paused (your system prefers reduced motion)" : "Paused";
}

/** Seconds between two updates of the figures: any faster is unreadable. */
const FIGURE_INTERVAL = 0.15;

/** Returns a function that takes elapsed seconds and says whether the figures are due for an update. */
export function figureTimer(): (seconds: number) => boolean {
  let left = 0;
  return (seconds) => {
    left -= seconds;
    if (left > 0) return false;
    left = FIGURE_INTERVAL;
    return true;
  };
}
