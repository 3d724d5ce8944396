/** Number of frames that are kept. */
export const MEMORY = 256;

/** The last frames, for the graph, and for figures that react faster than the loop's own. */
export class FrameMemory {
  /** Frames added so far. */
  count = 0;
  /** Real seconds since the previous frame. */
  readonly times: Float64Array = new Float64Array(MEMORY);
  readonly steps: Float64Array = new Float64Array(MEMORY);
  readonly alphas: Float64Array = new Float64Array(MEMORY);

  add(time: number, steps: number, alpha: number): void {
    const index = this.count++ % MEMORY;
    this.times[index] = time;
    this.steps[index] = steps;
    this.alphas[index] = alpha;
  }

  /** Returns the mean of one of the columns over the last `frames` frames. 0 if there are none. */
  mean(values: Float64Array, frames: number): number {
    const count = Math.min(frames, this.count);
    let sum = 0;
    for (let i = this.count - count; i < this.count; i++) sum += values[i % MEMORY]!;
    return sum / (count || 1);
  }

  clear(): void {
    this.count = 0;
  }
}
