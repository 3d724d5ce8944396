/** Packets that the advantage is averaged over. */
const AVERAGED = 30;
/** Ticks of advantage above which the pace changes, and below which it is 1 again. */
const ON = 1;
const OFF = 0.3;
/** How much the pace changes per tick of advantage, and at most. */
const GAIN = 0.01;
const MAX_CHANGE = 0.05;

/**
 * Averages our advantage over one peer: how many ticks we are ahead. Both sides measure how far their own inputs are ahead of what
 * they know of the other's, when they send. Half the difference is the advantage: latency cancels out.
 */
export class Advantage {
  readonly #samples = new Float64Array(AVERAGED);
  #count = 0;
  #sum = 0;

  /** `own` and `theirs`: the end of one's own inputs less the end of the other's as far as known, when last sent. */
  add(own: number, theirs: number): void {
    const sample = (own - theirs) / 2;
    const slot = this.#count++ % AVERAGED;
    this.#sum += sample - this.#samples[slot]!;
    this.#samples[slot] = sample;
  }

  get isKnown(): boolean {
    return this.#count >= AVERAGED;
  }

  get ticks(): number {
    return this.#count === 0 ? 0 : this.#sum / Math.min(this.#count, AVERAGED);
  }

  reset(): void {
    this.#samples.fill(0);
    this.#count = this.#sum = 0;
  }
}

/** Turns an advantage into a pace near 1: slower if we are ahead, faster if we are behind. Small differences do not matter. */
export class Pace {
  #isOn = false;
  #value = 1;

  get value(): number {
    return this.#value;
  }

  update(advantage: number): number {
    const size = Math.abs(advantage);
    this.#isOn = this.#isOn ? size > OFF : size > ON;
    // In steps, so that the loop's time scale does not change in every tick.
    const change = Math.min(MAX_CHANGE, Math.max(GAIN, Math.round(size * GAIN * 100) / 100));
    this.#value = this.#isOn ? 1 - Math.sign(advantage) * change : 1;
    return this.#value;
  }
}
