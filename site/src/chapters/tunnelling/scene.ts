import { END, WALL, WALL_WIDTH } from "../../../../scenes/bullet-wall.js";
import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import type { Colour } from "../../figure/brush.js";
import { LANES, Part, Volleys } from "./model.js";

/** Pixels for the figures in the upper right corner. */
const FIGURES = 66;

/** Draws a bullet around the point that is tested for collisions. */
function drawBullet(brush: Brush, x: number, y: number, size: number, colour: Colour, alpha: number): void {
  const { context } = brush;
  const [half, tip] = [size * 0.3, x + size * 0.55];
  context.globalAlpha = alpha;
  context.beginPath();
  context.moveTo(x - size / 2, y - half);
  context.lineTo(x, y - half);
  context.quadraticCurveTo(tip - size * 0.12, y - half, tip, y);
  context.quadraticCurveTo(tip - size * 0.12, y + half, x, y + half);
  context.lineTo(x - size / 2, y + half);
  context.closePath();
  context.fillStyle = brush.colour(colour);
  context.fill();
  context.globalAlpha = 1;
  brush.disc(x, y, Math.max(1.5, size * 0.07), "surface", alpha);
}

/** Draws the wall with its bricks. */
function drawWall(brush: Brush, x: number, top: number, width: number, height: number): void {
  brush.box(x, top, width, height, "muted");
  const brick = Math.max(12, width * 0.55);
  for (let row = 0; row * brick < height; row++) {
    const y = top + row * brick;
    brush.line(x, y, x + width, y, "surface", 1.5);
    const joint = x + width * (row % 2 === 0 ? 0.35 : 0.7);
    brush.line(joint, y, joint, Math.min(top + height, y + brick), "surface", 1.5);
  }
}

export default {
  create: (isFixed, fps, _, recording) => new Volleys(isFixed, fps, recording),
  range: [0, END],
  draw(brush, { track }, picture) {
    const { width, height, context } = brush;
    // A narrow picture shows only what is near the wall.
    const isNarrow = width < 700;
    const [left, right] = isNarrow ? [430, 860] : [250, END];
    const scale = width / (right - left);
    const xOf = (x: number) => (x - left) * scale;
    const lane = (height - FIGURES) / LANES;
    const size = Math.min(lane * 0.8, WALL_WIDTH * scale * 0.9);
    const [newest, first] = [picture[Part.frame]!, Math.max(track.firstFrame, picture[Part.first]!)];
    const back = WALL + WALL_WIDTH;
    const top = isNarrow ? FIGURES : 0;
    drawWall(brush, xOf(WALL), top, WALL_WIDTH * scale, height - top);
    // Where every bullet should stop.
    brush.line(xOf(WALL), top, xOf(WALL), height, "truth", 4);
    // Exposures that lie close together are fainter, so that they do not merge.
    const alpha = Math.min(0.6, Math.max(0.12, 24 / (newest - first + 24)));
    for (let i = 0; i < LANES; i++) {
      const y = FIGURES + lane * (i + 0.5);
      let last = NaN;
      for (let frame = first; frame <= newest; frame++) {
        const x = track.pictureOf(frame)[Part.bullets + i]!;
        if (x === last) break;
        if (x > back && last < WALL) {
          // It jumped over the wall.
          context.beginPath();
          context.moveTo(xOf(last), y);
          context.quadraticCurveTo(xOf((last + x) / 2), y - lane * 0.9, xOf(x), y);
          context.strokeStyle = brush.colour("wrong");
          context.lineWidth = 3;
          context.setLineDash([7, 6]);
          context.stroke();
          context.setLineDash([]);
        }
        drawBullet(brush, xOf(x), y, size, x > back ? "wrong" : "simulated", alpha);
        last = x;
      }
      drawBullet(brush, xOf(last), y, size, last > back ? "wrong" : "simulated", 1);
    }
  },
} satisfies ChapterScene<Volleys> as ChapterScene<Volleys>;
