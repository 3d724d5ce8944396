import { drawCable } from "../../duel/cable.js";
import { SEATS } from "../../duel/game.js";
import {
  areaOf,
  drawCorrection,
  drawOff,
  drawPlayer,
  drawScreen,
  drawTruth,
  twoScreens,
  type Screen,
} from "../../duel/screens.js";
import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { Part, TwoPhones } from "./model.js";

/** Room below the phones. */
const BELOW = 14;

/** Draws the players of one phone, and where they would be without a network. */
function drawPlayers(brush: Brush, phone: Screen, own: number, picture: Float64Array): void {
  for (let seat = 0; seat < SEATS; seat++) {
    const at = Part.phones + 4 * own + 2 * seat;
    const truth = Part.truth + 2 * seat;
    drawOff(brush, phone, picture, at, truth);
    if (seat !== own) drawCorrection(brush, phone, picture, at, picture[Part.corrected + own]!);
    drawPlayer(brush, phone, seat, picture, at, "simulated");
    drawTruth(brush, phone, picture, truth);
  }
}

function drawPhone(brush: Brush, phone: Screen, own: number, picture: Float64Array): void {
  const waiting = picture[Part.waiting + own]!;
  const isWaiting = waiting > 0.05;
  drawScreen(brush, phone, isWaiting ? "wrong" : "ink", () => {
    drawPlayers(brush, phone, own, picture);
    if (isWaiting) drawWaiting(brush, phone, waiting);
  });
}

/** Covers a phone that waits, and says for how much of the time it does. */
function drawWaiting(brush: Brush, phone: Screen, share: number): void {
  const { left, top, width, height } = areaOf(phone);
  brush.box(left, top, width, height, "wrong", 0, 0.14);
  const size = Math.min(20, phone.unit * 0.2);
  brush.box(phone.x - 3.2 * size, top + height - 2.4 * size, 6.4 * size, 1.7 * size, "wrong", size);
  brush.text(`waits ${(100 * share).toFixed(0)} %`, phone.x, top + height - 1.3 * size, "surface", {
    size: 0.8 * size,
    align: "center",
    weight: 650,
  });
}

export default {
  create: (isFixed, lag) => new TwoPhones(isFixed, lag),
  change: (model, lag) => model.changeLag(lag),
  range: [-1, 1],
  draw(brush, _, picture) {
    const phones = twoScreens(brush, BELOW);
    drawCable(brush, phones, picture.subarray(Part.packets));
    phones.forEach((phone, own) => drawPhone(brush, phone, own, picture));
  },
} satisfies ChapterScene<TwoPhones> as ChapterScene<TwoPhones>;
