import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { GHOSTS, kindOf, Part, PIECES, Threads, WINDOW } from "./model.js";

/** Room for the figures above the disc. */
const TOP = 60;
/** Room for the names of the threads. */
const NAMES = 74;
const FPS = 60;

/** Draws what the threads did lately: time goes to the right, and each refresh of the display is a line. */
function drawWork(brush: Brush, top: number, height: number, picture: Float64Array): void {
  const { width } = brush;
  const isFixed = picture[Part.isFixed] === 1;
  const lanes = isFixed ? ["Page", "Worker"] : ["Page"];
  const gap = 10;
  const tall = Math.min(56, (height - gap * (lanes.length + 1)) / lanes.length);
  const first = top + (height - lanes.length * (tall + gap) + gap) / 2;
  const length = width - NAMES - 12;
  const xOf = (age: number) => NAMES + length * (1 - Math.max(0, Math.min(WINDOW, age)) / WINDOW);
  for (let i = 0; i <= WINDOW * FPS; i++)
    brush.line(xOf(i / FPS), first - 6, xOf(i / FPS), first + lanes.length * (tall + gap) - 4, "line", 1);
  lanes.forEach((name, i) => {
    const y = first + i * (tall + gap);
    brush.text(name, 14, y + tall / 2 + 5, "muted", { size: 15, weight: 600 });
    brush.line(NAMES, y + tall, width - 12, y + tall, "line", 2);
  });
  for (let i = 0; i < PIECES; i++) {
    const at = Part.work + 3 * i;
    const { kind, isWorker } = kindOf(picture[at + 2]!);
    if (kind === "none") continue;
    const [from, to] = [xOf(picture[at]!), xOf(picture[at + 1]!)];
    if (to - from < 0.5) continue;
    const y = first + (isWorker ? tall + gap : 0);
    const colour = kind === "draw" ? "muted" : kind === "heavy" && !isFixed ? "wrong" : "simulated";
    brush.box(
      from,
      y + (kind === "draw" ? tall * 0.45 : 0),
      to - from,
      tall * (kind === "draw" ? 0.55 : 1),
      colour,
      2,
    );
  }
}

export default {
  create: (isFixed, cost) => new Threads(isFixed, cost),
  change: (model, cost) => model.changeCost(cost),
  range: [0, 1],
  draw(brush, _, picture) {
    const { width, height } = brush;
    const below = Math.min(170, (height - TOP) * 0.44);
    const room = height - TOP - below;
    const radius = Math.min(width * 0.09, room * 0.42);
    const y = TOP + room / 2;
    const xOf = (place: number) => radius + 14 + place * (width - 2 * radius - 28);
    const truth = xOf(picture[Part.truth]!);
    for (let i = GHOSTS - 1; i > 0; i--)
      brush.ring(xOf(picture[i]!), y, radius, "simulated", 2, 0.65 * (1 - i / GHOSTS));
    brush.disc(xOf(picture[0]!), y, radius, "simulated");
    brush.ring(truth, y, radius + 4, "truth", 3);
    drawWork(brush, height - below, below, picture);
  },
} satisfies ChapterScene<Threads> as ChapterScene<Threads>;
