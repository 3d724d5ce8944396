/** Width and height of a tile, in pixels. */
export const TILE = 16;

/** # is solid, ^ spikes, o a coin, S the start, C a checkpoint flag, E the exit. */
export const LEVEL = [
  "################################################################################",
  "#..............................................................................#",
  "#..............................................................................#",
  "#..............................................................................#",
  "#.......................................................oo.....................#",
  "#.............................................................o................#",
  "#.....................................o.............##......................o..#",
  "#..................................................................#...........#",
  "#...............oo.................####........................o...#........E..#",
  "#..................................####........................#...#.......###.#",
  "#..............####.........o......####........o.....o.........#...#...........#",
  "#.........oo................#......####...C....................#...............#",
  "#....................o.....##......######################..o...#....oo...###...#",
  "#..S....######...#######..###...^..######################......#.^^............#",
  "##############...############..#########################......##########...#####",
  "##############...############..#########################......##########...#####",
] as const;

export const COLUMNS = LEVEL[0].length;
export const ROWS = LEVEL.length;
/** The level's size, in pixels. */
export const LEVEL_WIDTH = COLUMNS * TILE;
export const LEVEL_HEIGHT = ROWS * TILE;

/** Platforms move back and forth between two positions, with a period in seconds. They carry the player, and can be passed from below. */
export const PLATFORM_WIDTH = 48;
export const PLATFORM_HEIGHT = 8;
export const PLATFORMS = [
  { from: [448, 176], to: [496, 120], period: 4 },
  { from: [896, 184], to: [944, 184], period: 4 },
  { from: [1140, 200], to: [1140, 120], period: 6 },
] as const;

/** Returns the centers of all tiles of a kind. */
function positionsOf(kind: string): { x: number; y: number }[] {
  const positions = [];
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++)
      if (LEVEL[row]![column] === kind) positions.push({ x: (column + 0.5) * TILE, y: (row + 0.5) * TILE });
  return positions;
}

export const COINS = positionsOf("o");
export const SPIKES = positionsOf("^");
export const FLAGS = positionsOf("C");
export const START = positionsOf("S")[0]!;
export const EXIT = positionsOf("E")[0]!;

const SOLID = Uint8Array.from(LEVEL.join(""), (tile) => (tile === "#" ? 1 : 0));

/** Whether a tile is solid. Everything beside and above the level is; below it is nothing, so that the player falls out. */
export function isSolid(column: number, row: number): boolean {
  if (row >= ROWS) return false;
  return row < 0 || column < 0 || column >= COLUMNS || SOLID[row * COLUMNS + column] === 1;
}
