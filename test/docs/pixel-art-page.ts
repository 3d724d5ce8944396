// Runs in a page: the figures and pictures of docs/pixel-art.md, with the code of the example.
import { createAtlas } from "../../examples/pixels/atlas.js";
import { HEIGHT, paintScene, WIDTH, type Rounding } from "../../examples/pixels/scene.js";
import { TilePainter } from "../../examples/pixels/tile-painter.js";

interface Setting {
  readonly border: number;
  readonly filter: "linear" | "nearest";
  readonly rounding: Rounding;
}

const HERO = { x: 34.5, y: 60 };

function createPainter(border: number, filter: Setting["filter"], warningColour?: string) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  return { canvas, painter: new TilePainter(canvas, createAtlas(border, warningColour), filter) };
}

function pixelsOf(canvas: HTMLCanvasElement): Uint8ClampedArray {
  const pen = new OffscreenCanvas(WIDTH, HEIGHT).getContext("2d")!;
  pen.drawImage(canvas, 0, 0);
  return pen.getImageData(0, 0, WIDTH, HEIGHT).data;
}

/** Moves the camera by one pixel in 60 frames. Counts frames that change if a neighbour in the atlas has another colour. */
export function countBleeding({ border, filter, rounding }: Setting): number {
  const painters = ["#ff00aa", "#000000"].map((colour) => createPainter(border, filter, colour));
  let count = 0;
  for (let i = 0; i < 60; i++) {
    const [pink, black] = painters.map(({ canvas, painter }) => {
      paintScene(painter, i / 60, HERO, rounding);
      return pixelsOf(canvas);
    });
    // By more than rounding.
    if (pink!.some((value, at) => Math.abs(value - black![at]!) > 1)) count++;
  }
  return count;
}

/** Moves the camera by ten pixels in 600 frames. Counts how often the hero, who stands still, moves against the floor. */
export function countShakes(rounding: Rounding): number {
  const { painter } = createPainter(1, "linear");
  let [count, last] = [0, NaN];
  for (let i = 0; i < 600; i++) {
    const hero = paintScene(painter, i / 60, HERO, rounding);
    const floor = paintScene(painter, i / 60, { x: 32, y: 60 }, rounding);
    if (i > 0 && Math.abs(hero - floor - last) > 0.5) count++;
    last = hero - floor;
  }
  return count;
}

/** Draws parts of the screen side by side, enlarged. */
function enlarge(parts: HTMLCanvasElement[][], scale: number, gap: number): string {
  const widest = Math.max(
    ...parts.map((row) => row.reduce((sum, { width }) => sum + width * scale + gap, -gap)),
  );
  const canvas = document.createElement("canvas");
  canvas.width = widest;
  canvas.height = parts.reduce((sum, [part]) => sum + part!.height * scale + gap, -gap);
  const pen = canvas.getContext("2d")!;
  pen.imageSmoothingEnabled = false;
  let y = 0;
  for (const row of parts) {
    let x = 0;
    for (const part of row) {
      pen.drawImage(part, x, y, part.width * scale, part.height * scale);
      x += part.width * scale + gap;
    }
    y += row[0]!.height * scale + gap;
  }
  return canvas.toDataURL("image/png");
}

/** In the pictures, the hero stands on a stone. */
const STONE = 112;
const STANDING = { x: STONE + 8.5, y: 60 };

/** A part of the scene. A white bar in the floor is as long as the hero is away from the left edge of the stone. */
function part(setting: Setting, camera: number, [x, width]: readonly [number, number], hasBar = false) {
  const { canvas, painter } = createPainter(setting.border, setting.filter);
  const hero = paintScene(painter, camera, STANDING, setting.rounding);
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [width, 52];
  const pen = copy.getContext("2d")!;
  pen.drawImage(canvas, -x, -56);
  if (hasBar) {
    const stone = paintScene(painter, camera, { x: STONE, y: 0 }, setting.rounding);
    pen.fillStyle = "white";
    pen.fillRect(stone - x, 44, hero - stone, 3);
  }
  return copy;
}

export function pictures(): Record<string, string> {
  const bare = { border: 0, filter: "linear", rounding: "none" } as const;
  const strip = (rounding: Rounding) =>
    [90, 90.25, 90.5, 90.75, 91].map((camera) =>
      part({ border: 1, filter: "linear", rounding }, camera, [16, 36], true),
    );
  return {
    atlas: enlarge([[createAtlas(0).canvas], [createAtlas(1).canvas]], 6, 12),
    bleeding: enlarge([[part(bare, 90.25, [4, 90]), part({ ...bare, border: 1 }, 90.25, [4, 90])]], 4, 12),
    camera: enlarge([strip("difference"), strip("both")], 4, 8),
  };
}

/** The largest difference of a colour between two pictures; 255 if their sizes differ. */
export async function largestDifference(urls: string[]): Promise<number> {
  const [one, other] = await Promise.all(
    urls.map(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const pen = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
      pen.drawImage(image, 0, 0);
      return pen.getImageData(0, 0, image.width, image.height);
    }),
  );
  if (one!.width !== other!.width || one!.height !== other!.height) return 255;
  return one!.data.reduce((most, value, i) => Math.max(most, Math.abs(value - other!.data[i]!)), 0);
}
