import { build } from "../scripts/build.mjs";

/** Builds dist, unless `npm test` has just done so. */
export function setup(): void {
  if (process.env.DIST_IS_FRESH) return;
  build();
}
