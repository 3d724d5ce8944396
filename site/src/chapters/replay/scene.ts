import { HALF_HEIGHT, HALF_WIDTH } from "../../../../scenes/character.js";
import { COINS, PLATFORMS } from "../../../../scenes/level.js";
import type { Brush } from "../../figure/brush.js";
import type { ChapterScene } from "../../figure/chapter.js";
import { paintLevel, type Panel, type ShownLevel } from "../../level/paint-level.js";
import { Replays, VIEWS } from "./model.js";
import { ViewPart, VIEW_SIZE } from "./view.js";

const GAP = 8;
/** Room for the figures above the views. */
const TOP = 60;

/** Side by side, or one above the other on a phone. */
function panelOf(index: number, { width, height }: Brush): Panel {
  const room = height - TOP;
  if (width > 1.3 * height) {
    const across = (width - GAP * (VIEWS + 1)) / VIEWS;
    return { x: GAP + index * (across + GAP), y: TOP, width: across, height: room - GAP };
  }
  const along = (room - GAP * VIEWS) / VIEWS;
  return { x: GAP, y: TOP + index * (along + GAP), width: width - 2 * GAP, height: along };
}

function levelOf(view: Float64Array): ShownLevel {
  const count = PLATFORMS.length;
  const { x, y, vx, vy, facing, grounded, wall, flag, coins, platforms } = ViewPart;
  return {
    player: {
      x: view[x]!,
      y: view[y]!,
      vx: view[vx]!,
      vy: view[vy]!,
      facing: view[facing]!,
      grounded: view[grounded] === 1,
      wall: view[wall]!,
    },
    flag: view[flag]!,
    coins: COINS.filter((_, i) => Math.floor(view[coins]! / 2 ** i) % 2 === 1),
    platforms: {
      x: view.subarray(platforms, platforms + count),
      y: view.subarray(platforms + count, platforms + 2 * count),
    },
  };
}

/** Outlines the character where it was in the recording, and draws the way there. */
function drawRecorded(brush: Brush, view: Float64Array): void {
  const { context } = brush;
  const [x, y] = [view[ViewPart.recordedX]!, view[ViewPart.recordedY]!];
  if (view[ViewPart.isSame] !== 1) {
    context.setLineDash([4, 4]);
    brush.line(view[ViewPart.x]!, view[ViewPart.y]!, x, y, "wrong", 2);
    context.setLineDash([]);
  }
  context.beginPath();
  context.roundRect(x - HALF_WIDTH - 2.5, y - HALF_HEIGHT - 2.5, 2 * HALF_WIDTH + 5, 2 * HALF_HEIGHT + 5, 5);
  context.strokeStyle = brush.colour("truth");
  context.lineWidth = 2;
  context.stroke();
}

function drawLabel(brush: Brush, { x, y, height }: Panel, fps: number, isSame: boolean): void {
  const text = `${fps} fps`;
  const size = 15;
  const width = 22 + 8.6 * text.length;
  const top = y + height - 38;
  brush.box(x + 10, top, width, 28, isSame ? "simulated" : "wrong", 14);
  brush.text(text, x + 10 + width / 2, top + 19.5, "surface", { size, align: "center", weight: 650 });
}

export default {
  create: (isFixed, fps, _, recording) => new Replays(isFixed, fps, recording),
  range: [-260, -80],
  draw(brush, _, picture) {
    for (let i = 0; i < VIEWS; i++) {
      const view = picture.subarray(i * VIEW_SIZE, (i + 1) * VIEW_SIZE);
      const panel = panelOf(i, brush);
      const isSame = view[ViewPart.isSame] === 1;
      paintLevel(brush.context, panel, levelOf(view), view[ViewPart.seconds]!, () =>
        drawRecorded(brush, view),
      );
      drawLabel(brush, panel, view[ViewPart.fps]!, isSame);
      if (isSame) continue;
      const { context } = brush;
      context.beginPath();
      context.roundRect(panel.x, panel.y, panel.width, panel.height, 8);
      context.strokeStyle = brush.colour("wrong");
      context.lineWidth = 4;
      context.stroke();
    }
  },
} satisfies ChapterScene<Replays> as ChapterScene<Replays>;
