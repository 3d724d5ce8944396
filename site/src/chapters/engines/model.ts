import { Loop, timeScale } from "tickwise";
import * as math from "tickwise/math";
import { flock, flockHash } from "../../../../scenes/flock.js";
import { FLOCK_HASH_EVERY, FLOCK_STEPS } from "../../../../scenes/flock-recording.js";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { Frames } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";
import { firstSeenApart, leadersApart, recorded, RECORDINGS, SHOWN } from "./engines.js";

const FPS = 60;

/** A swarm that runs here, next to the recordings of the same swarm in other engines. */
export class Swarms implements ChapterModel {
  /** A picture is the number of steps: all else follows from it. */
  readonly track = new Track(1);
  readonly isFixed: boolean;
  readonly #frames = new Frames(FPS);
  readonly #swarm: ReturnType<typeof flock>;
  /** What is shown of the swarm after each step. */
  readonly #positions = new Float64Array(SHOWN * (FLOCK_STEPS + 1));
  readonly #loop: Loop;
  /** Steps of the swarm; of this round, which shows them again; and the first one with a hash that no engine recorded, or 0. */
  #simulated = 0;
  #step = 0;
  #wrongAt = 0;

  constructor(isFixed: boolean, pace: number) {
    this.isFixed = isFixed;
    this.#swarm = flock(isFixed ? math : Math);
    this.#keep();
    this.#loop = new Loop({ rate: FPS, step: () => this.#advance() });
    this.setPace(pace);
  }

  /** Sets the steps per frame. */
  setPace(pace: number): void {
    timeScale(this.#loop).set(pace);
  }

  /** Returns a coordinate of the swarm that runs here after some steps. */
  here(step: number, coordinate: number): number {
    return this.#positions[SHOWN * step + coordinate]!;
  }

  advance(seconds: number): void {
    while (this.#frames.due <= seconds) {
      this.#loop.advance(this.#frames.next());
      const step = this.#step;
      const [shown, truth] = this.isFixed
        ? [this.here(step, 1), this.here(step, 1)]
        : [recorded(RECORDINGS.length - 1, step, 1), recorded(0, step, 1)];
      this.track.frame(this.#frames.time, shown, truth)[0] = step;
    }
  }

  figures(): readonly Figure[] {
    if (this.isFixed) {
      const isGood = this.#wrongAt === 0;
      return [
        { label: "Bits differ", value: isGood ? "never" : `since step ${this.#wrongAt}`, isGood },
        { label: "Step", value: String(this.#step) },
      ];
    }
    const since = Math.min(...RECORDINGS.slice(1).map(({ partedAt }) => partedAt));
    const seen = firstSeenApart();
    return [
      { label: "Bits differ", value: `since step ${since}`, isGood: false },
      { label: "Visible", value: this.#step < seen ? "not yet" : `since step ${seen}` },
      { label: "Apart", value: `${leadersApart(this.#step).toFixed(2)} m` },
    ];
  }

  #advance(): void {
    this.track.step(this.#frames.time);
    this.#step = this.#step === FLOCK_STEPS ? 0 : this.#step + 1;
    if (this.#step <= this.#simulated) return;
    this.#swarm.step();
    this.#simulated++;
    this.#keep();
    if (this.isFixed && this.#wrongAt === 0 && this.#simulated % FLOCK_HASH_EVERY === 0) this.#check();
  }

  /** Compares the state with those of all engines. */
  #check(): void {
    const hash = flockHash(this.#swarm);
    const index = this.#simulated / FLOCK_HASH_EVERY - 1;
    if (RECORDINGS.some(({ exactHashes }) => exactHashes[index] !== hash)) this.#wrongAt = this.#simulated;
  }

  #keep(): void {
    const from = SHOWN * this.#simulated;
    for (let i = 0; i < SHOWN; i += 2) {
      this.#positions[from + i] = this.#swarm.x[i / 2]!;
      this.#positions[from + i + 1] = this.#swarm.y[i / 2]!;
    }
  }
}
