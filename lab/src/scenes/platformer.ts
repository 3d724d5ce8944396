import { HALF_HEIGHT, HALF_WIDTH } from "../../../scenes/character.js";
import {
  EXIT,
  FLAGS,
  isSolid,
  LEVEL_HEIGHT,
  LEVEL_WIDTH,
  PLATFORM_HEIGHT,
  PLATFORM_WIDTH,
  PLATFORMS,
  COLUMNS,
  ROWS,
  SPIKES,
  TILE,
} from "../../../scenes/level.js";
import type { ViewOf } from "../../../scenes/index.js";
import { colour } from "../theme/colours.js";
import { disc } from "./shapes.js";

let solid: Path2D | undefined;

/** Paints the full height of the level, and as much of its width around the character as fits. */
export function paintPlatformer(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  { player, platforms, coins, flag }: ViewOf<"platformer">,
): void {
  const scale = Math.max(height / LEVEL_HEIGHT, width / LEVEL_WIDTH);
  const room = width / scale;
  const left = Math.min(LEVEL_WIDTH - room, Math.max(0, player.x - room / 2));
  context.save();
  context.scale(scale, scale);
  context.translate(-left, height / scale - LEVEL_HEIGHT);

  context.fillStyle = colour("line");
  context.fill((solid ??= solidTiles()));
  context.fillStyle = colour("bad");
  for (const { x, y } of SPIKES) spikes(context, x, y + TILE / 2);
  FLAGS.forEach(({ x, y }, index) => pole(context, x, y, flag > index ? "good" : "muted"));
  context.strokeStyle = colour("good");
  context.lineWidth = 2;
  context.strokeRect(EXIT.x - TILE / 2 + 2, EXIT.y - TILE / 2, TILE - 4, TILE);
  context.fillStyle = colour("muted");
  for (let i = 0; i < PLATFORMS.length; i++)
    context.fillRect(platforms.x[i]! - PLATFORM_WIDTH / 2, platforms.y[i]!, PLATFORM_WIDTH, PLATFORM_HEIGHT);
  context.fillStyle = colour("ring");
  context.beginPath();
  for (let i = 0; i < coins.end; i++) if (coins.id[i]! > 0) disc(context, coins.x[i]!, coins.y[i]!, 4);
  context.fill();

  const { x, y, facing } = player;
  context.fillStyle = colour("ball");
  context.beginPath();
  context.roundRect(x - HALF_WIDTH, y - HALF_HEIGHT, 2 * HALF_WIDTH, 2 * HALF_HEIGHT, 3);
  context.fill();
  context.fillStyle = colour("surface");
  context.fillRect(x + 2 * facing - 1.5, y - 4, 3, 3);
  context.restore();
}

/** All solid tiles as one shape. Rows overlap slightly, to avoid seams at any scale. */
export function solidTiles(): Path2D {
  const path = new Path2D();
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      const from = column;
      while (column < COLUMNS && isSolid(column, row)) column++;
      if (column > from) path.rect(from * TILE, row * TILE, (column - from) * TILE, TILE + 0.5);
    }
  return path;
}

/** Paints the spikes of a tile. */
export function spikes(context: CanvasRenderingContext2D, x: number, ground: number): void {
  context.beginPath();
  for (const at of [x - TILE / 2, x]) {
    context.moveTo(at, ground);
    context.lineTo(at + TILE / 4, ground - TILE / 2);
    context.lineTo(at + TILE / 2, ground);
  }
  context.fill();
}

function pole(context: CanvasRenderingContext2D, x: number, y: number, name: "good" | "muted"): void {
  context.fillStyle = colour("muted");
  context.fillRect(x - 1, y - TILE, 2, 1.5 * TILE);
  context.fillStyle = colour(name);
  context.fillRect(x + 1, y - TILE, 9, 7);
}
