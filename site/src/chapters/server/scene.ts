import { drawCable } from "../../duel/cable.js";
import { SEATS } from "../../duel/game.js";
import {
  areaOf,
  drawCorrection,
  drawOff,
  drawPlayer,
  drawScreen,
  drawTruth,
  edgeOf,
  twoScreens,
  type Screen,
} from "../../duel/screens.js";
import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { Part, PlayAtServer } from "./model.js";

/** Room below the screens, for their names. */
const BELOW = 38;

function drawName(brush: Brush, screen: Screen, name: string): void {
  const { top, height } = areaOf(screen);
  brush.text(name, screen.x, top + height + edgeOf(screen) + 22, "muted", { size: 15, align: "center" });
}

/** Draws what the client shows, and where the server will have the players. */
function drawClient(brush: Brush, screen: Screen, picture: Float64Array): void {
  for (let seat = 0; seat < SEATS; seat++) {
    const [at, truth] = [Part.shown + 2 * seat, Part.truth + 2 * seat];
    drawOff(brush, screen, picture, at, truth);
    if (seat > 0) drawCorrection(brush, screen, picture, at, picture[Part.corrected]!);
    drawPlayer(brush, screen, seat, picture, at, "simulated");
    drawTruth(brush, screen, picture, truth);
  }
}

export default {
  create: (isFixed, lag) => new PlayAtServer(isFixed, lag),
  change: (model, lag) => model.changeLag(lag),
  range: [-1, 1],
  draw(brush, _, picture) {
    const screens = twoScreens(brush, BELOW);
    const [server, client] = screens;
    drawCable(brush, screens, picture.subarray(Part.packets));
    drawScreen(brush, server, "ink", () => {
      for (let seat = 0; seat < SEATS; seat++)
        drawPlayer(brush, server, seat, picture, Part.server + 2 * seat, "truth");
    });
    drawScreen(brush, client, "ink", () => drawClient(brush, client, picture));
    drawName(brush, server, "Server");
    drawName(brush, client, "Your screen");
  },
} satisfies ChapterScene<PlayAtServer> as ChapterScene<PlayAtServer>;
