import type { Brush } from "../figure/brush.js";
import { edgeOf, type Screen } from "./screens.js";

/**
 * Draws the cable between two screens, and the packets on it. The first half of `packets` goes to the right, above the cable; the others
 * to the left.
 */
export function drawCable(
  brush: Brush,
  [left, right]: readonly [Screen, Screen],
  packets: Float64Array,
): void {
  const { y, unit } = left;
  const from = left.x + unit + edgeOf(left);
  const to = right.x - unit - edgeOf(right);
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
