/** Frames that are remembered. */
export const MEMORY = 256;

/** The last frames, for graphs and for figures that should be quicker than the loop's own. */
export class FrameMemory {
  /** Frames in all. */
  count = 0;
  /** Real seconds since the frame before; steps; alpha. */
  readonly times: Float64Array = new Float64Array(MEMORY);
  readonly steps: Float64Array = new Float64Array(MEMORY);
  readonly alphas: Float64Array = new Float64Array(MEMORY);

  add(time: number, steps: number, alpha: number): void {
    const place = this.count++ % MEMORY;
    this.times[place] = time;
    this.steps[place] = steps;
    this.alphas[place] = alpha;
  }

  /** The mean of one of them over so many of the last frames; 0 if there are none. */
  mean(values: Float64Array, frames: number): number {
    const some = Math.min(frames, this.count);
    let sum = 0;
    for (let i = this.count - some; i < this.count; i++) sum += values[i % MEMORY]!;
    return sum / (some || 1);
  }

  clear(): void {
    this.count = 0;
  }
}
