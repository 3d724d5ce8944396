import { Loop } from "tickwise";
import type { DisplayRecording } from "../../../../lab/src/recording/recording.js";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { framesOf, type FrameSource } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";

const FPS = 60;
/** Seconds from one side to the other and back. */
const PERIOD = 4;
/** How many past frames the picture shows: as dots. */
export const SHOWN = 36;

const place = (time: number): number => 0.5 - 0.5 * Math.cos((2 * Math.PI * time) / PERIOD);

/** A disc that swings from side to side, with few steps on a display with many frames. */
export class Swing implements ChapterModel {
  readonly track = new Track(SHOWN);
  readonly #frames: FrameSource;
  readonly #loop: Loop;
  #before = 0;
  #x = 0;
  #shown = 0;
  /** Movements per frame, lately. */
  readonly #moves = new Float64Array(FPS);
  readonly #places = new Float64Array(SHOWN);

  constructor(isFixed: boolean, rate: number, recording?: DisplayRecording) {
    this.#frames = framesOf(FPS, recording);
    this.#loop = new Loop({
      rate,
      step: ({ time, dt }) => {
        this.#before = this.#x;
        this.#x = place(time + dt);
        this.track.step(this.#frames.time);
      },
      render: ({ alpha }) => {
        this.#shown = isFixed ? this.#before + (this.#x - this.#before) * alpha : this.#x;
      },
    });
  }

  advance(seconds: number): void {
    while (this.#frames.due <= seconds) {
      const last = this.#shown;
      this.#loop.advance(this.#frames.next());
      const { time, count } = this.#frames;
      this.#moves[count % FPS] = this.#shown - last;
      this.#places.copyWithin(1, 0);
      this.#places[0] = this.#shown;
      this.track.frame(time, this.#shown, place(time)).set(this.#places);
    }
  }

  figures(): readonly Figure[] {
    const still = this.#moves.reduce((sum, move) => sum + (move === 0 ? 1 : 0), 0);
    const late = this.#frames.time - this.#loop.time + this.#loop.dt;
    return [
      { label: "Frames that repeat", value: `${still} of ${FPS}` },
      { label: "Behind by up to", value: `${(1000 * Math.max(this.#loop.dt, late)).toFixed(0)} ms` },
    ];
  }
}
