/** How many of the latest ticks and loop turns are kept: as many as a wide page shows, and more. */
export const KEPT = 512;

/** What happened in one tick. */
export interface TickMarks {
  /** How often it was simulated again, and how often it had to wait for inputs. */
  readonly resimulated: number;
  readonly stalled: number;
  /** Effects that were shown, and those among them that were withdrawn. */
  readonly effects: number;
  readonly withdrawn: number;
}

const MARKS = ["resimulated", "stalled", "effects", "withdrawn"] as const;
type Mark = (typeof MARKS)[number];

const NOTHING: TickMarks = { resimulated: 0, stalled: 0, effects: 0, withdrawn: 0 };

/** What happened to each of the latest ticks of a session, and its figures over the last loop turns. */
export class TickRecord {
  /** The first tick of this session. */
  first = 0;
  readonly #ticks = new Float64Array(KEPT).fill(-1);
  readonly #marks: { readonly [M in Mark]: Uint16Array } = {
    resimulated: new Uint16Array(KEPT),
    stalled: new Uint16Array(KEPT),
    effects: new Uint16Array(KEPT),
    withdrawn: new Uint16Array(KEPT),
  };

  /** Forgets everything: the session continues with a state from elsewhere. */
  clear(tick: number): void {
    this.first = tick;
    this.#ticks.fill(-1);
  }

  mark(tick: number, mark: Mark): void {
    const slot = tick % KEPT;
    if (this.#ticks[slot]! > tick) return;
    if (this.#ticks[slot] !== tick) {
      this.#ticks[slot] = tick;
      for (const name of MARKS) this.#marks[name][slot] = 0;
    }
    this.#marks[mark][slot]! += 1;
  }

  at(tick: number): TickMarks {
    const slot = tick % KEPT;
    if (tick < 0 || this.#ticks[slot] !== tick) return NOTHING;
    const { resimulated, stalled, effects, withdrawn } = this.#marks;
    return {
      resimulated: resimulated[slot]!,
      stalled: stalled[slot]!,
      effects: effects[slot]!,
      withdrawn: withdrawn[slot]!,
    };
  }
}

/** Totals that only grow, sampled once per loop turn. */
export interface Totals {
  readonly ticks: number;
  readonly resimulated: number;
  readonly stalled: number;
  readonly bytes: number;
  readonly packets: number;
}

/** How many loop turns recent figures cover: three seconds. */
const RECENT = 180;

/** The growth of totals over the last seconds. */
export class RecentTotals {
  #samples: Totals[] = [];

  add(totals: Totals): void {
    this.#samples.push(totals);
    if (this.#samples.length > RECENT) this.#samples.shift();
  }

  clear(): void {
    this.#samples = [];
  }

  /** Returns how much each total has grown. */
  get growth(): Totals {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    const by = (name: keyof Totals) => (first && last ? last[name] - first[name] : 0);
    return {
      ticks: by("ticks"),
      resimulated: by("resimulated"),
      stalled: by("stalled"),
      bytes: by("bytes"),
      packets: by("packets"),
    };
  }
}
