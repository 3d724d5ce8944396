import {
  COLUMNS,
  EXIT,
  FLAGS,
  isSolid,
  PLATFORM_HEIGHT,
  PLATFORM_WIDTH,
  PLATFORMS,
  ROWS,
  SPIKES,
  TILE,
} from "../../../../scenes/level.js";
import { colour } from "../../theme/colours.js";
import type { GameWorld } from "../playthrough.js";

let ground: { solid: Path2D; turf: Path2D } | undefined;

/** Paints the ground, spikes, flags, exit and platforms. */
export function paintTerrain(
  context: CanvasRenderingContext2D,
  { platforms, flag }: GameWorld,
  time: number,
): void {
  ground ??= { solid: solidTiles(), turf: turf() };
  door(context);
  context.fillStyle = colour("bad");
  for (const { x, y } of SPIKES) spikes(context, x, y + TILE / 2);
  FLAGS.forEach(({ x, y }, index) => banner(context, x, y, flag > index, time));
  // The ground casts a shadow on what is behind it.
  context.save();
  context.translate(4, 4);
  context.globalAlpha = 0.16;
  context.fillStyle = "#000";
  context.fill(ground.solid);
  context.restore();
  context.fillStyle = colour("soil");
  context.fill(ground.solid);
  context.fillStyle = colour("turf");
  context.fill(ground.turf);
  for (let i = 0; i < PLATFORMS.length; i++) platform(context, platforms.x[i]!, platforms.y[i]!);
}

/** All solid tiles as one shape. Rows overlap slightly, to avoid seams at any scale. */
function solidTiles(): Path2D {
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
function spikes(context: CanvasRenderingContext2D, x: number, ground: number): void {
  context.beginPath();
  for (const at of [x - TILE / 2, x]) {
    context.moveTo(at, ground);
    context.lineTo(at + TILE / 4, ground - TILE / 2);
    context.lineTo(at + TILE / 2, ground);
  }
  context.fill();
}

/** The top edge of walkable ground. */
function turf(): Path2D {
  const path = new Path2D();
  for (let row = 1; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++)
      if (isSolid(column, row) && !isSolid(column, row - 1)) path.rect(column * TILE, row * TILE, TILE, 3.5);
  return path;
}

function platform(context: CanvasRenderingContext2D, x: number, y: number): void {
  const left = x - PLATFORM_WIDTH / 2;
  context.fillStyle = colour("muted");
  context.beginPath();
  context.roundRect(left, y, PLATFORM_WIDTH, PLATFORM_HEIGHT, 3);
  context.fill();
  context.fillStyle = colour("surface");
  context.globalAlpha = 0.45;
  context.fillRect(left + 3, y + 1, PLATFORM_WIDTH - 6, 1.5);
  context.globalAlpha = 1;
}

/** A flag. Waves once reached. */
function banner(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  isReached: boolean,
  time: number,
): void {
  context.fillStyle = colour("muted");
  context.fillRect(x - 1, y - TILE, 2, 1.5 * TILE);
  context.fillStyle = colour(isReached ? "turf" : "muted");
  const wave = isReached ? 1.5 * Math.sin(time * 6) : 2;
  context.beginPath();
  context.moveTo(x + 1, y - TILE);
  context.quadraticCurveTo(x + 7, y - TILE + wave, x + 13, y - TILE + 4);
  context.quadraticCurveTo(x + 7, y - TILE + 8 - wave, x + 1, y - TILE + 8);
  context.fill();
}

function door(context: CanvasRenderingContext2D): void {
  const { x, y } = EXIT;
  const glow = context.createRadialGradient(x, y, 2, x, y, 26);
  glow.addColorStop(0, colour("coin"));
  // The same colour at zero alpha: transparent black would darken the rim.
  glow.addColorStop(1, `${colour("coin")}00`);
  context.globalAlpha = 0.5;
  context.fillStyle = glow;
  context.fillRect(x - 26, y - 26, 52, 52);
  context.globalAlpha = 1;
  context.fillStyle = colour("turf");
  context.beginPath();
  context.roundRect(x - 7, y - 10, 14, 18, [7, 7, 0, 0]);
  context.fill();
  context.fillStyle = colour("coin");
  context.beginPath();
  context.roundRect(x - 4.5, y - 7, 9, 15, [4.5, 4.5, 0, 0]);
  context.fill();
}
