import type { Brush } from "../../figure/brush.js";

/** Draws a cable, and the packets on it. The first half of `packets` goes to the right, above the cable; the others to the left. */
export function drawCable(brush: Brush, from: number, to: number, y: number, packets: Float64Array): void {
  brush.line(from, y, to, y, "ink", 4);
  const size = Math.min(11, (to - from) / 9);
  for (let i = 0; i < packets.length; i++) {
    const way = packets[i]!;
    if (way < 0) continue;
    const isRight = i < packets.length / 2;
    const x = from + (isRight ? way : 1 - way) * (to - from);
    brush.box(x - size / 2, y + (isRight ? -size - 6 : 6), size, size, "simulated", 2);
  }
}
