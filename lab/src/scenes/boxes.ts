import type { ViewOf } from "../../../scenes/index.js";
import { BOXES } from "../../../scenes/thrown-boxes.js";
import { SIZE } from "../../../scenes/tumble.js";
import { colour } from "../theme/colours.js";

/** Colours of the sides, by axis. */
const SIDES = ["muted", "far", "ball"] as const;
/** Boxes are drawn smaller than they are, so that they overlap less. */
const BOX_SCALE = 0.6;
/** Distance and height of the camera, in metres. */
const DISTANCE = 32;
const EYE_HEIGHT = 7;
/** Visible height and half width at the centre, in metres. */
const VIEW_HEIGHT = 13;
const HALF_VIEW_WIDTH = 13;

type Point = readonly [x: number, y: number, z: number];

/** Paints boxes in perspective, back to front. */
export function paintBoxes(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  { boxes: { position, turn } }: ViewOf<"tumble">,
): void {
  const scale = Math.min(height / (VIEW_HEIGHT + 3), width / (2 * HALF_VIEW_WIDTH));
  const ground = height - 2.5 * scale;
  const project = ([x, y, z]: Point): [number, number] => {
    const nearness = DISTANCE / (DISTANCE - z);
    return [width / 2 + x * nearness * scale, ground - (EYE_HEIGHT + (y - EYE_HEIGHT) * nearness) * scale];
  };
  context.save();
  context.strokeStyle = colour("line");
  polygon(
    context,
    [
      [-10, 0, -10],
      [10, 0, -10],
      [10, 0, 10],
      [-10, 0, 10],
    ].map((point) => project(point as unknown as Point)),
  );
  context.stroke();
  context.strokeStyle = colour("surface");
  const order = Array.from({ length: BOXES }, (_, box) => box);
  order.sort((a, b) => position[3 * a + 2]! - position[3 * b + 2]!);
  for (const box of order) {
    const at = position.subarray(3 * box, 3 * box + 3);
    const axes = axesOf(turn.subarray(4 * box, 4 * box + 4));
    for (let axis = 0; axis < 3; axis++)
      for (const side of [-1, 1]) {
        const face = faceOf(at, axes, axis, side);
        const normal = axes[axis]!.map((part) => part * side) as unknown as Point;
        const [x, y, z] = face[0]!;
        // Skip back faces.
        if (normal[0] * -x + normal[1] * (EYE_HEIGHT - y) + normal[2] * (DISTANCE - z) <= 0) continue;
        context.fillStyle = colour(axis === 2 && side < 0 ? "ring" : SIDES[axis]!);
        polygon(context, face.map(project));
        context.fill();
        context.stroke();
      }
  }
  context.restore();
}

/** The corners of a side, in drawing order. */
function faceOf(at: ArrayLike<number>, axes: readonly Point[], axis: number, side: number): Point[] {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  return [
    [1, 1],
    [1, -1],
    [-1, -1],
    [-1, 1],
  ].map(([a, b]) => {
    const along = (i: number) =>
      at[i]! +
      (BOX_SCALE / 2) *
        (side * SIZE[axis]! * axes[axis]![i]! + a! * SIZE[u]! * axes[u]![i]! + b! * SIZE[v]! * axes[v]![i]!);
    return [along(0), along(1), along(2)];
  });
}

/** The axes of a rotated body. */
function axesOf(turn: ArrayLike<number>): [Point, Point, Point] {
  const [x, y, z, w] = [turn[0]!, turn[1]!, turn[2]!, turn[3]!];
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
}

function polygon(context: CanvasRenderingContext2D, points: readonly (readonly [number, number])[]): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.closePath();
}
