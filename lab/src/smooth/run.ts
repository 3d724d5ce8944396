import type { DisplayFrame } from "../../../scenes/display.js";
import { judder, judderOf, type Judder } from "../../../scenes/judder.js";
import { irregular, oracle, type Showing } from "../../../scenes/pacing.js";
import { warm } from "../../../scenes/score.js";
import { LANES } from "./lanes.js";

/** Longer than this, in milliseconds, is a stall: the page was hidden or busy, and nothing moved that could judder. */
export const STALL = 250;

/** What a lane showed, frame by frame, and what is seen of it, refresh by refresh. */
export interface LaneRun extends Pick<Showing, "shown" | "steps"> {
  /** The judder of each refresh, in parts of a refresh's displacement. */
  readonly judder: number[];
  /** How far the picture is off an even motion, in refreshes. */
  readonly off: number[];
}

/** What a lane's figures are. */
export interface LaneFigures extends Judder {
  /** Frames a minute with other than their regular count of steps. */
  readonly irregular: number;
}

/** The lanes before one display. */
export class Run {
  readonly frames: DisplayFrame[] = [];
  readonly lanes: readonly LaneRun[] = LANES.map(() => ({ shown: [], steps: [], judder: [], off: [] }));
  #figures: readonly LaneFigures[] | undefined;
  #least: number | undefined;

  constructor(
    readonly rate: number,
    /** The number of its first refresh. */
    readonly first = 0,
    /** Whether the lanes know the display already, so that every frame counts. */
    readonly isWarm = false,
  ) {}

  /** All lanes, from the first of these frames to the last. */
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

  /** Refreshes that were seen. */
  get refreshes(): number {
    return this.lanes[0]!.judder.length;
  }

  /** The refresh from which on the lanes know the display. */
  get warmRefresh(): number {
    const before = this.isWarm ? [] : this.frames.slice(1, warm(this.frames) + 1);
    return before.reduce((sum, { refreshes }) => sum + refreshes, 0);
  }

  /** Adds a frame, and what each lane showed and stepped in it. */
  add(frame: DisplayFrame, shows: readonly { readonly shown: number; readonly steps: number }[]): void {
    const before = this.frames.at(-1);
    this.frames.push(frame);
    this.#figures = this.#least = undefined;
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
      // A refresh without a frame of its own shows the picture before once more.
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

  /** The RMS judder that one who knows every refresh would have: frames that were dropped cannot be filtered away. */
  get least(): number {
    this.#least ??= this.#judder(oracle(this.frames, this.rate).shown).rms;
    return this.#least;
  }

  /** Whether refreshes are even and steps nearly in a whole ratio to them, so that some count of steps is regular. */
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

  /** Steps a minute that are too many or too few for the refreshes, whoever counts them. */
  get forcedSlips(): number {
    const { period, rate } = this;
    return Math.abs(rate - (Math.round((period * rate) / 1000) * 1000) / period) * 60;
  }

  /** Mean milliseconds a refresh. */
  get period(): number {
    const refreshes = this.frames.reduce((sum, frame, index) => sum + (index ? frame.refreshes : 0), 0);
    return this.#milliseconds / (refreshes || 1);
  }

  /** Refreshes without a frame of their own. */
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
    const cuts = [this.isWarm ? 0 : warm(frames)];
    for (let i = cuts[0]! + 1; i < frames.length; i++) if (isStall(frames[i - 1]!, frames[i]!)) cuts.push(i);
    const errors = cuts.flatMap((from, index) => {
      const to = cuts[index + 1] ?? frames.length;
      return to - from > 1 ? [...judderOf(frames.slice(from, to), shown.slice(from, to))] : [];
    });
    return judder(Float64Array.from(errors));
  }
}

const isStall = (before: DisplayFrame, frame: DisplayFrame) => frame.vsync - before.vsync > STALL;
