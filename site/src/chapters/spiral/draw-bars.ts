import type { Brush } from "../../figure/brush.js";
import { BARS, Part, REFRESH } from "./model.js";

/** Seconds that fit into the picture. */
const SPAN = 0.5;
/** Pixels for the text above the bars. */
const TEXT = 18;

/** Draws the last frames, each as long as the work of its steps; the newest at the bottom. It grows to the right, out of the picture. */
export function drawBars(brush: Brush, picture: Float64Array, x: number, y: number, height: number): void {
  const { width } = brush;
  const [row, scale] = [(height - TEXT) / BARS, (width - x) / SPAN];
  const budget = x + REFRESH * scale;
  const thick = Math.min(30, row * 0.72);
  for (let i = 0; i < BARS; i++) {
    const work = picture[Part.bars + i]!;
    const top = y + height - (i + 1) * row + (row - thick) / 2;
    const end = Math.min(width + 8, x + work * scale);
    if (work <= 0) continue;
    if (end > budget) brush.box(x, top, end - x, thick, "wrong", 4);
    brush.box(x, top, Math.min(end, budget) - x, thick, "simulated", 4);
    // The steps.
    const step = picture[Part.cost]! * scale;
    for (let edge = x + step; edge < end - 2; edge += step)
      brush.line(edge, top, edge, top + thick, "surface", step > 6 ? 2 : 1);
  }
  brush.line(budget, y, budget, y + height, "truth", 3);
  brush.text("one refresh: 16.7 ms", budget + 7, y + 12, "truth", { size: 12.5 });
}
