import type { Brush } from "../../figure/brush.js";
import { Part } from "./model.js";

/** Seconds that fit into the tank. */
const CAPACITY = 1;
/** Pixels of its wall. */
const WALL = 3;
/** Pixels for the text below it. */
const TEXT = 26;

/** Draws the time that the game owes as a tank. What is dropped leaves it through a drain. */
export function drawTank(
  brush: Brush,
  picture: Float64Array,
  x: number,
  y: number,
  width: number,
  height: number,
  hasDrain: boolean,
): void {
  const { context } = brush;
  const owed = picture[Part.owed]!;
  const bottom = y + height - TEXT;
  const inside = bottom - y;
  const level = Math.min(1, owed / CAPACITY) * inside;
  brush.box(x, bottom - level, width, level, "wrong", 2, 0.85);
  const isFull = owed > CAPACITY;
  // It spills over the edges, ever further down.
  if (isFull) {
    const spill = Math.min(inside + TEXT, ((owed - CAPACITY) / CAPACITY) * inside);
    brush.box(x - WALL - 5, y - 8, width + 2 * WALL + 10, 10, "wrong", 5);
    for (const edge of [x - WALL - 7, x + width + WALL]) brush.box(edge, y - 4, 7, spill + 8, "wrong", 4);
  }
  context.beginPath();
  context.moveTo(x - WALL / 2, y);
  context.lineTo(x - WALL / 2, bottom + WALL / 2);
  context.lineTo(x + width + WALL / 2, bottom + WALL / 2);
  context.lineTo(x + width + WALL / 2, y);
  context.strokeStyle = brush.colour("ink");
  context.lineWidth = WALL;
  context.lineJoin = "round";
  context.stroke();
  const middle = x + width / 2;
  brush.text("owed", middle, bottom + 18, isFull ? "wrong" : "muted", {
    size: 13,
    align: "center",
    weight: 600,
  });
  const lost = picture[Part.lost]!;
  if (!hasDrain || lost === 0) return;
  const pipe = x + width + WALL;
  brush.box(pipe, bottom - 9, 12, 9, "ink", 2);
  for (let i = 0; i < 3; i++) {
    const fall = (lost * 3 + i / 3) % 1;
    brush.disc(pipe + 10, bottom + 4 + fall * (TEXT - 8), 3.5, "wrong", 1 - 0.6 * fall);
  }
}
