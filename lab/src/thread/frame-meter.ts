/** How many frames are remembered: four seconds at 60 Hz. */
const SIZE = 241;

/** Frames that take this many refreshes are late: at least one refresh showed the picture before again. */
const LATE = 1.5;

/** What happened in one frame. */
interface Frame {
  readonly at: number;
  readonly tick: number;
}

/** Counts the frames of one side, and how long they took. Times are milliseconds. */
export class FrameMeter {
  readonly #frames: Frame[] = [];
  readonly #refresh: () => number;

  /** `refresh` returns how long a refresh of the display takes. */
  constructor(refresh: () => number) {
    this.#refresh = refresh;
  }

  /** Takes a frame that was drawn. `tick` is that of the newest state. */
  add(at: number, tick: number): void {
    this.#frames.push({ at, tick });
    if (this.#frames.length > SIZE) this.#frames.shift();
  }

  /** The time between frames is not counted, as the experiment was paused. */
  pause(): void {
    this.#frames.length = 0;
  }

  /** The times between the last frames, oldest first. */
  get intervals(): number[] {
    return this.#frames.slice(1).map(({ at }, i) => at - this.#frames[i]!.at);
  }

  /** The share of these that were late. NaN until there are some. */
  get lateShare(): number {
    const { intervals } = this;
    const limit = LATE * this.#refresh();
    return intervals.filter((interval) => interval > limit).length / intervals.length;
  }

  /** Frames and ticks per second, over the last second. NaN until there are enough. */
  get rates(): { readonly frames: number; readonly ticks: number } {
    const last = this.#frames.at(-1);
    const first = last && this.#frames.find(({ at }) => at >= last.at - 1000);
    if (!last || !first || last.at - first.at < 200) return { frames: NaN, ticks: NaN };
    const seconds = (last.at - first.at) / 1000;
    const count = this.#frames.length - 1 - this.#frames.indexOf(first);
    return { frames: count / seconds, ticks: (last.tick - first.tick) / seconds };
  }
}

/** Estimates how long a refresh of the display takes: no frame is much shorter, and many are that long. Default: 60 Hz. */
export function refreshOf(intervals: readonly number[]): number {
  if (intervals.length < 20) return 1000 / 60;
  const sorted = [...intervals].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 4)]!;
}
