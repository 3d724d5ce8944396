/** The context of a canvas on the page, or in a worker. */
export type Context2D = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Adds a disc to the path. */
export function disc(context: Context2D, x: number, y: number, radius: number): void {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** Scales and centres a world of this size on the canvas. Call `context.restore()` afterwards. */
export function fit(
  context: Context2D,
  width: number,
  height: number,
  worldWidth: number,
  worldHeight: number,
): void {
  const scale = Math.min(width / worldWidth, height / worldHeight);
  context.save();
  context.translate((width - worldWidth * scale) / 2, (height - worldHeight * scale) / 2);
  context.scale(scale, scale);
}
