import { prefersReducedMotion } from "../../experiment.js";
import { colour } from "../../theme/colours.js";
import type { GameWorld } from "../playthrough.js";

/** Paints the coins. They spin with game time, so backwards during a rewind. */
export function paintCoins(context: CanvasRenderingContext2D, { coins }: GameWorld, time: number): void {
  const isStill = prefersReducedMotion();
  for (const { x, y } of coins) {
    const turn = isStill ? 1 : Math.cos(time * 3 + x / 40);
    const bob = isStill ? 0 : Math.sin(time * 2.5 + x / 30);
    context.fillStyle = colour("ring");
    face(context, x, y + bob, turn, 4.4);
    context.fillStyle = colour("coin");
    face(context, x, y + bob, turn, 3.1);
  }
}

function face(context: CanvasRenderingContext2D, x: number, y: number, turn: number, radius: number): void {
  context.beginPath();
  context.ellipse(x, y, Math.max(0.8, radius * Math.abs(turn)), radius, 0, 0, 2 * Math.PI);
  context.fill();
}
