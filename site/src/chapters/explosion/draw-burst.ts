import type { Brush } from "../../figure/brush.js";
import type { Colour } from "../../figure/brush.js";

const SPIKES = 12;

/** Draws a star with uneven spikes. */
export function drawBurst(brush: Brush, x: number, y: number, radius: number, colour: Colour): void {
  const { context } = brush;
  context.beginPath();
  for (let i = 0; i < 2 * SPIKES; i++) {
    const angle = (i * Math.PI) / SPIKES;
    const size = i % 2 === 1 ? 0.6 : i % 4 === 0 ? 1 : 0.8;
    context.lineTo(x + radius * size * Math.cos(angle), y + radius * size * Math.sin(angle));
  }
  context.closePath();
  context.fillStyle = brush.colour(colour);
  context.fill();
}
