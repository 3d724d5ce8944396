import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import type { Colour } from "../../figure/brush.js";
import { drawCable } from "../rollback/cable.js";
import { HEIGHT, RADIUS, SEATS } from "../rollback/game.js";
import { Part, PlayAtServer } from "./model.js";

/** Room for the figures above the screens, and for their names below. */
const TOP = 60;
const BOTTOM = 38;
/** Seconds for which a correction is to be seen. */
const FLASH = 0.35;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly unit: number;
}

/** Draws the screen of a machine: its players, and `more` below them. */
function drawScreen(
  brush: Brush,
  { x, y, unit }: Place,
  name: string,
  colour: Colour,
  places: Float64Array,
  more: () => void,
): void {
  const { context } = brush;
  const edge = Math.max(5, unit * 0.07);
  const [left, top, width, height] = [x - unit, y - HEIGHT * unit, 2 * unit, 2 * HEIGHT * unit];
  brush.box(left - edge, top - edge, width + 2 * edge, height + 2 * edge, "ink", 3 * edge);
  brush.box(left, top, width, height, "page", 2 * edge);
  brush.text(name, x, top + height + edge + 22, "muted", {
    size: 15,
    align: "center",
  });
  context.save();
  context.beginPath();
  context.roundRect(left, top, width, height, 2 * edge);
  context.clip();
  more();
  const radius = RADIUS * unit;
  for (let seat = 0; seat < SEATS; seat++) {
    const [atX, atY] = [x + places[2 * seat]! * unit, y + places[2 * seat + 1]! * unit];
    brush.disc(atX, atY, radius, colour);
    context.textBaseline = "middle";
    brush.text(String(seat + 1), atX, atY + 1, "surface", { size: radius, align: "center", weight: 700 });
    context.textBaseline = "alphabetic";
  }
  context.restore();
}

/** Draws where the server will have the players, and how far that is from what is shown. */
function drawTruth(brush: Brush, { x, y, unit }: Place, picture: Float64Array): void {
  const radius = RADIUS * unit;
  for (let seat = 0; seat < SEATS; seat++) {
    const at = (part: number) =>
      [x + picture[part + 2 * seat]! * unit, y + picture[part + 2 * seat + 1]! * unit] as const;
    const [[shownX, shownY], [trueX, trueY]] = [at(Part.shown), at(Part.truth)];
    if (Math.hypot(trueX - shownX, trueY - shownY) > radius / 2)
      brush.line(shownX, shownY, trueX, trueY, "wrong", 4);
    const fresh = 1 - picture[Part.corrected]! / FLASH;
    if (fresh > 0 && seat > 0)
      brush.ring(shownX, shownY, radius * (1.35 - 0.2 * fresh), "correction", 5, fresh);
    brush.ring(trueX, trueY, radius + 3, "truth", 3);
  }
}

export default {
  create: (isFixed, lag) => new PlayAtServer(isFixed, lag),
  change: (model, lag) => model.changeLag(lag),
  range: [-1, 1],
  draw(brush, _, picture) {
    const { width, height } = brush;
    const room = height - TOP - BOTTOM;
    // Both screens, their frames and the cable must fit.
    const unit = Math.min((room - 16) / (2 * HEIGHT), (width - 16) / 5.1);
    const edge = Math.max(5, unit * 0.07);
    const y = TOP + room / 2;
    const apart = Math.min(width - 16 - 4 * unit - 4 * edge, 5 * unit);
    const server = { x: width / 2 - apart / 2 - edge - unit, y, unit };
    const screen = { x: width / 2 + apart / 2 + edge + unit, y, unit };
    drawCable(brush, server.x + unit + edge, screen.x - unit - edge, y, picture.subarray(Part.packets));
    drawScreen(brush, server, "Server", "truth", picture.subarray(Part.server, Part.server + 4), () => {});
    drawScreen(brush, screen, "Your screen", "simulated", picture.subarray(Part.shown, Part.shown + 4), () =>
      drawTruth(brush, screen, picture),
    );
  },
} satisfies ChapterScene<PlayAtServer> as ChapterScene<PlayAtServer>;
