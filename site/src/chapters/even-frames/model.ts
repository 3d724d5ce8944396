import { LANES } from "../../../../lab/src/smooth/lanes.js";
import type { DisplayRecording } from "../../../../lab/src/recording/recording.js";
import type { DisplayFrame } from "../../../../scenes/display.js";
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
/** Frames that the figures cover. */
const RECENT = 60;

/** A loop with 60 steps per second on a display with 60 Hz; on a recorded one, with as many steps as it has refreshes. A picture: the refresh, and for the last ones their steps and the tick shown. */
export class SixtyOnSixty implements ChapterModel {
  readonly track = new Track(1 + 2 * SWEEP);
  readonly #pacer: Pacer;
  readonly #frameAt: (index: number) => DisplayFrame;
  /** Refreshes per second, and steps per second. */
  readonly #refreshRate: number;
  readonly #rate: number;
  readonly #steps: number[] = [];
  readonly #ticks: number[] = [];
  readonly #judder: number[] = [];
  /** Steps minus refreshes of each frame, lately. */
  readonly #odd: number[] = [];
  /** Frames and refreshes so far. */
  #frame = 0;
  #refresh = 0;
  /** Refreshes before the start. */
  #start = 0;
  /** Ticks minus refreshes, in the first frame. */
  #lead = 0;
  #tick = 0;
  #shown = NaN;

  constructor(isFixed: boolean, delay: number, recording?: DisplayRecording) {
    this.#refreshRate = recording?.rate ?? RATE;
    this.#rate = Math.round(this.#refreshRate);
    this.#frameAt = (index) => recording?.frameAt(index) ?? frameOf(index, delay);
    this.#pacer = LANES.find(({ id }) => id === (isFixed ? "display" : "now"))!.pacing.start(this.#rate);
    while (this.#refresh < WARM_UP) this.#next();
    // A picture shows the current tick, or the one before.
    this.#lead = Math.max(
      ...this.#ticks.map((tick, i) => tick - (this.#refresh - this.#ticks.length + 1 + i)),
    );
    this.#start = this.#refresh;
  }

  /** When the next frame is shown, in seconds since the start. */
  get #due(): number {
    const { refreshes } = this.#frameAt(this.#frame);
    return ((this.#refresh + refreshes - this.#start) * SLOW_MOTION) / this.#rate;
  }

  /** Shows the next frame. Returns its number of steps. */
  #next(): number {
    const frame = this.#frameAt(this.#frame++);
    const { shown, steps } = this.#pacer(frame);
    const keep = (list: number[], value: number, count: number) => {
      list.push(value);
      if (list.length > count) list.shift();
    };
    // A refresh without a frame shows the last picture again.
    for (let missed = 1; missed < frame.refreshes; missed++) {
      keep(this.#steps, 0, RECENT);
      keep(this.#ticks, this.#tick, SWEEP);
      keep(this.#judder, -1, RECENT);
    }
    this.#refresh += frame.refreshes;
    this.#tick += steps;
    keep(this.#odd, steps - frame.refreshes, RECENT);
    keep(this.#steps, steps, RECENT);
    keep(this.#ticks, this.#tick, SWEEP);
    keep(this.#judder, ((shown - this.#shown) * this.#refreshRate) / 1000 - 1, RECENT);
    this.#shown = shown;
    return steps;
  }

  advance(seconds: number): void {
    const { track } = this;
    for (;;) {
      const time = this.#due;
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

  /** Frames with another number of steps than refreshes, lately. */
  get odd(): number {
    return this.#odd.filter((odd) => odd !== 0).length;
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
