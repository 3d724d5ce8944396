import { every, Loop } from "tickwise";
import { random, type Random } from "tickwise/math";
import type { ChapterModel, Figure } from "../../figure/chapter.js";
import { Frames } from "../../figure/frames.js";
import { Track } from "../../figure/track.js";
import { Voice } from "./voice.js";

export const RATES = [60, 30, 4] as const;
const NAMES = ["Physics", "Network", "AI"] as const;
const FPS = 60;
/** Seconds of a piece. Then all voices begin again. */
export const PIECE = 5;

/** Three jobs at three rates, written as a score. Late callbacks shift them, or do not. */
export class Score implements ChapterModel {
  readonly track = new Track(2);
  readonly voices = RATES.map((rate) => new Voice(rate));
  readonly #isFixed: boolean;
  /** How late callbacks are at most, in seconds. */
  readonly #maxLate: number;
  readonly #frames = new Frames(FPS);
  readonly #dice: Random;
  #loop: Loop;
  /** When this piece began. */
  #start = 0;
  /** The time of the last frame's callback, and of the next one's. */
  #now = 0;
  #next = 0;

  constructor(isFixed: boolean, milliseconds: number) {
    this.#isFixed = isFixed;
    this.#maxLate = milliseconds / 1000;
    this.#dice = random(new Uint32Array(4)).seed("late");
    this.#loop = this.#begin();
    this.#next = this.#frames.due + this.#late();
  }

  advance(seconds: number): void {
    for (; this.#next <= seconds; this.#next = this.#frames.due + this.#late()) {
      const before = this.#now;
      this.#now = this.#next;
      this.#frames.next();
      if (this.#frames.time >= this.#start + PIECE) {
        this.#start += PIECE;
        this.#loop = this.#begin();
      } else if (this.#isFixed) this.#loop.advance(this.#now - before);
      else this.#runTimers();
      const drift = (this.voices[0]!.count - 1) / RATES[0] - (this.#now - this.#start);
      const picture = this.track.frame(this.#now, 1000 * drift, 0);
      picture[0] = this.#now;
      picture[1] = this.#start;
    }
  }

  figures(): readonly Figure[] {
    return this.voices.map(({ rate, count }, i) => ({
      label: NAMES[i]!,
      value: `${count} of ${Math.floor((this.#now - this.#start) * rate + 1e-6) + 1}`,
    }));
  }

  /** Begins a piece with the first note of each voice. */
  #begin(): Loop {
    const [physics, network, ai] = this.voices as [Voice, Voice, Voice];
    for (const voice of this.voices) {
      voice.begin();
      voice.due = this.#start;
    }
    this.#now = this.#start;
    const loop = new Loop({ rate: physics.rate, step: () => this.#step(this.#now) });
    every(loop, network.rate, () => network.play(this.#now));
    every(loop, ai.rate, () => ai.play(this.#now));
    if (this.#isFixed) loop.advance(loop.dt);
    else this.#runTimers();
    return loop;
  }

  #step(time: number): void {
    this.voices[0]!.play(time);
    this.track.step(time);
  }

  /** Runs the callbacks of timers. Each one sets the next. */
  #runTimers(): void {
    for (const voice of this.voices)
      for (; voice.due <= this.#now; voice.due += this.#delayOf(voice))
        if (voice === this.voices[0]) this.#step(voice.due);
        else voice.play(voice.due);
  }

  /** Browsers wait for whole milliseconds, and call back late. */
  #delayOf({ rate }: Voice): number {
    return Math.floor(1000 / rate) / 1000 + this.#late();
  }

  #late(): number {
    return this.#maxLate * this.#dice.float();
  }
}
