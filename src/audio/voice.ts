import type { SoundBuffer, SoundGain, SoundNode, SoundSource } from "./sound-nodes.js";

/** What music needs of an `AudioContext`. */
export interface MusicContext {
  readonly state: string;
  readonly currentTime: number;
  readonly sampleRate: number;
  readonly destination: SoundNode;
  createBufferSource(): SoundSource;
  createGain(): SoundGain;
}

/** Samples that contexts render at once. Playback rates change only between such blocks. */
const BLOCK = 128;

/** Returns the first start of a block that is at least `seconds` away: changes for then are exact. */
export function blockAfter({ currentTime, sampleRate }: MusicContext, seconds: number): number {
  return (Math.ceil(((currentTime + seconds) * sampleRate) / BLOCK) * BLOCK) / sampleRate;
}

/** One source that plays a buffer, and knows its position at any context time. */
export class Voice {
  /** When its fade-in ends. */
  readonly fullAt: number;
  /** The rate, as the context rounds it. */
  rate = 1;
  /** Whether its rate may change. Firefox clicks when a source that began at rate 1 has to be resampled. */
  readonly isResampled: boolean;
  readonly #source: SoundSource;
  readonly #gain: SoundGain;
  readonly #sampleRate: number;
  #since: number;
  #position: number;

  /** Starts at a context time, from a position in seconds. Beyond the buffer's end, it starts again if `repeat` is true. */
  constructor(
    context: MusicContext,
    buffer: SoundBuffer,
    destination: SoundNode,
    repeat: boolean,
    readonly startsAt: number,
    position: number,
    rate: number,
    fade: number,
  ) {
    const source = (this.#source = context.createBufferSource());
    const gain = (this.#gain = context.createGain());
    this.#sampleRate = context.sampleRate;
    this.#since = startsAt;
    this.#position = position;
    this.fullAt = startsAt + fade;
    source.buffer = buffer;
    source.loop = repeat;
    this.rate = Math.fround(rate);
    this.isResampled = this.rate !== 1;
    source.playbackRate.value = this.rate;
    if (fade > 0) {
      // WebKit may render the first sample just before the event.
      gain.gain.value = 0;
      // Firefox ramps from the last event, so there must be one.
      gain.gain.setValueAtTime(0, startsAt);
      gain.gain.linearRampToValueAtTime(1, this.fullAt);
    }
    source.connect(gain).connect(destination);
    source.onended = () => gain.disconnect();
    source.start(startsAt, repeat ? position % buffer.duration : position);
  }

  /** Returns its position in seconds, counted on through repetitions. */
  positionAt(time: number): number {
    return this.#position + (time - this.#since) * this.rate;
  }

  /** Changes the rate at the start of a block. */
  setRate(rate: number, time: number): void {
    this.#position = this.positionAt(time);
    this.#since = time;
    this.rate = Math.fround(rate);
    // A quarter of a sample earlier, so that rounding cannot move it to the next block.
    this.#source.playbackRate.setValueAtTime(this.rate, time - 0.25 / this.#sampleRate);
  }

  /** Fades out from a context time on, or from the end of its fade-in, and stops. */
  end(time: number, fade: number): void {
    const { gain } = this.#gain;
    const from = Math.max(time, this.fullAt);
    if (time <= this.startsAt) return this.#source.stop();
    gain.setValueAtTime(1, from);
    gain.linearRampToValueAtTime(0, from + fade);
    this.#source.stop(from + fade);
  }
}
