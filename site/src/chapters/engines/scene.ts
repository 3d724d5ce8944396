import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import type { Colour } from "../../figure/brush.js";
import { ownEngine, recorded, RECORDINGS, SEEN, SHOWN } from "./engines.js";
import { Swarms } from "./model.js";

/** Steps that a trail shows. */
const TRAIL = 480;
/** Metres up to which leaders count as together. */
const TOGETHER = 0.03;
/** Metres that a picture shows from top to bottom, and in front of the first swarm. */
const [TOP, BOTTOM] = [-1.2, 0.9];
const AHEAD = 0.5;
/** How much taller than wide a metre may be drawn: on a phone, too, the swarms need room. */
const STRETCH = 1.8;

/** A swarm that is drawn: in one engine or in several. */
interface Shown {
  readonly names: string[];
  readonly at: (step: number, coordinate: number) => number;
  readonly isHere: boolean;
}

/** Returns the swarms that can be told apart after some steps: this engine's first. */
function swarmsOf(model: Swarms, step: number): readonly Shown[] {
  const own = ownEngine();
  const here: Shown = {
    names: [own < 0 ? "your engine" : RECORDINGS[own]!.engine, "you are here"],
    at: (then, coordinate) => model.here(then, coordinate),
    isHere: true,
  };
  const swarms = [here];
  RECORDINGS.forEach(({ engine }, i) => {
    if (i === own) return;
    const at: Shown["at"] = model.isFixed ? here.at : (then, coordinate) => recorded(i, then, coordinate);
    const other = swarms.find(
      (swarm) => Math.hypot(swarm.at(step, 0) - at(step, 0), swarm.at(step, 1) - at(step, 1)) < TOGETHER,
    );
    if (other) other.names.splice(1, 0, engine);
    else swarms.push({ names: [engine], at, isHere: false });
  });
  return swarms;
}

/** Returns the step from which on the trail of a swarm can be told from this engine's. */
function firstApart(swarm: Shown, here: Shown, from: number, to: number): number {
  if (swarm === here) return from;
  for (let step = from; step < to; step += 2)
    if (
      Math.abs(swarm.at(step, 0) - here.at(step, 0)) + Math.abs(swarm.at(step, 1) - here.at(step, 1)) >
      SEEN
    )
      return step;
  return to;
}

/** A pill with the names of engines. */
interface Pill {
  readonly left: number;
  top: number;
  readonly wide: number;
  readonly tall: number;
}
const [ROW, GAP] = [23, 30];

/** Finds room for a pill above a leader, or below it in the lower half: inside the picture, and not on the pills before it. */
function placePill(
  { width, height }: Brush,
  { names }: Shown,
  x: number,
  y: number,
  others: readonly Pill[],
): Pill {
  const tall = ROW * names.length + 6;
  const wide = Math.max(...names.map((name) => 22 + 7.8 * name.length));
  const left = Math.min(width - wide - 6, Math.max(6, x - wide / 2));
  const isAbove = y < height / 2;
  const pill = { left, top: isAbove ? Math.max(56, y - GAP - tall) : y + GAP, wide, tall };
  for (const other of others)
    if (Math.abs(other.left + other.wide / 2 - left - wide / 2) < (other.wide + wide) / 2 + 4)
      if (pill.top < other.top + other.tall + 4 && other.top < pill.top + tall + 4)
        pill.top = isAbove ? other.top - tall - 4 : other.top + other.tall + 4;
  return pill;
}

export default {
  create: (isFixed, pace) => new Swarms(isFixed, pace),
  change: (model, pace) => model.setPace(pace),
  range: [1, -1.2],
  draw(brush, model, picture) {
    const { width, height, context } = brush;
    const step = picture[0]!;
    const scaleX = width / (width < 700 ? 4 : 5.5);
    const scaleY = Math.min(height / (BOTTOM - TOP), STRETCH * scaleX);
    // This engine's on top.
    const swarms = [...swarmsOf(model, step)].reverse();
    const here = swarms.at(-1)!;
    const right = Math.max(...swarms.map(({ at }) => at(step, 0))) + AHEAD;
    const xOf = (x: number) => width + (x - right) * scaleX;
    const yOf = (y: number) => height / 2 + (y - (TOP + BOTTOM) / 2) * scaleY;
    const size = Math.max(4, Math.min(9, height / 55));
    const colourOf = ({ isHere }: Shown): Colour => (isHere ? "simulated" : "wrong");
    for (const swarm of swarms) {
      context.beginPath();
      for (let then = firstApart(swarm, here, Math.max(0, step - TRAIL), step); then <= step; then += 2)
        context.lineTo(xOf(swarm.at(then, 0)), yOf(swarm.at(then, 1)));
      context.strokeStyle = brush.colour(colourOf(swarm));
      context.lineWidth = size * 0.7;
      context.lineJoin = context.lineCap = "round";
      context.globalAlpha = 0.45;
      context.stroke();
      context.globalAlpha = 1;
      for (let i = 2; i < SHOWN; i += 2)
        brush.disc(xOf(swarm.at(step, i)), yOf(swarm.at(step, i + 1)), size, colourOf(swarm), 0.75);
      brush.disc(xOf(swarm.at(step, 0)), yOf(swarm.at(step, 1)), size * 1.9, colourOf(swarm));
    }
    const pills: Pill[] = [];
    for (const swarm of swarms.reverse()) {
      const [x, y] = [xOf(swarm.at(step, 0)), yOf(swarm.at(step, 1))];
      const pill = placePill(brush, swarm, x, y, pills);
      pills.push(pill);
      const { left, top, wide, tall } = pill;
      brush.line(x, y, left + wide / 2, top + tall / 2, colourOf(swarm), 3);
      brush.box(left, top, wide, tall, colourOf(swarm), 13);
      swarm.names.forEach((name, i) =>
        brush.text(name, left + wide / 2, top + ROW * i + 19, "surface", { align: "center", weight: 600 }),
      );
    }
  },
} satisfies ChapterScene<Swarms> as ChapterScene<Swarms>;
