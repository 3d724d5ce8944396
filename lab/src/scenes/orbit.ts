import type { ViewOf } from "../../../scenes/index.js";
import { STAR_RADIUS } from "../../../scenes/orbit.js";
import { colour } from "../theme/colours.js";
import { disc, fit } from "./shapes.js";

/** How far from the star it is drawn, in pixels: nearly all bodies begin nearer. */
const SEEN = 500;
/** Seconds of the way that a tail is long. */
const TAIL = 0.25;
/** Bodies are drawn larger than they are, to be seen. */
const LARGER = 1.6;

/** The star and its bodies, each with a tail that shows its velocity. */
export function paintOrbit(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  { bodies: { end, id, x, y, vx, vy, radius } }: ViewOf<"orbit">,
): void {
  fit(context, width, height, 2 * SEEN, 2 * SEEN);
  context.translate(SEEN, SEEN);
  context.fillStyle = colour("ring");
  context.beginPath();
  disc(context, 0, 0, STAR_RADIUS);
  context.fill();
  context.strokeStyle = context.fillStyle = colour("ball");
  context.lineWidth = 4;
  context.globalAlpha = 0.35;
  context.beginPath();
  for (let i = 0; i < end; i++) {
    if (id[i]! <= 0) continue;
    context.moveTo(x[i]!, y[i]!);
    context.lineTo(x[i]! - vx[i]! * TAIL, y[i]! - vy[i]! * TAIL);
  }
  context.stroke();
  context.globalAlpha = 1;
  context.beginPath();
  for (let i = 0; i < end; i++) if (id[i]! > 0) disc(context, x[i]!, y[i]!, LARGER * radius[i]!);
  context.fill();
  context.restore();
}
