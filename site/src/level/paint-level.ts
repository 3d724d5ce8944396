import "./level.css";
import { paintBackdrop } from "../../../lab/src/game/picture/backdrop.js";
import { paintCharacter } from "../../../lab/src/game/picture/character.js";
import { paintCoins } from "../../../lab/src/game/picture/coins.js";
import { paintTerrain } from "../../../lab/src/game/picture/terrain.js";
import type { GameWorld } from "../../../lab/src/game/playthrough.js";
import { LEVEL_HEIGHT, LEVEL_WIDTH, TILE } from "../../../scenes/level.js";

/** What a picture of the level shows. */
export interface ShownLevel {
  readonly player: Pick<GameWorld["player"], "x" | "y" | "vx" | "vy" | "facing" | "grounded" | "wall">;
  readonly platforms: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> };
  readonly coins: Iterable<{ readonly x: number; readonly y: number }>;
  readonly flag: number;
}

/** A part of a canvas, in CSS pixels. */
export interface Panel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Canvas pixels per level pixel below which a character is too small to see. */
const MIN_SCALE = 1.05;

/** The radius of a panel's corners. */
const CORNER = 8;

/** Level pixels at the top that are never shown: a ceiling, and sky that nobody reaches. */
const CEILING = 3 * TILE;

/** The near edge of a window around a place, kept within the level. */
const edge = (center: number, window: number, size: number): number =>
  Math.min(size - window, Math.max(0, center - window / 2));

/** Paints the level around its character into a panel. `paintMore` paints on top, in level pixels. */
export function paintLevel(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Panel,
  shown: ShownLevel,
  seconds: number,
  paintMore: () => void,
): void {
  const world = shown as unknown as GameWorld;
  const scale = Math.max(height / (LEVEL_HEIGHT - CEILING), width / LEVEL_WIDTH, MIN_SCALE);
  const left = edge(shown.player.x, width / scale, LEVEL_WIDTH);
  const top = edge(shown.player.y, height / scale, LEVEL_HEIGHT);
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.translate(x, y);
  context.scale(scale, scale);
  context.translate(0, -top);
  paintBackdrop(context, left, width / scale);
  context.translate(-left, 0);
  paintTerrain(context, world, seconds);
  paintCoins(context, world, seconds);
  paintCharacter(context, world);
  paintMore();
  context.restore();
  cutCorners(context, x, y, width, height);
}

/** Rounds the corners of a panel. Without a GPU, a clip with round corners would slow down all that is painted in it. */
function cutCorners(
  context: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  height: number,
): void {
  context.globalCompositeOperation = "destination-out";
  for (const [x, across] of [
    [left, 1],
    [left + width, -1],
  ] as const)
    for (const [y, down] of [
      [top, 1],
      [top + height, -1],
    ] as const) {
      context.beginPath();
      context.moveTo(x, y);
      context.lineTo(x + across * CORNER, y);
      context.arcTo(x, y, x, y + down * CORNER, CORNER);
      context.closePath();
      context.fill();
    }
  context.globalCompositeOperation = "source-over";
}
