import type { PolicyOptions } from "tickwise";

export interface NamedPolicy {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly options: PolicyOptions;
}

/** The longest `maxFrameTime` that a loop allows: in effect, no clamp. */
const HOUR = 3600;

export const POLICIES: readonly NamedPolicy[] = [
  {
    id: "unlimited",
    name: "No limit",
    about: "Gives up no time, so each frame owes more steps than the last: the game freezes.",
    options: { maxFrameTime: HOUR },
  },
  {
    id: "max-steps",
    name: "Max steps",
    about: "Keeps the frame rate up, if you know the right limit for the machine.",
    options: { maxSteps: 2 },
  },
  {
    id: "frame-clamp",
    name: "Frame clamp",
    about: "The frame rate falls until the clamp holds it.",
    options: { maxFrameTime: 0.05 },
  },
  {
    id: "step-budget",
    name: "Step budget",
    about: "Finds the right limit itself, from the measured cost of steps.",
    options: { stepBudget: 0.012 },
  },
  {
    id: "drop",
    name: "Drop",
    about:
      "The defaults: frames are clamped to 0.25 s, and excess time is dropped. Slow, but recovers at once.",
    options: { overload: "drop" },
  },
  {
    id: "catch-up",
    name: "Catch up",
    about: "Carries excess time over as debt, up to a limit, and catches up when there is time.",
    options: { overload: { catchUp: 0.5 } },
  },
];

/** Formats options as source code. */
export function formatOptions(options: PolicyOptions): string {
  return JSON.stringify(options)
    .slice(1, -1)
    .replace(/"(\w+)":/g, "$1: ")
    .replaceAll("{", "{ ")
    .replaceAll("}", " }");
}
