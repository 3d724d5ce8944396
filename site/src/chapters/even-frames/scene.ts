import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { SixtyOnSixty, STRIP_CYCLE, SWEEP } from "./model.js";

/** Pixels above the picture, for the figures. On narrow screens, the text does not fit beside them. */
const TOP = 66;
const NARROW_TOP = 92;
/** What is left of the last sweep. */
const FADED = 0.3;

/** Teeth where the picture was at each refresh: a red gap where it never was, a red tooth where it was twice. */
function drawComb(brush: Brush, picture: Float64Array, top: number, bottom: number): void {
  const { width } = brush;
  const slot = width / SWEEP;
  const now = picture[0]!;
  const sweep = now - (now % SWEEP);
  const thick = Math.max(4, slot * 0.28);
  const shows = new Map<number, number>();
  for (let i = 0; i < SWEEP; i++) {
    const tick = picture[1 + SWEEP + i]!;
    shows.set(tick, (shows.get(tick) ?? 0) + 1);
  }
  const newest = picture[2 * SWEEP]!;
  for (let tick = picture[1 + SWEEP]! + 1; tick <= newest; tick++) {
    const x = ((((tick % SWEEP) + SWEEP) % SWEEP) + 0.5) * slot;
    const times = shows.get(tick) ?? 0;
    const alpha = tick < sweep ? FADED : 1;
    if (times === 1) brush.box(x - thick / 2, top, thick, bottom - top, "simulated", thick / 2, alpha);
    else if (times > 1) brush.box(x - thick, top, 2 * thick, bottom - top, "wrong", thick / 2, alpha);
    else brush.box(x - slot / 2, top, slot, bottom - top, "wrong", 4, 0.16 * alpha);
  }
  // Where the picture should be.
  const x = ((now % SWEEP) + 0.5) * slot;
  brush.line(x, top - 8, x, bottom + 8, "truth", 3);
}

/** The steps in each frame, as blocks and as numbers. */
function drawSteps(brush: Brush, picture: Float64Array, top: number, bottom: number): void {
  const { width } = brush;
  const slot = width / SWEEP;
  const now = picture[0]!;
  const size = Math.min(22, slot * 0.8);
  const floor = bottom - size - 10;
  const block = (floor - top) / 2;
  const gap = Math.max(1.5, slot * 0.08);
  for (let i = 0; i < SWEEP; i++) {
    const refresh = now - SWEEP + 1 + i;
    const left = (refresh % SWEEP) * slot;
    const steps = picture[1 + i]!;
    const colour = steps === 1 ? "simulated" : "wrong";
    const alpha = refresh < now - (now % SWEEP) ? FADED : 1;
    for (let step = 0; step < Math.min(2, steps); step++)
      brush.box(
        left + gap,
        floor - (step + 1) * block + gap,
        slot - 2 * gap,
        block - 2 * gap,
        colour,
        4,
        alpha,
      );
    if (steps === 0) brush.box(left + gap, floor - 4, slot - 2 * gap, 4, colour, 2, alpha);
    brush.context.globalAlpha = alpha;
    brush.text(String(steps), left + slot / 2, bottom - 4, steps === 1 ? "muted" : "wrong", {
      size,
      align: "center",
      weight: steps === 1 ? 500 : 700,
    });
    brush.context.globalAlpha = 1;
  }
}

export default {
  create: (isFixed, delay, _, recording) => new SixtyOnSixty(isFixed, delay, recording),
  range: [-1, STRIP_CYCLE],
  draw(brush, _, picture) {
    const { width, height } = brush;
    const top = width < 720 ? NARROW_TOP : TOP;
    const middle = top + (height - top) * 0.48;
    brush.text("Where the picture is at each refresh", 12, top - 14, "muted", { size: 13 });
    drawComb(brush, picture, top, middle - 26);
    brush.text("Steps in each frame", 12, middle + 8, "muted", { size: 13 });
    drawSteps(brush, picture, middle + 16, height - 6);
  },
} satisfies ChapterScene<SixtyOnSixty> as ChapterScene<SixtyOnSixty>;
