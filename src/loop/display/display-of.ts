import type { Display } from "../drivers/display.js";
import type { Loop } from "../loop.js";

/** Returns the driver that was started last if it is a display. Checks a property instead of the class, so that bundlers can drop the class. */
export function displayOf({ driver }: Loop): Display | undefined {
  return (driver as Partial<Display> | undefined)?.info && (driver as Display);
}
