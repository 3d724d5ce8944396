import type { PolicyOptions } from "tickwise";

export interface NamedPolicy {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly options: PolicyOptions;
}

/** The longest that a loop allows: as good as no clamp. */
const HOUR = 3600;

export const POLICIES: readonly NamedPolicy[] = [
  {
    id: "unlimited",
    name: "No limit",
    about: "Loses nothing, and soon shows nothing: each frame owes more steps than the last.",
    options: { maxFrameTime: HOUR },
  },
  {
    id: "max-steps",
    name: "Max steps",
    about: "Keeps the frame rate up, if you know the right number for this machine.",
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
    about: "Finds the right number itself, from what steps have been costing.",
    options: { stepBudget: 0.012 },
  },
  {
    id: "drop",
    name: "Drop",
    about: "The defaults: a clamp of 0.25 s, and the surplus is lost. Slow, but back to its pace at once.",
    options: { overload: "drop" },
  },
  {
    id: "catch-up",
    name: "Catch up",
    about: "Owes the surplus, up to a bound, and pays it back when there is room.",
    options: { overload: { catchUp: 0.5 } },
  },
];

/** The options as one would write them. */
export function written(options: PolicyOptions): string {
  return JSON.stringify(options)
    .slice(1, -1)
    .replace(/"(\w+)":/g, "$1: ")
    .replaceAll("{", "{ ")
    .replaceAll("}", " }");
}
