import { Loop } from "tickwise";
import type { DisplayRecording } from "../../../lab/src/recording/recording.js";
import { jelly, stepJelly, strainOf, type Jelly } from "../../../scenes/jelly.js";
import { framesOf, type FrameSource } from "../figure/frames.js";

/** The same jelly, twice: once advanced by each frame's deltaTime, once by a loop with fixed steps. */
export class TwoJellies {
  readonly left: Jelly = jelly();
  readonly right: Jelly = jelly();
  /** Where the masses of the right one are drawn. */
  readonly shown: Float64Array;
  readonly #before: Float64Array;
  readonly #loop: Loop;
  #frames: FrameSource;
  #start = 0;

  constructor(fps: number) {
    this.#frames = framesOf(fps);
    this.shown = this.right.place.slice();
    this.#before = this.right.place.slice();
    this.#loop = new Loop({
      rate: 60,
      step: ({ dt }) => {
        this.#before.set(this.right.place);
        stepJelly(this.right, dt);
      },
      render: ({ alpha }) => {
        const { place } = this.right;
        for (let i = 0; i < place.length; i++)
          this.shown[i] = this.#before[i]! + (place[i]! - this.#before[i]!) * alpha;
      },
    });
  }

  get fps(): number {
    return this.#frames.fps;
  }
  get strain(): number {
    return strainOf(this.left);
  }

  /** Continues on another display: a simulated or a recorded one. The left one gets a new body: what is torn does not heal. */
  setDisplay(fps: number, recording?: DisplayRecording): void {
    this.#start += this.#frames.time;
    this.#frames = framesOf(fps, recording);
    if (this.strain < 0.4) return;
    this.left.place.set(this.right.place);
    this.left.velocity.set(this.right.velocity);
    this.left.hopIn = this.right.hopIn;
  }

  /** Goes on to a time. Returns whether the display has shown a new frame. */
  advance(seconds: number): boolean {
    let isNew = false;
    while (this.#start + this.#frames.due <= seconds) {
      const delta = this.#frames.next();
      stepJelly(this.left, delta);
      this.#loop.advance(delta);
      isNew = true;
    }
    return isNew;
  }
}
