import { HALF_HEIGHT, HALF_WIDTH } from "../../../../scenes/character.js";
import { prefersReducedMotion } from "../../experiment.js";
import { colour } from "../../theme/colours.js";
import type { GameWorld } from "../playthrough.js";

/** Paints the character: stretched in the air, feet in step with the distance. Depends only on the state shown. */
export function paintCharacter(
  context: CanvasRenderingContext2D,
  { player: { x, y, vx, vy, facing, grounded, wall } }: GameWorld,
): void {
  const stretch = grounded || prefersReducedMotion() ? 0 : Math.min(0.18, Math.abs(vy) / 2200);
  context.save();
  context.translate(x, y + HALF_HEIGHT);
  context.fillStyle = colour("ink");
  const stride = grounded ? Math.sin(x / 5) * Math.min(1, Math.abs(vx) / 60) : 0.6;
  for (const side of [-1, 1])
    foot(context, side * (2.6 + 0.4 * stride * side), grounded ? Math.max(0, 2 * stride * side) : 0.8);
  context.scale(1 - stretch / 2, 1 + stretch);
  context.fillStyle = colour("ball");
  context.beginPath();
  context.roundRect(-HALF_WIDTH, -2 * HALF_HEIGHT, 2 * HALF_WIDTH, 2 * HALF_HEIGHT - 1.5, 4);
  context.fill();
  // Looks ahead; away from the wall when sliding down one.
  const look = wall !== 0 ? -wall : facing;
  const up = Math.max(-1, Math.min(1, vy / 300));
  context.fillStyle = "#fff";
  context.beginPath();
  for (const side of [-1, 1]) context.ellipse(1.6 * look + 2 * side, -9 + up, 1.5, 2, 0, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = "#16202a";
  context.beginPath();
  for (const side of [-1, 1])
    context.ellipse(2.2 * look + 2 * side, -8.8 + 1.4 * up, 0.8, 1.1, 0, 0, 2 * Math.PI);
  context.fill();
  context.restore();
}

function foot(context: CanvasRenderingContext2D, x: number, lift: number): void {
  context.beginPath();
  context.roundRect(x - 1.8, -2.2 - lift, 3.6, 2.4, 1);
  context.fill();
}
