import { BUMPER_RADIUS, COUNT, HEIGHT, SLEEP_TICKS, WIDTH } from "../../../scenes/ball-contacts.js";
import type { ViewOf } from "../../../scenes/index.js";
import { disc, fit, type Context2D } from "./shapes.js";

/** The colours of the balls. Workers cannot read those of the page's style sheet. */
export type BallColours = Readonly<Record<"line" | "muted" | "ball" | "ring", string>>;

/** Paints the box, the balls (sleeping ones muted) and the bumper, in these colours. */
export function drawBalls(
  context: Context2D,
  width: number,
  height: number,
  { balls: { x, y, radius, calm }, bumper }: ViewOf<"balls">,
  colours: BallColours,
): void {
  fit(context, width, height, WIDTH, HEIGHT);
  context.strokeStyle = colours.line;
  context.lineWidth = 3;
  context.strokeRect(1.5, 1.5, WIDTH - 3, HEIGHT - 3);
  for (const sleeps of [true, false]) {
    context.fillStyle = colours[sleeps ? "muted" : "ball"];
    context.beginPath();
    for (let i = 0; i < COUNT; i++)
      if (calm[i]! >= SLEEP_TICKS === sleeps) disc(context, x[i]!, y[i]!, radius[i]! - 0.5);
    context.fill();
  }
  context.fillStyle = colours.ring;
  context.beginPath();
  disc(context, bumper.x, bumper.y, BUMPER_RADIUS);
  context.fill();
  context.restore();
}
