import type { StateMemory } from "./arrays.js";
import type { Owner } from "./leaves.js";

/** From the last state to this one, the row is not to be blended. */
export function countSkip({ skips, totalSkips }: Owner, { u32, timelines, index }: StateMemory, row: number): void {
  const at = skips.offset / 4 + row;
  u32[at] = u32[at]! + 1;
  // A snapshot that was changed is not a state that the world was in.
  if (index > 0) timelines.detach(index);
  if (totalSkips === skips) return;
  const all = totalSkips.offset / 4;
  u32[all] = u32[all]! + 1;
}
