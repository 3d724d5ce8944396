import { catchUp, stepBudget, type Loop, type LoopOptions } from "tickwise";

export interface NamedPolicy {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  /** The policy as source code. */
  readonly code: string;
  readonly options?: Pick<LoopOptions, "maxFrameTime" | "maxSteps">;
  /** Attaches the policy to a loop. */
  readonly attach?: (loop: Loop) => void;
}

export const POLICIES: readonly NamedPolicy[] = [
  {
    id: "unlimited",
    name: "No limit",
    about: "Gives up no time, so each frame owes more steps than the last: the game freezes.",
    code: "maxFrameTime: 3600",
    // The longest that a loop allows.
    options: { maxFrameTime: 3600 },
  },
  {
    id: "max-steps",
    name: "Max steps",
    about: "Keeps the frame rate up, if you know the right limit for the machine.",
    code: "maxSteps: 2",
    options: { maxSteps: 2 },
  },
  {
    id: "frame-clamp",
    name: "Frame clamp",
    about: "The frame rate falls until the clamp holds it.",
    code: "maxFrameTime: 0.05",
    options: { maxFrameTime: 0.05 },
  },
  {
    id: "step-budget",
    name: "Step budget",
    about: "Finds the right limit itself, from the measured cost of steps.",
    code: "stepBudget(loop, 0.012)",
    attach: (loop) => stepBudget(loop, 0.012),
  },
  {
    id: "drop",
    name: "Drop",
    about: "The default: frames are clamped to 0.25 s, and excess time is lost. Slow, but recovers at once.",
    code: "maxFrameTime: 0.25",
  },
  {
    id: "catch-up",
    name: "Catch up",
    about: "Carries excess time over as debt, up to a limit, and catches up when there is time.",
    code: "catchUp(loop, 0.5)",
    attach: (loop) => catchUp(loop, 0.5),
  },
];
