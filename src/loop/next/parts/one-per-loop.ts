import { badValue } from "../../../errors/index.js";
import { Loop } from "../loop.js";

/** Returns a function that creates a part for a loop, and returns the same one from then on. */
export function onePerLoop<P>(call: string, create: (loop: Loop) => P): (loop: Loop) => P {
  const parts = new WeakMap<Loop, P>();
  return (loop) => {
    if (!(loop instanceof Loop)) badValue(`${call}: loop`, "a Loop", loop, "new Loop({ rate: 60 })");
    const part = parts.get(loop) ?? create(loop);
    parts.set(loop, part);
    return part;
  };
}
