import { LEVEL_HEIGHT, LEVEL_WIDTH } from "../../../../scenes/level.js";
import { colour, type ColourName } from "../../theme/colours.js";
import { paintLayer } from "./layer.js";

/** Hill ranges, far to near: `depth` is the parallax factor, `waves` are pairs of amplitude and wavelength. */
const RANGES: readonly { colour: ColourName; depth: number; base: number; waves: [number, number][] }[] = [
  {
    colour: "far",
    depth: 0.2,
    base: 120,
    waves: [
      [34, 90],
      [16, 37],
      [7, 15],
    ],
  },
  {
    colour: "near",
    depth: 0.45,
    base: 176,
    waves: [
      [22, 70],
      [9, 29],
    ],
  },
];
const CLOUDS = [
  [60, 52, 26],
  [240, 78, 18],
  [380, 40, 30],
  [560, 66, 22],
  [700, 48, 28],
] as const;
const CLOUD_DEPTH = 0.1;

let shapes: { readonly clouds: Path2D; readonly hills: readonly Path2D[] } | undefined;

/**
 * Paints sky, sun, clouds and hills with parallax, in level pixels. The sky is a layer that is copied. Clouds and hills are flat
 * shapes: without a GPU, to fill one is faster than a copy with alpha.
 */
export function paintBackdrop(context: CanvasRenderingContext2D, left: number, room: number): void {
  paintLayer(context, "sky", { width: room, top: 0, bottom: LEVEL_HEIGHT }, 0, (painter) =>
    sky(painter, room),
  );
  shapes ??= { clouds: clouds(), hills: RANGES.map(hills) };
  const fill = (shape: Path2D, name: ColourName, depth: number) => {
    context.save();
    context.translate(-left * depth, 0);
    context.fillStyle = colour(name);
    context.fill(shape);
    context.restore();
  };
  fill(shapes.clouds, "cloud", CLOUD_DEPTH);
  RANGES.forEach((range, index) => fill(shapes!.hills[index]!, range.colour, range.depth));
}

function sky(context: CanvasRenderingContext2D, room: number): void {
  const shade = context.createLinearGradient(0, 0, 0, LEVEL_HEIGHT);
  shade.addColorStop(0, colour("sky-top"));
  shade.addColorStop(1, colour("sky"));
  context.fillStyle = shade;
  context.fillRect(0, 0, room + 1, LEVEL_HEIGHT + 1);
  context.fillStyle = colour("sun");
  context.beginPath();
  context.arc(room * 0.78, 64, 20, 0, 2 * Math.PI);
  context.fill();
}

function clouds(): Path2D {
  const path = new Path2D();
  const ellipse = (x: number, y: number, width: number, height: number) => {
    path.moveTo(x + width, y);
    path.ellipse(x, y, width, height, 0, 0, 2 * Math.PI);
  };
  for (const [x, y, size] of CLOUDS) {
    ellipse(x, y, size, size * 0.28);
    ellipse(x - size * 0.3, y - size * 0.2, size * 0.4, size * 0.3);
    ellipse(x + size * 0.25, y - size * 0.28, size * 0.5, size * 0.38);
  }
  return path;
}

function hills({ base, waves }: (typeof RANGES)[number]): Path2D {
  const path = new Path2D();
  path.moveTo(0, LEVEL_HEIGHT);
  for (let x = 0; x <= LEVEL_WIDTH; x += 6) {
    let y = base;
    for (const [tall, long] of waves) y += tall * Math.sin(x / long + tall);
    path.lineTo(x, y);
  }
  path.lineTo(LEVEL_WIDTH, LEVEL_HEIGHT);
  return path;
}
