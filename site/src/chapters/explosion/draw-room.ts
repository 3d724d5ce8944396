import type { Brush } from "../../figure/brush.js";
import type { Colour } from "../../figure/brush.js";
import { drawBurst } from "./draw-burst.js";
import type { Area } from "./layout.js";
import { GHOSTS, Part } from "./model.js";

const COILS = 11;
/** Seconds until a burst has its full size. */
const BURST = 0.25;

/** Draws a coil from one end to another. */
function drawCoil({ context }: Brush, from: number, to: number, y: number, size: number): void {
  context.beginPath();
  context.moveTo(from, y);
  for (let i = 0; i < 2 * COILS; i++)
    context.lineTo(from + ((to - from) * (i + 1)) / (2 * COILS + 1), y + (i % 2 === 0 ? -size : size));
  context.lineTo(to, y);
  context.stroke();
}

/** Draws the block on its spring, where it was in the last frames, and where it should be. */
export function drawRoom(brush: Brush, room: Area, picture: Float64Array): void {
  const { context } = brush;
  const [middle, y] = [room.x + room.width / 2, room.y + room.height / 2];
  const size = Math.min(room.height * 0.5, room.width * 0.16);
  const wall = room.x + 14;
  // A block that is far away is drawn just outside.
  const xOf = (metres: number) => middle + Math.max(-3, Math.min(3, metres)) * 0.42 * room.width;
  const block = (x: number, colour: Colour, width: number) => {
    context.beginPath();
    context.roundRect(x - size / 2, y - size / 2, size, size, 8);
    context.strokeStyle = brush.colour(colour);
    context.lineWidth = width;
    context.stroke();
  };
  const floor = y + size / 2 + 4;
  const isBurst = picture[Part.boomFor]! >= 0;
  context.save();
  context.beginPath();
  context.rect(room.x, room.y, room.width, room.height);
  context.clip();
  brush.line(wall, floor, room.x + room.width - 8, floor, "line", 3);
  brush.box(room.x, y - size * 0.9, 14, size * 1.4 + 4, "muted", 3);
  context.lineJoin = "round";
  for (let i = GHOSTS - 1; i > 0; i--) {
    const x = xOf(picture[Part.places + i]!);
    if (Math.abs(x - xOf(picture[Part.places]!)) < 1 && !isBurst) continue;
    const colour =
      isBurst || Math.abs(picture[Part.places + i]! - picture[Part.truth]!) > 0.3 ? "wrong" : "simulated";
    context.globalAlpha = 0.75 * (1 - i / GHOSTS);
    block(x, colour, 2);
    context.lineWidth = 1.5;
    if (isBurst) drawCoil(brush, wall, x - size / 2, y, size * 0.3);
  }
  context.globalAlpha = 1;
  const x = xOf(picture[Part.places]!);
  context.strokeStyle = brush.colour(isBurst ? "wrong" : "simulated");
  context.lineWidth = 3.5;
  drawCoil(brush, wall, x - size / 2, y, size * 0.3);
  if (!isBurst) brush.box(x - size / 2, y - size / 2, size, size, "simulated", 8);
  if (isBurst) {
    const part = Math.min(1, picture[Part.boomFor]! / BURST);
    const radius = Math.min(room.width, room.height) * (0.16 + 0.3 * part * (2 - part));
    drawBurst(brush, middle, y, radius, "wrong");
    brush.text(metres(Math.abs(picture[Part.places]!)), middle, y + radius * 0.09, "page", {
      size: Math.max(15, radius * 0.27),
      align: "center",
      weight: 750,
    });
  } else block(xOf(picture[Part.truth]!), "truth", 3);
  context.restore();
}

const DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Writes a distance: 12 m, 10⁶ m. */
function metres(distance: number): string {
  if (distance < 1000) return `${distance.toFixed(0)} m`;
  const power = Math.floor(Math.log10(distance));
  return `10${[...String(power)].map((digit) => DIGITS[Number(digit)]).join("")} m`;
}
