import type { Brush, Colour } from "../figure/brush.js";
import { HEIGHT, RADIUS } from "./game.js";

/** Where a screen is: its middle, and the pixels of a unit of the field. */
export interface Screen {
  readonly x: number;
  readonly y: number;
  readonly unit: number;
}

/** Room for the figures above the screens. */
const TOP = 60;
/** Seconds for which a correction is to be seen. */
const FLASH = 0.35;

/** Pixels of the frame around a screen. */
export const edgeOf = ({ unit }: Pick<Screen, "unit">): number => Math.max(5, unit * 0.07);

/** Returns where the screens of two machines are. Both, their frames and the cable must fit. `below` is the room below them. */
export function twoScreens({ width, height }: Brush, below: number): readonly [Screen, Screen] {
  const room = height - TOP - below;
  const unit = Math.min((room - 16) / (2 * HEIGHT), (width - 16) / 5.1);
  const edge = edgeOf({ unit });
  const apart = Math.min(width - 16 - 4 * unit - 4 * edge, 5 * unit);
  const fromMiddle = apart / 2 + edge + unit;
  const y = TOP + room / 2;
  return [
    { x: width / 2 - fromMiddle, y, unit },
    { x: width / 2 + fromMiddle, y, unit },
  ];
}

/** Draws a screen with its frame. `paint` paints what it shows. */
export function drawScreen(brush: Brush, screen: Screen, frame: Colour, paint: () => void): void {
  const { context } = brush;
  const edge = edgeOf(screen);
  const { left, top, width, height } = areaOf(screen);
  brush.box(left - edge, top - edge, width + 2 * edge, height + 2 * edge, frame, 3 * edge);
  brush.box(left, top, width, height, "page", 2 * edge);
  context.save();
  context.beginPath();
  context.roundRect(left, top, width, height, 2 * edge);
  context.clip();
  paint();
  context.restore();
}

/** Returns the area of a screen without its frame, in pixels. */
export const areaOf = ({ x, y, unit }: Screen) => ({
  left: x - unit,
  top: y - HEIGHT * unit,
  width: 2 * unit,
  height: 2 * HEIGHT * unit,
});

/** Returns where a player is on a screen. `at` is the place of its x in the picture. */
const pixelsOf = ({ x, y, unit }: Screen, picture: Float64Array, at: number) =>
  [x + picture[at]! * unit, y + picture[at + 1]! * unit] as const;

/** Draws the disc of a player. */
export function drawPlayer(
  brush: Brush,
  screen: Screen,
  seat: number,
  picture: Float64Array,
  at: number,
  colour: Colour,
): void {
  const { context } = brush;
  const radius = RADIUS * screen.unit;
  const [x, y] = pixelsOf(screen, picture, at);
  brush.disc(x, y, radius, colour);
  context.textBaseline = "middle";
  brush.text(String(seat + 1), x, y + 1, "surface", { size: radius, align: "center", weight: 700 });
  context.textBaseline = "alphabetic";
}

/** Draws how far a player is from where it should be. Call it before `drawPlayer`. */
export function drawOff(
  brush: Brush,
  screen: Screen,
  picture: Float64Array,
  at: number,
  truth: number,
): void {
  const [x, y] = pixelsOf(screen, picture, at);
  const [trueX, trueY] = pixelsOf(screen, picture, truth);
  if (Math.hypot(trueX - x, trueY - y) > (RADIUS * screen.unit) / 2)
    brush.line(x, y, trueX, trueY, "wrong", 3);
}

/** Draws a ring around where a player should be. */
export function drawTruth(brush: Brush, screen: Screen, picture: Float64Array, truth: number): void {
  const [x, y] = pixelsOf(screen, picture, truth);
  brush.ring(x, y, RADIUS * screen.unit + 3, "truth", 3);
}

/** Draws a ring that fades after a correction. `age` is how many seconds ago that was. */
export function drawCorrection(
  brush: Brush,
  screen: Screen,
  picture: Float64Array,
  at: number,
  age: number,
): void {
  const fresh = 1 - age / FLASH;
  if (fresh <= 0) return;
  const [x, y] = pixelsOf(screen, picture, at);
  brush.ring(x, y, RADIUS * screen.unit * (1.35 - 0.2 * fresh), "correction", 5, fresh);
}
