import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { drawCable } from "./cable.js";
import { HEIGHT, RADIUS, SEATS } from "./game.js";
import { Part, TwoPhones } from "./model.js";

/** Room for the figures above the phones. */
const TOP = 60;
const BOTTOM = 14;
/** Seconds for which a correction is to be seen. */
const FLASH = 0.35;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly unit: number;
}

/** Draws the players of one phone, and where they would be without a network. */
function drawPlayers(brush: Brush, { x, y, unit }: Place, own: number, picture: Float64Array): void {
  const { context } = brush;
  const radius = RADIUS * unit;
  for (let seat = 0; seat < SEATS; seat++) {
    const at = Part.phones + 4 * own + 2 * seat;
    const [shownX, shownY] = [x + picture[at]! * unit, y + picture[at + 1]! * unit];
    const truthX = x + picture[Part.truth + 2 * seat]! * unit;
    const truthY = y + picture[Part.truth + 2 * seat + 1]! * unit;
    if (Math.hypot(truthX - shownX, truthY - shownY) > radius / 2)
      brush.line(shownX, shownY, truthX, truthY, "wrong", 3);
    const fresh = 1 - picture[Part.corrected + own]! / FLASH;
    if (fresh > 0 && seat !== own)
      brush.ring(shownX, shownY, radius * (1.35 - 0.2 * fresh), "correction", 5, fresh);
    brush.disc(shownX, shownY, radius, "simulated");
    context.textBaseline = "middle";
    brush.text(String(seat + 1), shownX, shownY + 1, "surface", {
      size: radius,
      align: "center",
      weight: 700,
    });
    context.textBaseline = "alphabetic";
    brush.ring(truthX, truthY, radius + 3, "truth", 3);
  }
}

function drawPhone(brush: Brush, place: Place, own: number, picture: Float64Array): void {
  const { context } = brush;
  const { x, y, unit } = place;
  const edge = Math.max(5, unit * 0.07);
  const waiting = picture[Part.waiting + own]!;
  const isWaiting = waiting > 0.05;
  const [left, top, width, height] = [x - unit, y - HEIGHT * unit, 2 * unit, 2 * HEIGHT * unit];
  brush.box(
    left - edge,
    top - edge,
    width + 2 * edge,
    height + 2 * edge,
    isWaiting ? "wrong" : "ink",
    3 * edge,
  );
  brush.box(left, top, width, height, "page", 2 * edge);
  context.save();
  context.beginPath();
  context.roundRect(left, top, width, height, 2 * edge);
  context.clip();
  drawPlayers(brush, place, own, picture);
  if (isWaiting) {
    brush.box(left, top, width, height, "wrong", 0, 0.14);
    const size = Math.min(20, unit * 0.2);
    brush.box(x - 3.2 * size, top + height - 2.4 * size, 6.4 * size, 1.7 * size, "wrong", size);
    const text = `waits ${(100 * waiting).toFixed(0)} %`;
    brush.text(text, x, top + height - 1.3 * size, "surface", {
      size: 0.8 * size,
      align: "center",
      weight: 650,
    });
  }
  context.restore();
}

export default {
  create: (isFixed, lag) => new TwoPhones(isFixed, lag),
  change: (model, lag) => model.changeLag(lag),
  range: [-1, 1],
  draw(brush, _, picture) {
    const { width, height } = brush;
    const room = height - TOP - BOTTOM;
    // Both phones, their frames and the cable must fit.
    const unit = Math.min((room - 16) / (2 * HEIGHT), (width - 16) / 5.1);
    const edge = Math.max(5, unit * 0.07);
    const y = TOP + room / 2;
    const apart = Math.min(width - 16 - 4 * unit - 4 * edge, 5 * unit);
    const [left, right] = [width / 2 - apart / 2 - edge - unit, width / 2 + apart / 2 + edge + unit];
    drawCable(brush, left + unit + edge, right - unit - edge, y, picture.subarray(Part.packets));
    [left, right].forEach((x, own) => drawPhone(brush, { x, y, unit }, own, picture));
  },
} satisfies ChapterScene<TwoPhones> as ChapterScene<TwoPhones>;
