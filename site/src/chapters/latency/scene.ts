import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { Drag, WALL, WAYS } from "./model.js";

/** Pixels above the lanes, for the figures. */
const TOP = 64;
/** The arrow of a mouse pointer, in its own units. */
const ARROW = [0, 0, 0, 17, 4, 13, 7, 20, 10, 19, 7, 12, 12, 12];

function drawPointer(brush: Brush, x: number, y: number): void {
  const { context } = brush;
  context.beginPath();
  for (let i = 0; i < ARROW.length; i += 2) context.lineTo(x + 1.5 * ARROW[i]!, y + 1.5 * ARROW[i + 1]!);
  context.closePath();
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = brush.colour("surface");
  context.stroke();
  context.fillStyle = brush.colour("truth");
  context.fill();
}

/** Draws a disc; what is in the wall is red. */
function drawDisc(brush: Brush, x: number, y: number, radius: number, wall: number, isMain: boolean): void {
  const { context } = brush;
  if (isMain) brush.disc(x, y, radius, "simulated");
  else {
    brush.disc(x, y, radius, "simulated", 0.18);
    brush.ring(x, y, radius - 1.5, "simulated", 3);
  }
  if (x + radius <= wall + 1) return;
  context.save();
  context.beginPath();
  context.rect(wall, y - radius - 2, 4 * radius, 2 * radius + 4);
  context.clip();
  brush.disc(x, y, radius + 1, "wrong");
  context.restore();
}

export default {
  create: (isFixed, rate, _, recording) => new Drag(isFixed, rate, recording),
  range: [0.2, 0.84],
  draw(brush, model, picture) {
    const { width, height } = brush;
    const lane = (height - TOP) / WAYS.length;
    const radius = Math.min(lane * 0.4, width * 0.07);
    const pointer = picture[0]! * width;
    const truth = Math.min(picture[0]!, WALL) * width;
    const wall = WALL * width + radius;
    brush.box(wall, TOP - 8, width - wall, height - TOP + 8, "line", 0, 0.55);
    brush.line(wall, TOP - 8, wall, height, "ink", 4);
    const size = width < 600 ? 13 : 16;
    WAYS.forEach((name, way) => {
      const isMain = way === model.way;
      const y = TOP + lane * (way + 0.5);
      const x = picture[1 + way]! * width;
      brush.line(0, y + radius + 2, wall, y + radius + 2, "line", 2);
      // From the disc to where it should be.
      brush.box(
        Math.min(x, truth),
        y - (isMain ? radius : radius / 4),
        Math.abs(truth - x),
        isMain ? 2 * radius : radius / 2,
        "wrong",
        0,
        isMain ? 0.3 : 0.25,
      );
      drawDisc(brush, x, y, radius, wall, isMain);
      const lag = picture[1 + WAYS.length + way]!;
      const weight = isMain ? 700 : 500;
      brush.text(name, 12, y - 2, isMain ? "ink" : "muted", { size, weight });
      if (!Number.isNaN(lag))
        brush.text(`${lag.toFixed(0)} ms`, 12, y + size + 4, isMain ? "ink" : "muted", {
          size: size * 1.25,
          weight,
        });
    });
    brush.line(pointer, TOP, pointer, height, "truth", 2);
    drawPointer(brush, pointer, TOP + lane * (model.way + 0.5));
  },
} satisfies ChapterScene<Drag> as ChapterScene<Drag>;
