import "../../level/level.css";
import { paintBackdrop } from "../../../../lab/src/game/picture/backdrop.js";
import { paintTerrain } from "../../../../lab/src/game/picture/terrain.js";
import type { GameWorld } from "../../../../lab/src/game/playthrough.js";
import { LEVEL_HEIGHT, PLATFORMS } from "../../../../scenes/level.js";
import type { Brush } from "../../figure/brush.js";
import { StillLayer } from "../../figure/still-layer.js";

/** Level pixels from the top to the bottom of the picture. */
const TALL = 152;
/** The middle of the pit; what is right of the end moves, and is never shown. */
const PIT = 248;
const END = 424;

/** A window of the level. */
export interface Window {
  readonly left: number;
  readonly top: number;
  /** Canvas pixels per level pixel. */
  readonly scale: number;
}

/** Returns the part of the level that fits a canvas. */
export function windowOf({ width, height }: Brush): Window {
  const scale = Math.max(height / TALL, width / END);
  const across = width / scale;
  return {
    left: Math.min(END - across, Math.max(0, PIT - across / 2)),
    top: LEVEL_HEIGHT - height / scale,
    scale,
  };
}

/** The platforms and flags where they begin. They are out of the window. */
const AT_START = {
  platforms: { x: PLATFORMS.map(({ from }) => from[0]), y: PLATFORMS.map(({ from }) => from[1]) },
  flag: 0,
} as unknown as GameWorld;

const layer = new StillLayer();

/** Draws the landscape. Nothing in it moves. */
export function drawLandscape(brush: Brush, { left, top, scale }: Window): void {
  layer.draw(brush, "", ({ context, width }) => {
    context.scale(scale, scale);
    context.translate(0, -top);
    paintBackdrop(context, left, width / scale);
    context.translate(-left, 0);
    paintTerrain(context, AT_START, 0);
  });
}
