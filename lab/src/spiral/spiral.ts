import { POLICIES } from "./policies.js";
import type { SpiralSettings } from "./settings.js";
import { World } from "./world.js";

/** A heavy second: steps cost so many times as much. */
const HEAVY = 10;
const HEAVY_SECONDS = 1;
/** Seconds between two points of the charts, and how many there are. */
const SAMPLE = 0.1;
const SAMPLES = 120;

/** What the charts show of a world. */
export interface Samples {
  readonly frameRate: number[];
  readonly lost: number[];
  readonly debt: number[];
}

/** The same costly step under every policy, side by side. */
export class Spiral {
  readonly worlds: readonly World[];
  readonly samples: readonly Samples[];
  /** Seconds at which the samples were taken. */
  readonly times: number[] = [];
  /** When heavy seconds began. */
  readonly heavy: number[] = [];
  now = 0;
  #taken = 0;

  constructor(settings: SpiralSettings) {
    const costAt = (seconds: number) => (settings.cost / 100) * (this.isHeavy(seconds) ? HEAVY : 1);
    this.worlds = POLICIES.map((policy) => new World(policy, { ...settings }, costAt));
    this.samples = this.worlds.map(() => ({ frameRate: [], lost: [], debt: [] }));
  }

  isHeavy(seconds: number): boolean {
    return this.heavy.some((from) => seconds >= from && seconds < from + HEAVY_SECONDS);
  }

  /** From now on, steps cost more for a second. */
  addHeavySecond(): void {
    this.heavy.push(this.now);
  }

  /** Lets every world come to this time. */
  advanceTo(seconds: number): void {
    while ((this.#taken + 1) * SAMPLE <= seconds) {
      this.#taken++;
      this.#reach(this.#taken * SAMPLE);
      this.#sample();
    }
    this.#reach(seconds);
  }

  #reach(seconds: number): void {
    this.now = seconds;
    for (const world of this.worlds) world.advance(seconds);
  }

  #sample(): void {
    keep(this.times, this.now);
    this.worlds.forEach((world, index) => {
      const { frameRate, lost, debt } = this.samples[index]!;
      keep(frameRate, world.frameRate(this.now));
      keep(lost, world.seen.lost);
      keep(debt, world.seen.debt);
    });
  }
}

function keep(series: number[], value: number): void {
  series.push(value);
  if (series.length > SAMPLES) series.shift();
}
