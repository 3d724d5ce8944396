import { build } from "../scripts/build.mjs";

/** Builds dist, unless `npm test` has just done so, or another project of this run. */
export function setup(): void {
  if (process.env.DIST_IS_FRESH) return;
  build();
  process.env.DIST_IS_FRESH = "yes";
}
