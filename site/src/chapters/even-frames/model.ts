import { LANES } from "../../../../lab/src/smooth/lanes.js";
import type { Pacer } from "../../../../scenes/pacing.js";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { Track } from "../../figure/track.js";
import { frameOf } from "./frames.js";

const RATE = 60;
/** Real time per shown time: at full speed, nobody sees single frames. */
const SLOW_MOTION = 6;
/** Refreshes that the picture shows. */
export const SWEEP = 24;
/** Refreshes after which the strip begins at the bottom again: a missing step must be visible. */
export const STRIP_CYCLE = 8;
/** Refreshes before the start, in which a loop learns what the display does. The still picture shows a nearly complete sweep. */
const WARM_UP = 8 * SWEEP - 3;
/** Refreshes that the figures cover. */
const RECENT = 60;

/** A loop with 60 steps per second on a display with 60 Hz. A picture: the refresh, and for the last ones their steps and the tick shown. */
export class SixtyOnSixty implements ChapterModel {
  readonly track = new Track(1 + 2 * SWEEP);
  readonly #pacer: Pacer;
  readonly #delay: number;
  readonly #steps: number[] = [];
  readonly #ticks: number[] = [];
  readonly #judder: number[] = [];
  #refresh = 0;
  /** Ticks minus refreshes, in the first frame. */
  #lead = 0;
  #tick = 0;
  #shown = NaN;

  constructor(isFixed: boolean, delay: number) {
    this.#pacer = LANES.find(({ id }) => id === (isFixed ? "display" : "now"))!.pacing.start(RATE);
    this.#delay = delay;
    while (this.#refresh < WARM_UP) this.#next();
    // A picture shows the current tick, or the one before.
    this.#lead = Math.max(
      ...this.#ticks.map((tick, i) => tick - (this.#refresh - this.#ticks.length + 1 + i)),
    );
  }

  /** Shows the next refresh. Returns its number of steps. */
  #next(): number {
    const { shown, steps } = this.#pacer(frameOf(this.#refresh++, this.#delay));
    const keep = (list: number[], value: number, count: number) => {
      list.push(value);
      if (list.length > count) list.shift();
    };
    this.#tick += steps;
    keep(this.#steps, steps, RECENT);
    keep(this.#ticks, this.#tick, SWEEP);
    keep(this.#judder, ((shown - this.#shown) * RATE) / 1000 - 1, RECENT);
    this.#shown = shown;
    return steps;
  }

  advance(seconds: number): void {
    const { track } = this;
    for (;;) {
      const time = ((track.frames + 1) * SLOW_MOTION) / RATE;
      if (time > seconds) return;
      const steps = this.#next();
      for (let i = 0; i < steps; i++) track.step(time);
      const tick = this.#tick - this.#lead;
      const start = this.#refresh - (this.#refresh % STRIP_CYCLE);
      const picture = track.frame(time, tick - start, this.#refresh - start);
      picture[0] = this.#refresh;
      for (let i = 0; i < SWEEP; i++) {
        picture[1 + i] = this.#steps[RECENT - SWEEP + i]!;
        picture[1 + SWEEP + i] = this.#ticks[i]! - this.#lead;
      }
    }
  }

  /** Frames with another number of steps than one, lately. */
  get odd(): number {
    return this.#steps.filter((steps) => steps !== 1).length;
  }
  /** The root mean square of how unevenly a blended picture moves, lately. */
  get judder(): number {
    return Math.sqrt(this.#judder.reduce((sum, part) => sum + part * part, 0) / this.#judder.length);
  }

  figures(): readonly Figure[] {
    return [
      { label: "Steps", value: this.#steps.slice(-5).join("-") },
      { label: "Odd frames", value: `${this.odd} of ${RECENT}` },
      { label: "Judder if blended", value: `${(100 * this.judder).toFixed(1)} %` },
    ];
  }
}
