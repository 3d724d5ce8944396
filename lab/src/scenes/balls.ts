import { BUMPER_RADIUS, COUNT, HEIGHT, SLEEP_TICKS, WIDTH } from "../../../scenes/ball-contacts.js";
import type { ViewOf } from "../../../scenes/index.js";
import { colour } from "../theme/colours.js";
import { disc, fit } from "./shapes.js";

/** Paints the box, the balls (sleeping ones muted) and the bumper. */
export function paintBalls(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  { balls: { x, y, radius, calm }, bumper }: ViewOf<"balls">,
): void {
  fit(context, width, height, WIDTH, HEIGHT);
  context.strokeStyle = colour("line");
  context.lineWidth = 3;
  context.strokeRect(1.5, 1.5, WIDTH - 3, HEIGHT - 3);
  for (const sleeps of [true, false]) {
    context.fillStyle = colour(sleeps ? "muted" : "ball");
    context.beginPath();
    for (let i = 0; i < COUNT; i++)
      if (calm[i]! >= SLEEP_TICKS === sleeps) disc(context, x[i]!, y[i]!, radius[i]! - 0.5);
    context.fill();
  }
  context.fillStyle = colour("ring");
  context.beginPath();
  disc(context, bumper.x, bumper.y, BUMPER_RADIUS);
  context.fill();
  context.restore();
}
