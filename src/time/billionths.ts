import { requireNumber } from "../errors/index.js";
import { MAX_SCALE, ONE } from "./units.js";

/** Returns a time scale in whole billionths. */
export function billionths(subject: string, scale: unknown): number {
  requireNumber(subject, scale, 0, MAX_SCALE, 0.5);
  return Math.round(scale * ONE);
}
