import type { ChapterScene } from "../../figure/chapter.js";
import { drawBars } from "./draw-bars.js";
import { drawTank } from "./draw-tank.js";
import { FROZEN, Part, SlowMachine } from "./model.js";

/** Pixels for the figures in the upper right corner. */
const FIGURES = 60;

export default {
  create: (isFixed, cost) => new SlowMachine(isFixed, cost),
  change: (model, cost) => model.setCost(cost),
  range: [-1, 1],
  draw(brush, { isFixed }, picture) {
    const { width, height } = brush;
    const isNarrow = width < 700;
    // The game.
    const top = isNarrow ? FIGURES : 0;
    const radius = Math.min(60, height * 0.12);
    const y = top + radius + (isNarrow ? 6 : 24);
    const reach = (isNarrow ? width : width - 380) / 2;
    const xOf = (x: number) => reach + x * (reach - radius - 16);
    brush.line(16, y + radius + 4, 2 * reach - 16, y + radius + 4, "line", 3);
    const isFrozen = picture[Part.frozen]! > FROZEN;
    const x = xOf(picture[Part.x]!);
    brush.disc(x, y, radius, isFrozen ? "wrong" : "simulated");
    if (isFrozen)
      brush.text(`${picture[Part.frozen]!.toFixed(1)} s`, x, y + radius * 0.15, "page", {
        size: radius * 0.46,
        align: "center",
        weight: 700,
      });
    brush.ring(xOf(picture[Part.truth]!), y, radius - 1.5, "truth", 3);
    // The frames, and what they owe.
    const from = y + radius + (isNarrow ? 20 : 32);
    const tank = isNarrow ? 54 : Math.min(120, width * 0.08);
    const left = isNarrow ? 18 : 40;
    drawTank(brush, picture, left, from + 8, tank, height - from - 14, isFixed);
    drawBars(brush, picture, left + tank + (isNarrow ? 30 : 56), from, height - from - 8);
  },
} satisfies ChapterScene<SlowMachine> as ChapterScene<SlowMachine>;
