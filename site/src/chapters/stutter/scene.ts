import type { ChapterScene } from "../../figure/chapter.js";
import { GHOSTS, Swing } from "./model.js";

export default {
  create: (isFixed, rate, _, recording) => new Swing(isFixed, rate, recording),
  range: [0, 1],
  draw(brush, _, picture) {
    const { width, height } = brush;
    const radius = Math.min(width * 0.16, height * 0.36);
    const xOf = (place: number) => radius + 12 + place * (width - 2 * radius - 24);
    const y = height / 2;
    for (let i = GHOSTS - 1; i > 0; i--)
      brush.ring(xOf(picture[i]!), y, radius, "simulated", 1.5, 0.5 * (1 - i / GHOSTS));
    brush.disc(xOf(picture[0]!), y, radius, "simulated");
    brush.disc(xOf(picture[0]!), y, radius * 0.12, "page");
  },
} satisfies ChapterScene<Swing> as ChapterScene<Swing>;
