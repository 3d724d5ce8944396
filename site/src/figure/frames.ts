/** The frames of a simulated display, evenly spaced. */
export class Frames {
  /** Frames so far. */
  count = 0;
  readonly fps: number;

  constructor(fps: number) {
    this.fps = fps;
  }

  /** The time of the last frame. */
  get time(): number {
    return this.count / this.fps;
  }
  /** The time of the next frame. */
  get due(): number {
    return (this.count + 1) / this.fps;
  }

  /** Goes to the next frame. Returns the seconds since the last one. */
  next(): number {
    this.count++;
    return 1 / this.fps;
  }
}
