import { Brush } from "./brush.js";

/** A part of a picture that seldom changes: painted once for each key, size and theme, and copied into each frame. */
export class StillLayer {
  #painter: Brush | undefined;
  #key = "";

  /** Draws the layer over the whole picture. `paint` is called if the key is not that of the last frame. */
  draw(brush: Brush, key: string, paint: (brush: Brush) => void): void {
    const { context, width, height } = brush;
    const { canvas } = context;
    // Texts change when their font arrives; "page" is different in each theme.
    const wanted = [
      canvas.width,
      canvas.height,
      width,
      document.fonts.status,
      brush.colour("page"),
      key,
    ].join();
    this.#painter ??= new Brush(document.createElement("canvas").getContext("2d")!);
    const layer = this.#painter.context;
    if (this.#key !== wanted) {
      this.#key = wanted;
      layer.canvas.width = canvas.width;
      layer.canvas.height = canvas.height;
      layer.scale(canvas.width / width, canvas.width / width);
      this.#painter.width = width;
      this.#painter.height = height;
      paint(this.#painter);
    }
    // In whole pixels: without a GPU, a copy between pixels takes several times as long.
    context.save();
    context.resetTransform();
    context.drawImage(layer.canvas, 0, 0);
    context.restore();
  }
}
