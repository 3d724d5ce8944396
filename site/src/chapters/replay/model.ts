import type { DisplayRecording } from "../../../../lab/src/recording/recording.js";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { framesOf } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";
import { TILE } from "../../../../scenes/level.js";
import { blendAt, makeRecording, RATE, type Recording } from "./recording.js";
import { View, ViewPart, VIEW_SIZE } from "./view.js";

export const VIEWS = 3;
/** The frame rates of the other two views. */
const OTHERS = [60, 240];
/** How long after the recording's display each view's display refreshes, in steps. */
const LATE = [1.3, 0.4, 0.6];
/** Seconds that the last picture stays. */
const PAUSE = 1;

/** Made once: it is the same in all models. */
let recording: Recording | undefined;

/** One recording on three displays. */
export class Replays implements ChapterModel {
  readonly track = new Track(VIEWS * VIEW_SIZE);
  readonly #views: readonly View[];
  readonly #recording: Recording;
  /** Seconds from one start to the next. */
  readonly #round: number;
  #start = 0;

  constructor(isFixed: boolean, fps: number, display?: DisplayRecording) {
    const own = (this.#recording = recording ??= makeRecording());
    this.#round = (own.x.length - 1) / RATE + PAUSE;
    this.#views = [framesOf(fps, display), ...OTHERS.map((rate) => framesOf(rate))].map(
      (frames, i) =>
        new View(own, frames, isFixed, LATE[i]!, () => {
          if (i === 0) this.track.step(this.#views[0]!.frames.time);
        }),
    );
  }

  advance(seconds: number): void {
    const [first] = this.#views;
    for (;;) {
      const view = this.#views.reduce((a, b) => (b.frames.due < a.frames.due ? b : a));
      if (view.frames.due > seconds) return;
      if (view.frames.due >= this.#start + this.#round) {
        this.#start += this.#round;
        for (const each of this.#views) each.restart(this.#start);
      }
      view.frame();
      // The strip has the frames of the first view only.
      const { time } = view.frames;
      const shown = view === first ? -first.numbers[ViewPart.y]! : NaN;
      const recorded = blendAt(this.#recording.y, (time - this.#start) * RATE - 1);
      const picture = this.track.frame(time, shown, -recorded);
      this.#views.forEach((each, i) => picture.set(each.numbers, i * VIEW_SIZE));
    }
  }

  figures(): readonly Figure[] {
    return this.#views.map(({ numbers }) => {
      const isGood = numbers[ViewPart.isSame] === 1;
      const label = `${numbers[ViewPart.fps]} fps`;
      return { label, value: isGood ? "same bits" : `${tilesOff(numbers).toFixed(1)} tiles off`, isGood };
    });
  }
}

/** How far the character is from where it was in the recording, in tiles. */
export const tilesOff = (numbers: Float64Array): number =>
  Math.hypot(
    numbers[ViewPart.x]! - numbers[ViewPart.recordedX]!,
    numbers[ViewPart.y]! - numbers[ViewPart.recordedY]!,
  ) / TILE;
