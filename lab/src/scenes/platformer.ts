import type { ViewOf } from "../../../scenes/index.js";
import { paintLevel } from "../../../site/src/level/paint-level.js";

/** Paints the level of the game around its character. */
export function paintPlatformer(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  world: ViewOf<"platformer">,
  seconds: number,
): void {
  paintLevel(context, { x: 0, y: 0, width, height }, world, seconds, () => {});
}
