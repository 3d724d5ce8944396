// Tiles drawn as text, one pixel per character, and the texture that holds them all.
export const TILE = 16;

const COLOURS: Record<string, string> = {
  o: "#ff9f1c", // orange
  k: "#2b2d42", // dark
  g: "#3d8b46", // grass
  l: "#6cc04a", // lit grass
  b: "#6b4a3a", // earth
  s: "#56707f", // stone
  t: "#7d97a8", // lit stone
};

const HERO = `
     oooooo
   oooooooooo
  oooooooooooo
  ooookooookoo
 oooookooookooo
 oooooooooooooo
 oooooooooooooo
 oooooooooooooo
 oooooooooooooo
 oooooooooooooo
  oooooooooooo
  oooooooooooo
   oooooooooo
   ooo    ooo
   ooo    ooo
   ooo    ooo`;

const rows = (count: number, row: string) => `${row}\n`.repeat(count);
const warning = rows(16, "rrrrrrrrrrrrrrrr");

/** The warning tiles between the others stand for any neighbour in an atlas. */
const TILES = {
  warning,
  grass: rows(3, "llllgllllllgllll") + rows(3, "gggggggggggggggg") + rows(10, "bbbbbbbbbbbbbbbb"),
  warning2: warning,
  stone: rows(1, "tttttttttttttttt") + rows(14, "tsssssssssssssss") + rows(1, "ssssssssssssssss"),
  warning3: warning,
  hero: HERO.slice(1),
  warning4: warning,
};
export type TileName = keyof typeof TILES;

export interface Atlas {
  readonly canvas: HTMLCanvasElement;
  /** The left edge of a tile, in pixels. Its top edge is at `border`. */
  left(name: TileName): number;
  readonly border: number;
}

/**
 * Paints all tiles into one canvas. With a border, each tile's outermost pixels are repeated around it. `warningColour` is
 * that of the tiles which should never show.
 */
export function createAtlas(border: number, warningColour = "#ff00aa"): Atlas {
  const names = Object.keys(TILES) as TileName[];
  const cell = TILE + 2 * border;
  const canvas = document.createElement("canvas");
  canvas.width = cell * names.length;
  canvas.height = cell;
  const pen = canvas.getContext("2d")!;
  for (const [i, name] of names.entries()) {
    const lines = TILES[name].split("\n");
    for (let y = 0; y < cell; y++)
      for (let x = 0; x < cell; x++) {
        const letter = lines[inside(y - border)]?.[inside(x - border)] ?? "";
        pen.fillStyle = letter === "r" ? warningColour : (COLOURS[letter] ?? "#0000");
        pen.fillRect(i * cell + x, y, 1, 1);
      }
  }
  return { canvas, border, left: (name) => names.indexOf(name) * cell + border };
}

const inside = (position: number) => Math.max(0, Math.min(position, TILE - 1));
