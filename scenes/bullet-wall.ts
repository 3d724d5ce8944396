/** Pixels per second of a bullet. */
export const SPEED = 1000;
/** Position and thickness of the wall, in pixels. */
export const WALL = 640;
export const WALL_WIDTH = 32;
/** Where a bullet that missed disappears. */
export const END = 1000;

/** Whether a bullet is in the wall. */
export const isInWall = (x: number): boolean => x >= WALL && x <= WALL + WALL_WIDTH;

/** Returns where a bullet that moves from one position to another hits the wall, or -1 if it does not. */
export function meetsWall(from: number, to: number): number {
  if (isInWall(from)) return from;
  return from < WALL && to >= WALL ? WALL : -1;
}
