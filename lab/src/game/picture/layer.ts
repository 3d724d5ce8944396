import { onTheme } from "../../theme/colours.js";

/** The part of the level that a layer covers, in level pixels. */
interface Area {
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
}

/** Enough for the canvases that a page shows at once. */
const MAX_KEPT = 16;

/** The painted layers, the one used last at the end. */
const kept = new Map<string, HTMLCanvasElement>();
let isWatched = false;

/** Copies a layer to the canvas, with its left end at `x`. Paints it only once for each size and theme. */
export function paintLayer(
  context: CanvasRenderingContext2D,
  name: string,
  { width, top, bottom }: Area,
  x: number,
  paint: (context: CanvasRenderingContext2D) => void,
): void {
  if (!isWatched) onTheme(() => kept.clear());
  isWatched = true;
  const { a: scale, e: left, f: above } = context.getTransform();
  const key = `${name} ${scale} ${width}`;
  let layer = kept.get(key);
  if (!layer) {
    layer = document.createElement("canvas");
    // One more, as the place is rounded down.
    layer.width = Math.ceil(width * scale) + 1;
    layer.height = Math.ceil((bottom - top) * scale) + 1;
    const painter = layer.getContext("2d")!;
    painter.scale(scale, scale);
    painter.translate(0, -top);
    paint(painter);
  }
  kept.delete(key);
  kept.set(key, layer);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  // In whole pixels: without a GPU, a copy between pixels takes five times as long.
  context.save();
  context.resetTransform();
  context.drawImage(layer, Math.floor(left + x * scale), Math.floor(above + top * scale));
  context.restore();
}
