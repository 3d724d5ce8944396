import { Loop } from "tickwise";
import { onePerFrame } from "tickwise/stepping";
import type { DisplayRecording } from "../../../../lab/src/recording/recording.js";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { framesOf, type FrameSource } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";

/** Metres per second, and metres to the finish. */
const SPEED = 3;
export const FINISH = 12;
/** Seconds of a race. */
const ROUND = 5;
const UPPER_FPS = 30;

/** A runner and its display. */
class Runner {
  readonly frames: FrameSource;
  readonly loop: Loop;
  x = 0;
  /** Where it is drawn. */
  shown = 0;
  #before = 0;

  constructor(frames: FrameSource, isFixed: boolean, onStep: () => void) {
    this.frames = frames;
    this.loop = new Loop({
      rate: 60,
      ...(isFixed ? {} : { stepping: onePerFrame() }),
      step: ({ dt }) => {
        this.#before = this.x;
        this.x += SPEED * dt;
        onStep();
      },
      render: ({ alpha }) => {
        this.shown = isFixed ? this.#before + (this.x - this.#before) * alpha : this.x;
      },
    });
  }

  /** Goes back to the start. */
  restart(): void {
    this.x = this.#before = this.shown = 0;
    this.loop.reset();
  }
}

/** Two runners with the same code, on two displays. */
export class Race implements ChapterModel {
  readonly track = new Track(3);
  readonly #upper: Runner;
  readonly #lower: Runner;
  /** When this race began. */
  #start = 0;

  constructor(isFixed: boolean, fps: number, recording?: DisplayRecording) {
    this.#upper = new Runner(framesOf(UPPER_FPS), isFixed, () => {});
    this.#lower = new Runner(framesOf(fps, recording), isFixed, () =>
      this.track.step(this.#lower.frames.time),
    );
  }

  /** The frames per second of the upper and of the lower display. */
  get displays(): readonly [number, number] {
    return [UPPER_FPS, this.#lower.frames.fps];
  }

  advance(seconds: number): void {
    for (;;) {
      const [upper, lower] = [this.#upper, this.#lower];
      const runner = upper.frames.due <= lower.frames.due ? upper : lower;
      if (runner.frames.due > seconds) return;
      if (runner.frames.due >= this.#start + ROUND) {
        this.#start += ROUND;
        upper.restart();
        lower.restart();
      }
      runner.loop.advance(runner.frames.next());
      if (runner === upper) continue;
      const { time } = lower.frames;
      const truth = SPEED * (time - this.#start);
      const picture = this.track.frame(time, Math.min(FINISH, lower.shown), Math.min(FINISH, truth));
      picture[0] = upper.shown;
      picture[1] = lower.shown;
      picture[2] = truth;
    }
  }

  figures(): readonly Figure[] {
    const metres = (x: number) => `${x.toFixed(1)} m`;
    return [
      { label: `${UPPER_FPS} fps`, value: metres(this.#upper.shown) },
      { label: `${this.#lower.frames.fps} fps`, value: metres(this.#lower.shown) },
      { label: "At 3 m/s", value: metres(SPEED * (this.#lower.frames.time - this.#start)) },
    ];
  }
}
