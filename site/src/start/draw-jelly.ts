import { COLUMNS, ROOM, ROWS } from "../../../scenes/jelly.js";
import type { Brush, Colour } from "../figure/brush.js";

const at = (column: number, row: number): number => 2 * (row * COLUMNS + column);

/** The masses at the edge, in a row. */
const OUTLINE: readonly number[] = [
  ...Array.from({ length: COLUMNS }, (_, i) => at(i, 0)),
  ...Array.from({ length: ROWS - 1 }, (_, i) => at(COLUMNS - 1, i + 1)),
  ...Array.from({ length: COLUMNS - 1 }, (_, i) => at(COLUMNS - 2 - i, ROWS - 1)),
  ...Array.from({ length: ROWS - 2 }, (_, i) => at(0, ROWS - 2 - i)),
];

/** Draws a jelly into a part of the picture: its skin, and the springs inside. */
export function drawJelly(
  brush: Brush,
  place: Float64Array,
  area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  colour: Colour,
): void {
  const { context } = brush;
  const scale = Math.min(area.width / ROOM, area.height / (ROOM * 0.8));
  const left = area.x + (area.width - scale * ROOM) / 2;
  const floor = area.y + area.height - 18;
  const x = (i: number) => left + scale * place[i]!;
  const y = (i: number) => floor - scale * place[i + 1]!;
  context.beginPath();
  for (const i of OUTLINE) context.lineTo(x(i), y(i));
  context.closePath();
  context.fillStyle = context.strokeStyle = brush.colour(colour);
  context.globalAlpha = 0.22;
  context.fill();
  context.globalAlpha = 0.5;
  context.lineWidth = 1;
  context.beginPath();
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      const i = at(column, row);
      if (column + 1 < COLUMNS) {
        context.moveTo(x(i), y(i));
        context.lineTo(x(i + 2), y(i + 2));
      }
      if (row + 1 < ROWS) {
        context.moveTo(x(i), y(i));
        context.lineTo(x(i + 2 * COLUMNS), y(i + 2 * COLUMNS));
      }
    }
  context.stroke();
  context.globalAlpha = 1;
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.beginPath();
  for (const i of OUTLINE) context.lineTo(x(i), y(i));
  context.closePath();
  context.stroke();
  context.beginPath();
  context.moveTo(area.x, floor + 2);
  context.lineTo(area.x + area.width, floor + 2);
  context.strokeStyle = brush.colour("line");
  context.lineWidth = 2;
  context.stroke();
}
