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
  const scale = context.getTransform().a;
  const key = `${name} ${scale} ${width}`;
  let layer = kept.get(key);
  if (!layer) {
    layer = document.createElement("canvas");
    layer.width = Math.ceil(width * scale);
    layer.height = Math.ceil((bottom - top) * scale);
    const painter = layer.getContext("2d")!;
    painter.scale(scale, scale);
    painter.translate(0, -top);
    paint(painter);
  }
  kept.delete(key);
  kept.set(key, layer);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  context.drawImage(layer, x, top, layer.width / scale, layer.height / scale);
}
