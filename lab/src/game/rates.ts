import { Loop } from "tickwise";
import { hashText } from "../../../src/state/index.js";
import { platformer } from "../../../scenes/platformer.js";
import { replayPlayer, type Replay } from "../../../src/replay/index.js";
import { Display } from "../display.js";

/** Frames a second. */
export const RATES = [15, 60, 240] as const;
/** How far frames fall from their places, in percent of a frame. */
const JITTER = 80;
/** States whose hashes are shown. */
export const SHOWN = 6;

/** A replay that is played, picture by picture, before a display of so many uneven frames a second. */
class RateRun {
  /** Hashes of states that are still to be compared, by their ticks. */
  readonly hashes = new Map<number, string>();
  /** Steps that a frame ran, at least and at most. */
  least = Infinity;
  most = 0;
  readonly player;
  readonly #display: Display;
  readonly #loop: Loop;

  constructor(replay: Replay, fps: number, seed: number) {
    const player = replayPlayer(platformer, replay, { rewind: false });
    this.player = player;
    this.#display = new Display({ fps, jitter: JITTER, seed });
    this.#note();
    this.#loop = new Loop({
      rate: [...replay.info.rate],
      step: () => {
        if (player.ended) return;
        player.advance();
        this.#note();
      },
      render: ({ alpha, steps }) => {
        player.view(alpha);
        this.least = Math.min(this.least, steps);
        this.most = Math.max(this.most, steps);
      },
    });
  }

  get frames(): number {
    return this.#display.frames;
  }

  frame(): void {
    this.#loop.advance(this.#display.next());
  }

  #note(): void {
    this.hashes.set(this.player.tick, hashText(this.player.hash()));
  }
}

/** The same replay at three render rates, state by state. */
export class ThreeRates {
  readonly runs: readonly RateRun[];
  /** States that are shown, with the hash in each run; empty before they are reached. */
  readonly rows: readonly { readonly tick: number; hashes: readonly string[] }[];
  /** States that all have reached, and how many of them differ. */
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
  /** The first state that came out otherwise than it was recorded; -1 if none did. */
  get divergedAt(): number {
    return Math.max(...this.runs.map(({ player }) => player.divergence?.tick ?? -1));
  }

  /** Plays on, until it is done or `isLate`. */
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
