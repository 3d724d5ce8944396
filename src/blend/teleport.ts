import { rejectState, requireTrackers } from "./require-trackers.js";

/**
 * Excludes a change of an object, or of one row of columns, from blending: the changes of this step, or changes outside steps.
 * Ignores objects that have no view. For parts of a simulation's world, use `skipBlend` of `tickwise/state`.
 */
export function teleport(object: object, row?: number): void {
  const trackers = requireTrackers("teleport", object, row);
  rejectState("teleport", object);
  for (const tracker of trackers) tracker.teleport(row);
}
