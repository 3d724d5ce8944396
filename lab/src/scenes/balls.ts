import type { ViewOf } from "../../../scenes/index.js";
import { colour } from "../theme/colours.js";
import { drawBalls, type BallColours } from "./ball-shapes.js";

/** Returns the colours of the page's theme. */
export const ballColours = (): BallColours => ({
  line: colour("line"),
  muted: colour("muted"),
  ball: colour("ball"),
  ring: colour("ring"),
});

/** Paints the box, the balls (sleeping ones muted) and the bumper. */
export function paintBalls(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  world: ViewOf<"balls">,
): void {
  drawBalls(context, width, height, world, ballColours());
}
