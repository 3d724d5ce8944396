import type { ViewOf } from "../../../scenes/index.js";
import { STAR_RADIUS } from "../../../scenes/orbit.js";
import { colour } from "../theme/colours.js";
import { disc, fit } from "./shapes.js";

/** Visible distance from the star, in pixels. Nearly all bodies start closer. */
const VIEW_RADIUS = 500;
/** Seconds of motion that a tail shows. */
const TAIL = 0.25;
/** Bodies are drawn larger than they are, to be visible. */
const BODY_SCALE = 1.6;

/** Paints the star and its bodies, each with a tail that shows its velocity. */
export function paintOrbit(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  { bodies }: ViewOf<"orbit">,
): void {
  fit(context, width, height, 2 * VIEW_RADIUS, 2 * VIEW_RADIUS);
  context.translate(VIEW_RADIUS, VIEW_RADIUS);
  context.fillStyle = colour("ring");
  context.beginPath();
  disc(context, 0, 0, STAR_RADIUS);
  context.fill();
  context.strokeStyle = context.fillStyle = colour("ball");
  context.lineWidth = 4;
  context.globalAlpha = 0.35;
  context.beginPath();
  for (const { x, y, vx, vy } of bodies) {
    context.moveTo(x, y);
    context.lineTo(x - vx * TAIL, y - vy * TAIL);
  }
  context.stroke();
  context.globalAlpha = 1;
  context.beginPath();
  for (const { x, y, radius } of bodies) disc(context, x, y, BODY_SCALE * radius);
  context.fill();
  context.restore();
}
