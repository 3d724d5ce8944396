// A floor, a wall and a hero, seen by a camera. The pictures in docs/pixel-art.md are made with it.
import { snap } from "tickwise/blend";
import { TILE } from "./atlas.js";
import type { TilePainter } from "./tile-painter.js";

export const WIDTH = 192;
export const HEIGHT = 108;

/** Rounds positions on the screen, given those in the world. */
export type Rounding = "none" | "both" | "difference";

/** Draws the scene. Returns where it put the hero on the screen. */
export function paintScene(
  painter: TilePainter,
  camera: number,
  hero: { x: number; y: number },
  rounding: Rounding,
): number {
  const place = (x: number) => {
    if (rounding === "both") return snap(x) - snap(camera);
    return rounding === "difference" ? snap(x - camera) : x - camera;
  };
  const first = Math.floor(camera / TILE) - 1;
  for (let column = first; column <= first + WIDTH / TILE + 2; column++) {
    painter.tile("grass", place(column * TILE), 92);
    if (column % 7 < 2) painter.tile("stone", place(column * TILE), 76);
  }
  const x = place(hero.x);
  painter.tile("hero", x, rounding === "none" ? hero.y : snap(hero.y));
  painter.paint();
  return x;
}
