import type { Brush } from "../../figure/brush.js";
import { drawBurst } from "./draw-burst.js";
import type { Area } from "./layout.js";
import { INTEGRATORS, neededRate, rateOf, RATES } from "./map.js";
import { Part } from "./model.js";

/** Pixels between two cells. */
const GAP = 4;

/** Draws which integrator is stable at which frame rate. */
export function drawMap(brush: Brush, map: Area, picture: Float64Array, isFixed: boolean): void {
  const { context } = brush;
  const [width, height] = [map.width / RATES.length, map.height / INTEGRATORS.length];
  INTEGRATORS.forEach(({ label }, row) => {
    const y = map.y + row * height;
    const needed = neededRate(row, picture[Part.stiffness]!);
    brush.text(label, map.x - 10, y + height / 2 + 5, row === picture[Part.row] ? "ink" : "muted", {
      align: "right",
      weight: row === picture[Part.row] ? 650 : 500,
    });
    RATES.forEach((_, column) => {
      const x = map.x + column * width;
      const isGood = rateOf(column, isFixed) > needed;
      brush.box(x, y, width - GAP, height - GAP, isGood ? "verdict" : "wrong", 6);
      const [cx, cy, size] = [x + (width - GAP) / 2, y + (height - GAP) / 2, Math.min(width, height) * 0.22];
      // A burst or a calm wave: not by colour alone.
      if (!isGood) drawBurst(brush, cx, cy, size, "page");
      else {
        context.beginPath();
        for (let i = 0; i <= 20; i++) {
          const part = i / 20;
          context.lineTo(cx + (part - 0.5) * 2.6 * size, cy - size * (1 - part) * Math.sin(part * 14));
        }
        context.strokeStyle = brush.colour("page");
        context.lineWidth = 2;
        context.stroke();
      }
      if (row !== picture[Part.row] || column !== picture[Part.column]) return;
      context.beginPath();
      context.roundRect(x - 3, y - 3, width - GAP + 6, height - GAP + 6, 9);
      context.strokeStyle = brush.colour("ink");
      context.lineWidth = 3;
      context.stroke();
    });
  });
  RATES.forEach((rate, column) => {
    const isPicked = column === picture[Part.column];
    brush.text(
      String(rate),
      map.x + (column + 0.5) * width - GAP / 2,
      map.y + map.height + 16,
      isPicked ? "ink" : "muted",
      {
        align: "center",
        weight: isPicked ? 650 : 500,
      },
    );
  });
  brush.text("frames per second: pick a cell", map.x + map.width / 2, map.y + map.height + 33, "muted", {
    size: 13,
    align: "center",
  });
}
