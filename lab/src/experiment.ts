import type { Beat } from "./pulse.js";

/** What the page shows under one of its addresses. */
export interface Experiment {
  readonly element: HTMLElement;
  /** Lets so many real seconds pass, up to this frame. */
  advance(seconds: number, frame: Beat): void;
  dispose(): void;
}

/** Whether the visitor asked for a page that moves little: an experiment then waits to be started. */
export const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How an experiment stands, in words. */
export function stateOf(paused: boolean): string {
  if (!paused) return "Running";
  return wantsStillness() ? "Paused, as your system asks for less motion" : "Paused";
}

/** Figures change a few times a second: faster than that nobody can read. */
const FIGURES_EVERY = 0.15;

/** Says, each time that so many seconds have passed, whether figures are due to change. */
export function figurePace(): (seconds: number) => boolean {
  let left = 0;
  return (seconds) => {
    left -= seconds;
    if (left > 0) return false;
    left = FIGURES_EVERY;
    return true;
  };
}
