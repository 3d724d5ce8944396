/** Pixels that a tile is wide and high. */
export const TILE = 16;

/** # is solid, ^ has spikes, o is a coin, S the start, C a flag from where one goes on, E the exit. */
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

/** Platforms go to and fro between two places, in seconds; they carry who stands on them, and are open from below. */
export const PLATFORM_WIDTH = 48;
export const PLATFORM_HEIGHT = 8;
export const PLATFORMS = [
  { from: [448, 176], to: [496, 120], period: 4 },
  { from: [896, 184], to: [944, 184], period: 4 },
  { from: [1140, 200], to: [1140, 120], period: 6 },
] as const;

/** Where the tiles of a kind are: the middle of each. */
function placesOf(kind: string): { x: number; y: number }[] {
  const places = [];
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++)
      if (LEVEL[row]![column] === kind) places.push({ x: (column + 0.5) * TILE, y: (row + 0.5) * TILE });
  return places;
}

export const COINS = placesOf("o");
export const SPIKES = placesOf("^");
export const FLAGS = placesOf("C");
export const START = placesOf("S")[0]!;
export const EXIT = placesOf("E")[0]!;

const SOLID = Uint8Array.from(LEVEL.join(""), (tile) => (tile === "#" ? 1 : 0));

/** Whether a tile is solid. Beside and above the level all is; below it is nothing, so that one falls out. */
export function isSolid(column: number, row: number): boolean {
  if (row >= ROWS) return false;
  return row < 0 || column < 0 || column >= COLUMNS || SOLID[row * COLUMNS + column] === 1;
}
