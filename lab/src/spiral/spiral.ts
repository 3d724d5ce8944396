import { POLICIES } from "./policies.js";
import type { SpiralSettings } from "./settings.js";
import { World } from "./world.js";

/** Factor by which steps cost more in a heavy second. */
const HEAVY = 10;
const HEAVY_SECONDS = 1;
/** Seconds between two samples in the charts, and their number. */
const SAMPLE_INTERVAL = 0.1;
const MAX_SAMPLES = 120;

/** A world's values in the charts. */
export interface Samples {
  /** Seconds per picture. */
  readonly frameTime: number[];
  readonly lost: number[];
  readonly owed: number[];
}

/** Runs the same expensive step under every policy, side by side. */
export class Spiral {
  readonly worlds: readonly World[];
  readonly samples: readonly Samples[];
  /** Seconds at which the samples were taken. */
  readonly times: number[] = [];
  /** Start times of heavy seconds. */
  readonly heavy: number[] = [];
  now = 0;
  #taken = 0;

  constructor(settings: SpiralSettings) {
    const costAt = (seconds: number) => (settings.cost / 100) * (this.isHeavy(seconds) ? HEAVY : 1);
    this.worlds = POLICIES.map((policy) => new World(policy, { ...settings }, costAt));
    this.samples = this.worlds.map(() => ({ frameTime: [], lost: [], owed: [] }));
  }

  isHeavy(seconds: number): boolean {
    return this.heavy.some((from) => seconds >= from && seconds < from + HEAVY_SECONDS);
  }

  /** Makes steps cost more for one second from now. */
  addHeavySecond(): void {
    this.heavy.push(this.now);
  }

  /** Advances every world to this time. */
  advanceTo(seconds: number): void {
    while ((this.#taken + 1) * SAMPLE_INTERVAL <= seconds) {
      this.#taken++;
      this.#advanceWorlds(this.#taken * SAMPLE_INTERVAL);
      this.#sample();
    }
    this.#advanceWorlds(seconds);
  }

  /** The scales of the charts, in whole seconds. All worlds share them, so that the worst one stands out. */
  get tops(): { readonly frameTime: number; readonly ledger: number } {
    const top = (values: readonly number[]) => Math.max(1, Math.ceil(Math.max(0, ...values)));
    return {
      frameTime: top(this.samples.flatMap(({ frameTime }) => frameTime)),
      ledger: top(this.samples.flatMap(({ lost, owed }) => [...lost, ...owed])),
    };
  }

  #advanceWorlds(seconds: number): void {
    this.now = seconds;
    for (const world of this.worlds) world.advance(seconds);
  }

  #sample(): void {
    keep(this.times, this.now);
    this.worlds.forEach((world, index) => {
      const { frameTime, lost, owed } = this.samples[index]!;
      keep(frameTime, world.frameTime(this.now));
      keep(lost, world.seen.lost);
      keep(owed, world.owed(this.now));
    });
  }
}

function keep(series: number[], value: number): void {
  series.push(value);
  if (series.length > MAX_SAMPLES) series.shift();
}
