import type { DisplayFrame } from "../../../scenes/display.js";
import { judder, judderOf, type Judder } from "../../../scenes/judder.js";
import { irregular, oracle, type Showing } from "../../../scenes/pacing.js";
import { warm } from "../../../scenes/score.js";
import { LANES } from "./lanes.js";
import { STALL } from "./lattice.js";

/** What a lane showed, frame by frame, and the resulting motion, refresh by refresh. */
export interface LaneRun extends Pick<Showing, "shown" | "steps"> {
  /** The judder of each refresh, as a share of the displacement per refresh. */
  readonly judder: number[];
  /** How far the picture is from even motion, in refreshes. */
  readonly off: number[];
}

/** A lane's figures. */
export interface LaneFigures extends Judder {
  /** Frames per minute with an irregular number of steps. */
  readonly irregular: number;
}

/** All lanes on one display. */
export class Run {
  readonly frames: DisplayFrame[] = [];
  readonly lanes: readonly LaneRun[] = LANES.map(() => ({ shown: [], steps: [], judder: [], off: [] }));
  #figures: readonly LaneFigures[] | undefined;
  #bestRms: number | undefined;

  constructor(
    readonly rate: number,
    /** The number of its first refresh. */
    readonly first = 0,
    /** Whether the lanes have already locked on to the display, so that every frame counts. */
    readonly isWarm = false,
  ) {}

  /** Runs all lanes through these frames. */
  static of(frames: readonly DisplayFrame[], rate: number): Run {
    const run = new Run(rate);
    const pacers = LANES.map(({ pacing }) => pacing.start(rate));
    for (const frame of frames)
      run.add(
        frame,
        pacers.map((pacer) => pacer(frame)),
      );
    return run;
  }

  /** Number of refreshes so far. */
  get refreshes(): number {
    return this.lanes[0]!.judder.length;
  }

  /** The first refresh after the lanes have locked on to the display. */
  get warmRefresh(): number {
    const before = this.isWarm ? [] : this.frames.slice(1, warm(this.frames) + 1);
    return before.reduce((sum, { refreshes }) => sum + refreshes, 0);
  }

  /** Adds a frame, with each lane's shown time and steps. */
  add(frame: DisplayFrame, shows: readonly { readonly shown: number; readonly steps: number }[]): void {
    const before = this.frames.at(-1);
    this.frames.push(frame);
    this.#figures = this.#bestRms = undefined;
    this.lanes.forEach((lane, index) => {
      const { shown, steps } = shows[index]!;
      const moved = shown - (lane.shown.at(-1) ?? shown);
      lane.shown.push(shown);
      lane.steps.push(steps);
      const see = (judder: number) => {
        lane.judder.push(judder);
        lane.off.push((lane.off.at(-1) ?? 0) + judder);
      };
      if (!before || isStall(before, frame)) return see(0);
      const { refreshes } = frame;
      const ideal = (frame.vsync - before.vsync) / refreshes;
      // A refresh without a new frame repeats the previous picture.
      for (let missed = 1; missed < refreshes; missed++) see(-1);
      see(moved / ideal - 1);
    });
  }

  /** The figures of each lane. */
  get figures(): readonly LaneFigures[] {
    this.#figures ??= this.lanes.map(({ shown, steps }) => ({
      ...this.#judder(shown),
      irregular: this.#irregularPerMinute(steps),
    }));
    return this.#figures;
  }

  /** The lowest possible RMS judder: even perfect knowledge of the refreshes cannot remove dropped frames. */
  get bestRms(): number {
    this.#bestRms ??= this.#judder(oracle(this.frames, this.rate).shown).rms;
    return this.#bestRms;
  }

  /** Whether refreshes are even and the rates nearly in a whole ratio, so that a regular number of steps exists. */
  get hasRegularSteps(): boolean {
    const { period, frames, rate } = this;
    const isNear = (a: number, b: number) => Math.abs(a / b - 1) < 0.02;
    const isEven = frames.every(
      ({ vsync, refreshes }, index) =>
        index === 0 || isNear((vsync - frames[index - 1]!.vsync) / refreshes, period),
    );
    const ratio = (period * rate) / 1000;
    return isEven && isNear(ratio, Math.round(ratio));
  }

  /** Irregular frames per minute that no pacing can avoid, because the rates are not in an exact ratio. */
  get forcedSlips(): number {
    const { period, rate } = this;
    return Math.abs(rate - (Math.round((period * rate) / 1000) * 1000) / period) * 60;
  }

  /** Mean milliseconds per refresh. */
  get period(): number {
    const refreshes = this.frames.reduce((sum, frame, index) => sum + (index ? frame.refreshes : 0), 0);
    return this.#milliseconds / (refreshes || 1);
  }

  /** Refreshes without a new frame. */
  get missed(): number {
    return this.refreshes - this.frames.length;
  }

  get #milliseconds(): number {
    return (this.frames.at(-1)?.vsync ?? 0) - (this.frames[0]?.vsync ?? 0);
  }

  #irregularPerMinute(steps: readonly number[]): number {
    const count = irregular(this.frames, steps, this.rate);
    return Math.round((count * 60_000) / (this.#milliseconds || 1));
  }

  #judder(shown: readonly number[]): Judder {
    const { frames } = this;
    // Stalls split the run into segments.
    const starts = [this.isWarm ? 0 : warm(frames)];
    for (let i = starts[0]! + 1; i < frames.length; i++)
      if (isStall(frames[i - 1]!, frames[i]!)) starts.push(i);
    const errors = starts.flatMap((from, index) => {
      const to = starts[index + 1] ?? frames.length;
      return to - from > 1 ? [...judderOf(frames.slice(from, to), shown.slice(from, to))] : [];
    });
    return judder(Float64Array.from(errors));
  }
}

const isStall = (before: DisplayFrame, frame: DisplayFrame) => frame.vsync - before.vsync > STALL;
