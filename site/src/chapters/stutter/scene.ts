import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { SHOWN, Swing } from "./model.js";

/** Room for the figures above the disc. */
const TOP = 56;
/** How many past frames have an outline. */
const GHOSTS = 12;
/** Pixels between two dots of a stack. */
const DOT = 9;

/** Draws a dot per frame where the disc was. A frame that repeats the one before gets a red dot on top of its dot. */
function drawDots(brush: Brush, picture: Float64Array, xOf: (place: number) => number): void {
  const bottom = brush.height - 12;
  brush.line(0, bottom + 7, brush.width, bottom + 7, "line", 2);
  let stacked = 0;
  for (let i = SHOWN - 1; i >= 0; i--) {
    stacked = picture[i] === picture[i + 1] ? stacked + 1 : 0;
    brush.disc(xOf(picture[i]!), bottom - DOT * stacked, 3.6, stacked > 0 ? "wrong" : "simulated");
  }
}

export default {
  create: (isFixed, rate, _, recording) => new Swing(isFixed, rate, recording),
  range: [0, 1],
  draw(brush, _, picture) {
    const { width, height } = brush;
    const room = height - TOP - 5 * DOT;
    const radius = Math.min(width * 0.16, room * 0.46);
    const xOf = (place: number) => radius + 12 + place * (width - 2 * radius - 24);
    const y = TOP + room / 2;
    for (let i = GHOSTS - 1; i > 0; i--)
      brush.ring(xOf(picture[i]!), y, radius, "simulated", 2, 0.65 * (1 - i / GHOSTS));
    brush.disc(xOf(picture[0]!), y, radius, "simulated");
    brush.disc(xOf(picture[0]!), y, radius * 0.12, "page");
    drawDots(brush, picture, xOf);
  },
} satisfies ChapterScene<Swing> as ChapterScene<Swing>;
