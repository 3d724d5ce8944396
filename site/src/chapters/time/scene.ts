import { paintCharacter } from "../../../../lab/src/game/picture/character.js";
import type { GameWorld } from "../../../../lab/src/game/playthrough.js";
import { HALF_HEIGHT, HALF_WIDTH } from "../../../../scenes/character.js";
import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { drawLandscape, windowOf, type Window } from "./landscape.js";
import { Leap, Part, TOLERANCE } from "./model.js";

/** Seconds of game time between two exposures of the character. */
const EXPOSURE = 0.05;

/** Draws the path at normal speed, and the character on it. */
function drawTruth(brush: Brush, path: Float64Array, picture: Float64Array, place: Place): void {
  const { context } = brush;
  context.beginPath();
  for (let i = 0; i < path.length; i += 2) context.lineTo(place.x(path[i]!), place.y(path[i + 1]!));
  context.strokeStyle = brush.colour("truth");
  context.lineWidth = 4;
  context.lineJoin = "round";
  context.stroke();
  const { scale } = place;
  const [x, y] = [place.x(picture[Part.truthX]!), place.y(picture[Part.truthY]!)];
  context.beginPath();
  const [half, tall] = [(HALF_WIDTH + 1.5) * scale, (HALF_HEIGHT + 1.5) * scale];
  context.roundRect(x - half, y - tall, 2 * half, 2 * tall, 5 * scale);
  context.stroke();
}

interface Place {
  readonly x: (x: number) => number;
  readonly y: (y: number) => number;
  readonly scale: number;
}

const isOff = (picture: Float64Array): boolean =>
  Math.hypot(picture[Part.x]! - picture[Part.truthX]!, picture[Part.y]! - picture[Part.truthY]!) > TOLERANCE;

/** Draws where the character was in this take. */
function drawTrail(brush: Brush, { track }: Leap, picture: Float64Array, place: Place): void {
  let last = NaN;
  const first = Math.max(track.firstFrame, picture[Part.first]!);
  for (let frame = first; frame < picture[Part.frame]!; frame++) {
    const then = track.pictureOf(frame);
    const exposure = Math.floor(then[Part.time]! / EXPOSURE + 1e-6);
    if (exposure === last) continue;
    last = exposure;
    const colour = isOff(then) ? "wrong" : "simulated";
    brush.disc(place.x(then[Part.x]!), place.y(then[Part.y]!), 2.2 * place.scale, colour);
  }
}

function drawCharacter({ context }: Brush, { left, top, scale }: Window, picture: Float64Array): void {
  const [x, y, vx, vy, facing, grounded, wall] = picture as unknown as number[];
  context.save();
  context.scale(scale, scale);
  context.translate(-left, -top);
  const player = { x, y, vx, vy, facing, grounded: grounded === 1, wall };
  paintCharacter(context, { player } as unknown as GameWorld);
  context.restore();
}

const nameOf = (speed: number): string => {
  if (speed === 0) return "hit-stop";
  if (speed < 0) return "rewind";
  return speed < 1 ? "slow motion" : speed > 1 ? "fast forward" : "normal speed";
};

/** Draws the wheel, which turns with the time of the game. */
function drawWheel(brush: Brush, picture: Float64Array): void {
  const { height, context } = brush;
  const radius = Math.min(46, height * 0.11);
  const [x, y] = [Math.max(radius, 58) + 14, radius + 14];
  const turn = 2 * Math.PI * picture[Part.time]! - Math.PI / 2;
  brush.disc(x, y, radius, "surface");
  context.beginPath();
  for (let i = 0; i < 12; i++) {
    const angle = turn + (i * Math.PI) / 6;
    context.moveTo(x + radius * 0.84 * Math.cos(angle), y + radius * 0.84 * Math.sin(angle));
    context.lineTo(x + radius * 0.96 * Math.cos(angle), y + radius * 0.96 * Math.sin(angle));
  }
  context.strokeStyle = brush.colour("muted");
  context.lineWidth = 2;
  context.stroke();
  brush.ring(x, y, radius, "ink", 3);
  brush.disc(x + radius * 0.56 * Math.cos(turn), y + radius * 0.56 * Math.sin(turn), radius * 0.2, "ink");
  const text = nameOf(picture[Part.speed]!);
  const width = 24 + 8.2 * text.length;
  const top = y + radius + 10;
  brush.box(x - width / 2, top, width, 30, "surface", 15);
  brush.text(text, x, top + 20, "ink", { size: 15, align: "center", weight: 600 });
}

export default {
  create: (isFixed, speed, _, recording) => new Leap(isFixed, speed, recording),
  change: (model, speed) => model.setSpeed(speed),
  range: [-60, 40],
  draw(brush, model, picture) {
    const window = windowOf(brush);
    const { left, top, scale } = window;
    const place = { x: (x: number) => (x - left) * scale, y: (y: number) => (y - top) * scale, scale };
    drawLandscape(brush, window);
    drawTruth(brush, model.path, picture, place);
    drawTrail(brush, model, picture, place);
    drawCharacter(brush, window, picture);
    drawWheel(brush, picture);
  },
} satisfies ChapterScene<Leap> as ChapterScene<Leap>;
