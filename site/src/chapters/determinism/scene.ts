import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { SECOND, STATES, TwoMachines } from "./model.js";
import { COUNT, HEIGHT, RADIUS, WIDTH } from "./pucks.js";

/** Room for the figures above the table or beside it, and for the ribbon below it, in pixels. */
const TOP = 64;
const FIGURES = 250;
const RIBBON = 76;
/** Metres from which on two ghosts are drawn apart. */
const APART = 0.004;
/** A hash in the ribbon: squares across and down, and their size. */
const [ACROSS, DOWN] = [3, 5];

/** Draws the hashes of the last states, those of the first machine above those of the second. */
function drawRibbon(brush: Brush, model: TwoMachines, states: number, top: number): void {
  const { width, context } = brush;
  const square = 5;
  const step = (ACROSS + 1) * square;
  const count = Math.min(states, Math.floor((width - 20) / step));
  for (let i = 0; i < count; i++) {
    const state = states - count + i;
    const [one, other] = [model.hashOf(0, state), model.hashOf(1, state)];
    context.fillStyle = brush.colour(one === other ? "simulated" : "wrong");
    const x = width - 10 - (count - i) * step;
    [one, other].forEach((hash, row) => {
      const y = top + row * (DOWN + 1) * square;
      for (let bit = 0; bit < ACROSS * DOWN; bit++)
        if ((hash >>> bit) & 1)
          context.fillRect(
            x + (bit % ACROSS) * square,
            y + Math.floor(bit / ACROSS) * square,
            square,
            square,
          );
    });
  }
}

export default {
  create: (isFixed, percent) => new TwoMachines(isFixed, percent),
  range: [0, WIDTH],
  draw(brush, model, picture) {
    const { width, height, context } = brush;
    // Beside the figures if there is room, else below them.
    const isBeside = width > FIGURES + ((height - RIBBON - 28) * WIDTH) / HEIGHT;
    const [across, from] = isBeside ? [width - FIGURES, 14] : [width, TOP];
    const tall = height - from - RIBBON - 14;
    const scale = Math.min((across - 20) / WIDTH, tall / HEIGHT);
    const left = (across - scale * WIDTH) / 2;
    const top = from + (tall - scale * HEIGHT) / 2;
    const place = (at: number) => [left + scale * picture[at]!, top + scale * picture[at + 1]!] as const;
    context.beginPath();
    context.roundRect(left, top, scale * WIDTH, scale * HEIGHT, 10);
    context.strokeStyle = brush.colour("line");
    context.lineWidth = 4;
    context.stroke();
    for (let i = 0; i < COUNT; i++) {
      const [x1, y1] = place(2 * i);
      const [x2, y2] = place(SECOND + 2 * i);
      const isApart = Math.hypot(x1 - x2, y1 - y2) > APART * scale;
      if (isApart) brush.line(x1, y1, x2, y2, "wrong", 2);
      brush.disc(x1, y1, RADIUS * scale, "simulated", isApart ? 0.55 : 0.8);
      if (isApart) brush.disc(x2, y2, RADIUS * scale, "wrong", 0.55);
      for (const [x, y] of [
        [x1, y1],
        [x2, y2],
      ] as const)
        brush.text(String(i + 1), x, y + 6, "surface", { size: 17, align: "center", weight: 650 });
    }
    drawRibbon(brush, model, picture[STATES]!, height - RIBBON + 8);
  },
} satisfies ChapterScene<TwoMachines> as ChapterScene<TwoMachines>;
