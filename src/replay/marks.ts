/** More are not kept: every other one is given up then, but not the first. */
const MOST = 128;
const MOST_BYTES = 2 ** 26;

/** States that a player has passed, where the file has no keyframes: at even distances, and never too many. */
export class Marks {
  #every: number;
  #marks: { readonly tick: number; readonly bytes: Uint8Array }[] = [];

  constructor(every: number) {
    this.#every = every;
  }

  /** Whether the state of a tick should be kept. */
  wants(tick: number): boolean {
    return tick % this.#every === 0 && this.before(tick)?.tick !== tick;
  }

  add(tick: number, bytes: Uint8Array): void {
    if (this.#marks.length >= Math.min(MOST, Math.max(2, MOST_BYTES / bytes.length))) {
      this.#every *= 2;
      this.#marks = this.#marks.filter((mark, i) => i === 0 || mark.tick % this.#every === 0);
      if (tick % this.#every !== 0) return;
    }
    this.#marks.push({ tick, bytes });
    this.#marks.sort((a, b) => a.tick - b.tick);
  }

  /** Drops all but the first. */
  keepFirst(): void {
    this.#marks.length = 1;
  }

  /** The last one at a tick or before it. */
  before(tick: number): { readonly tick: number; readonly bytes: Uint8Array } | undefined {
    for (let i = this.#marks.length - 1; i >= 0; i--) if (this.#marks[i]!.tick <= tick) return this.#marks[i];
    return undefined;
  }
}
