import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { FINISH, Race } from "./model.js";

/** Paints a runner that leans into its run. Its legs move with the distance. */
function drawRunner({ context }: Brush, x: number, y: number, size: number, distance: number): void {
  const swing = Math.sin(distance * 5);
  context.lineCap = "round";
  context.lineJoin = "round";
  context.lineWidth = size * 0.16;
  context.beginPath();
  // Back leg, front leg, body and arms.
  context.moveTo(x - size * 0.28 * swing - size * 0.12, y);
  context.lineTo(x - size * 0.02, y - size * 0.38);
  context.lineTo(x + size * 0.28 * swing + size * 0.1, y - size * 0.02);
  context.moveTo(x - size * 0.02, y - size * 0.38);
  context.lineTo(x + size * 0.12, y - size * 0.78);
  context.moveTo(x - size * 0.18, y - size * 0.55 + size * 0.08 * swing);
  context.lineTo(x + size * 0.11, y - size * 0.7);
  context.lineTo(x + size * 0.34, y - size * 0.55 - size * 0.08 * swing);
  context.stroke();
  context.beginPath();
  context.arc(x + size * 0.2, y - size * 0.98, size * 0.14, 0, 2 * Math.PI);
  context.fill();
}

/** Metres from where it should be, from which on a runner counts as wrong. A blend is a step behind: 0.05 m. */
const WRONG = 0.15;

export default {
  create: (isFixed, fps, _, recording) => new Race(isFixed, fps, recording),
  range: [0, FINISH],
  draw(brush, race, picture) {
    const { width, height, context } = brush;
    const left = 48;
    const length = width - 2 * left;
    const xOf = (metres: number) => left + (Math.min(FINISH, metres) / FINISH) * length;
    const size = Math.min(90, height * 0.24);
    [0, 1].forEach((lane) => {
      const y = height * (lane === 0 ? 0.5 : 0.92);
      brush.line(left, y + 8, width - left, y + 8, "line", 3);
      for (let metre = 0; metre <= FINISH; metre++)
        brush.line(
          left + (metre / FINISH) * length,
          y + 8,
          left + (metre / FINISH) * length,
          y + (metre % 3 === 0 ? 20 : 14),
          "line",
          2,
        );
      brush.text(`${race.displays[lane]} fps`, left, y - size + 10, "ink", { size: 16, weight: 650 });
      // The finish.
      brush.line(xOf(FINISH), y + 8, xOf(FINISH), y - size, "ink", 3);
      const truth = xOf(picture[2]!);
      brush.line(truth, y + 8, truth, y - size, "truth", 2);
      // Left of the line where the runner of a fast display would hide it.
      const isNearEnd = picture[2]! > 0.85 * FINISH;
      brush.text("3 m/s", truth + (isNearEnd ? -6 : 6), y - size + 10, "truth", {
        size: 12,
        align: isNearEnd ? "right" : "left",
      });
      if (Math.abs(picture[lane]! - picture[2]!) > WRONG) {
        // A runner that has passed the finish is outside of the picture.
        const shown = picture[lane]! < FINISH ? xOf(picture[lane]!) : width;
        brush.box(Math.min(shown, truth), y + 4, Math.abs(shown - truth), 8, "wrong", 4);
      }
      context.strokeStyle = context.fillStyle = brush.colour("simulated");
      drawRunner(brush, xOf(picture[lane]!), y, size, picture[lane]!);
    });
  },
} satisfies ChapterScene<Race> as ChapterScene<Race>;
