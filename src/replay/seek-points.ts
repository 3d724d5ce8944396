/** Limits of the states that are kept. At a limit, every other state is dropped, but never the first. */
const MAX_POINTS = 128;
const MAX_BYTES = 2 ** 26;

/** A state that a player can load instead of simulating up to it. */
interface SeekPoint {
  readonly tick: number;
  readonly bytes: Uint8Array;
}

/** The states that a player keeps on its way, for a file without keyframes: at equal intervals, and in bounded memory. */
export class SeekPoints {
  #every: number;
  #points: SeekPoint[] = [];

  constructor(every: number) {
    this.#every = every;
  }

  /** Whether the state of a tick should be added. */
  wants(tick: number): boolean {
    return tick % this.#every === 0 && this.before(tick)?.tick !== tick;
  }

  add(tick: number, bytes: Uint8Array): void {
    if (this.#points.length >= Math.min(MAX_POINTS, Math.max(2, MAX_BYTES / bytes.length))) {
      this.#every *= 2;
      this.#points = this.#points.filter((point, i) => i === 0 || point.tick % this.#every === 0);
      if (tick % this.#every !== 0) return;
    }
    this.#points.push({ tick, bytes });
    this.#points.sort((a, b) => a.tick - b.tick);
  }

  /** Drops all but the first. */
  keepFirst(): void {
    this.#points.length = 1;
  }

  /** Returns the last one at a tick or before it. */
  before(tick: number): SeekPoint | undefined {
    for (let i = this.#points.length - 1; i >= 0; i--)
      if (this.#points[i]!.tick <= tick) return this.#points[i];
    return undefined;
  }
}
