import { speedOf } from "../loop/index.js";
import type { AudioClock } from "./clock-types.js";
import type { AudioClockContext } from "./context-reader.js";
import type { Music, MusicOptions } from "./music-types.js";
import type { SoundBuffer, SoundNode } from "./sound-nodes.js";
import { blockAfter, Voice, type MusicContext } from "./voice.js";

/** Seconds until a change, at least: longer than what contexts render at once. A change that came too late would click. */
const MIN_MARGIN = 0.03;
/** Seconds before its beginning at which music is scheduled. */
const AHEAD = 0.15;
/** Errors in seconds: above the first, the music jumps. The rate is bent from the second down to the third. */
const JUMP = 0.03;
const BEND = 0.004;
const IN_TIME = 0.0005;
/** By how much the rate is bent at most, which is 9 cents, and the part of the error that it corrects per second. */
const MAX_BEND = 0.005;
const CORRECTED = 0.5;
/** Seconds in which the clock of a context that has just started becomes exact. */
const SETTLING = 1;
/** Seconds after a crossfade before the next. */
const REST = 0.2;

/** Music that is compared with its loop in each frame. */
export class FollowingMusic implements Music {
  error: number;
  jumps = 0;
  #voice: Voice | undefined;
  /** The shown time at which the music begins; NaN until it is known. */
  #at: number;
  #isBending = false;
  #restsUntil: number;
  /** Until this context time, music without a given beginning is not corrected. */
  #settledAt: number;
  readonly #off: (() => void)[];
  readonly #destination: SoundNode;

  constructor(
    private readonly clock: AudioClock<AudioClockContext & MusicContext>,
    private readonly buffer: SoundBuffer,
    private readonly options: MusicOptions & { repeat: boolean; slowMotion: "bend" | "keep"; fade: number },
  ) {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.error = this.#at = this.#restsUntil = this.#settledAt = 0.5;
    this.error = this.#restsUntil = this.#settledAt = 0;
    this.#at = options.at ?? NaN;
    this.#destination = options.destination ?? clock.context.destination;
    const { loop } = clock;
    const silence = () => this.#silence();
    this.#off = [
      loop.on("render", () => this.#follow()),
      loop.on("pause", silence),
      loop.on("stop", silence),
      // No frames may come for a long time. If they do, the next one starts it again.
      loop.on("driver", ({ kind }) => kind === "hidden" && silence()),
    ];
  }

  get isPlaying(): boolean {
    return this.#voice !== undefined;
  }

  dispose(): void {
    for (const off of this.#off) off();
    this.#silence();
  }

  /** The context time of the next change. */
  get #nextChange(): number {
    const { context } = this.clock;
    return blockAfter(context, Math.max(MIN_MARGIN, 2 * (context.baseLatency ?? 0)));
  }

  #silence(): void {
    this.#voice?.end(this.#nextChange, this.options.fade);
    this.#voice = undefined;
  }

  /** Compares the music with the loop, and corrects it. */
  #follow(): void {
    const { clock, buffer } = this;
    const { repeat, slowMotion } = this.options;
    const { loop } = clock;
    const speed = speedOf(loop);
    const isHeld = speed === 0 && slowMotion === "bend";
    if (!clock.isRunning || loop.paused || isHeld) return this.#silence();
    const time = this.#nextChange;
    const shown = clock.shownAt(time);
    if (Number.isNaN(this.#at)) {
      this.#at = shown;
      this.#settledAt = time + SETTLING;
    }
    const position = shown - this.#at;
    // In a hit-stop, the music that is kept plays on.
    if (slowMotion === "keep" && speed !== 1 && this.#voice) return;
    if (position < 0 && this.#voice) return this.#keepScheduled(this.#voice, time - position / speed);
    if (position < -AHEAD * speed || (!repeat && position >= buffer.duration)) return this.#silence();
    const rate = slowMotion === "bend" ? speed : 1;
    if (!this.#voice) this.#start(time, position, rate);
    else if (time >= this.#restsUntil) this.#correct(this.#voice, time, position, rate);
  }

  /** Before the beginning: ends a voice that begins at another time than it should, or has already begun. */
  #keepScheduled(voice: Voice, beginsAt: number): void {
    if (Math.abs(voice.startsAt - beginsAt) > BEND) this.#silence();
  }

  #start(time: number, position: number, rate: number): void {
    const { sampleRate } = this.clock.context;
    // Its very beginning is exact and needs no fade.
    const isBeginning = position <= 0;
    const from = isBeginning ? Math.round((time - position / rate) * sampleRate) / sampleRate : time;
    this.#voice = this.#play(from, Math.max(0, position), rate, isBeginning ? 0 : this.options.fade);
    this.#restsUntil = this.#voice.fullAt;
    this.#isBending = false;
  }

  #correct(voice: Voice, time: number, position: number, rate: number): void {
    const error = position - voice.positionAt(time);
    if (time < this.#settledAt) {
      // Move its beginning instead: nobody said when it should be.
      this.#at += error;
      return;
    }
    this.error = error;
    if (Math.abs(error) > JUMP) {
      this.#replace(voice, time, position, rate);
      this.jumps++;
      this.#restsUntil += REST;
      this.#isBending = false;
      return;
    }
    if (Math.abs(error) > BEND) this.#isBending = true;
    else if (Math.abs(error) < IN_TIME) this.#isBending = false;
    const bend = this.#isBending ? Math.max(-MAX_BEND, Math.min(MAX_BEND, error * CORRECTED)) : 0;
    const bent = Math.fround(rate * (1 + bend));
    if (bent === voice.rate) return;
    if (voice.isResampled) voice.setRate(bent, time);
    else this.#replace(voice, time, voice.positionAt(time), bent);
  }

  /** Crossfades to another voice. */
  #replace(voice: Voice, time: number, position: number, rate: number): void {
    const { fade } = this.options;
    this.#voice = this.#play(time, position, rate, fade);
    voice.end(time, fade);
    this.#restsUntil = this.#voice.fullAt;
  }

  #play(time: number, position: number, rate: number, fade: number): Voice {
    const { context } = this.clock;
    const { repeat } = this.options;
    return new Voice(context, this.buffer, this.#destination, repeat, time, position, rate, fade);
  }
}
