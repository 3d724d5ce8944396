import type { StateMemory } from "./arrays.js";
import type { Owner } from "./leaves.js";

/** Counts a skip: the row is not blended from the previous state to this one. */
export function countSkip(
  { skips, totalSkips }: Owner,
  { u32, timelines, index }: StateMemory,
  row: number,
): void {
  const at = skips.offset / 4 + row;
  u32[at] = u32[at]! + 1;
  // A snapshot that is written to is no longer a state that the world was in.
  if (index > 0) timelines.detach(index);
  if (totalSkips === skips) return;
  const all = totalSkips.offset / 4;
  u32[all] = u32[all]! + 1;
}
