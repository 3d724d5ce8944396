import { Loop } from "tickwise";
import { hashText } from "../../../src/state/index.js";
import { platformer } from "../../../scenes/platformer.js";
import { replayPlayer, type Replay } from "../../../src/replay/index.js";
import { Display } from "../display.js";

/** Frames per second. */
export const RATES = [15, 60, 240] as const;
/** Frame jitter, in percent of a frame. */
const JITTER = 80;
/** How many states are shown with their hashes. */
export const SHOWN = 6;

/** Plays a replay on a simulated display with uneven frames. */
class RateRun {
  /** Hashes not compared yet, by tick. */
  readonly hashes = new Map<number, string>();
  /** Fewest and most steps in one frame. */
  minSteps = Infinity;
  maxSteps = 0;
  readonly player;
  readonly #display: Display;
  readonly #loop: Loop;

  constructor(replay: Replay, fps: number, seed: number) {
    const player = replayPlayer(platformer, replay, { rewind: false });
    this.player = player;
    this.#display = new Display({ fps, jitter: JITTER, seed });
    this.#storeHash();
    this.#loop = new Loop({
      rate: [...replay.info.rate],
      step: () => {
        if (player.ended) return;
        player.advance();
        this.#storeHash();
      },
      render: ({ alpha, steps }) => {
        player.view(alpha);
        this.minSteps = Math.min(this.minSteps, steps);
        this.maxSteps = Math.max(this.maxSteps, steps);
      },
    });
  }

  get frames(): number {
    return this.#display.frames;
  }

  frame(): void {
    this.#loop.advance(this.#display.next());
  }

  #storeHash(): void {
    this.hashes.set(this.player.tick, hashText(this.player.hash()));
  }
}

/** Plays the same replay at three render rates and compares all states. */
export class ThreeRates {
  readonly runs: readonly RateRun[];
  /** The states shown, with the hash in each run; `hashes` is empty until all runs have reached the state. */
  readonly rows: readonly { readonly tick: number; hashes: readonly string[] }[];
  /** States compared so far, and how many of them differ. */
  compared = 0;
  differing = 0;
  readonly #replay: Replay;

  constructor(replay: Replay) {
    const { first, last } = replay;
    this.#replay = replay;
    this.runs = RATES.map((fps, index) => new RateRun(replay, fps, index + 1));
    this.rows = Array.from({ length: SHOWN }, (_, row) => ({
      tick: first + Math.round(((last - first) * row) / (SHOWN - 1)),
      hashes: [],
    }));
  }

  get states(): number {
    return this.#replay.last - this.#replay.first + 1;
  }
  get done(): boolean {
    return this.compared === this.states;
  }
  /** The first state that diverges from the recording; -1 if none does. */
  get divergedAt(): number {
    return Math.max(...this.runs.map(({ player }) => player.divergence?.tick ?? -1));
  }

  /** Continues until done, or until `isLate` returns true. */
  work(isLate: () => boolean): void {
    while (!this.done && !isLate()) {
      for (const run of this.runs) while (!run.hashes.has(this.#next)) run.frame();
      this.#compare();
    }
  }

  dispose(): void {
    for (const { player } of this.runs) player.dispose();
  }

  get #next(): number {
    return this.#replay.first + this.compared;
  }

  #compare(): void {
    const tick = this.#next;
    const hashes = this.runs.map((run) => run.hashes.get(tick)!);
    for (const run of this.runs) run.hashes.delete(tick);
    this.compared++;
    if (hashes.some((hash) => hash !== hashes[0])) this.differing++;
    for (const row of this.rows) if (row.tick === tick) row.hashes = hashes;
  }
}
