/** Adds a disc to the path. */
export function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.moveTo(x + radius, y);
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** Scales and centres a world of this size on the canvas. Call `context.restore()` afterwards. */
export function fit(
  context: CanvasRenderingContext2D,
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
