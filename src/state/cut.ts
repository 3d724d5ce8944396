import type { Home } from "./arrays.js";
import type { Owner } from "./leaves.js";

/** From the last state to this one, the row is not to be blended. */
export function cut({ cuts, allCuts }: Owner, { u32, lines, index }: Home, row: number): void {
  const at = cuts.offset / 4 + row;
  u32[at] = u32[at]! + 1;
  // A snapshot that was changed is not a state that the world was in.
  if (index > 0) lines.lose(index);
  if (allCuts === cuts) return;
  const all = allCuts.offset / 4;
  u32[all] = u32[all]! + 1;
}
