import { badValue } from "../../errors/index.js";
import type { Loop } from "../loop.js";

/** Throws unless the value is a loop. Checks methods instead of the class, so that bundlers can drop the class. */
export function requireLoop(call: string, loop: Loop): void {
  if (typeof loop?.use !== "function" || typeof loop.runSteps !== "function")
    badValue(`${call}: loop`, "a Loop", loop, "new Loop({ rate: 60 })");
}

/** Returns a function that creates a part for a loop, and returns the same one from then on. */
export function onePerLoop<P>(call: string, create: (loop: Loop) => P): (loop: Loop) => P {
  const parts = new WeakMap<Loop, P>();
  return (loop) => {
    requireLoop(call, loop);
    const part = parts.get(loop) ?? create(loop);
    parts.set(loop, part);
    return part;
  };
}
