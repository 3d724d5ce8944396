import type { Clock } from "../loop/index.js";
import { requireNumber, requireOptions } from "../errors/index.js";
import { ContextReader, requireContext, type AudioClockContext } from "./context-reader.js";

/** Options of `audioTime`. */
export interface AudioTimeOptions {
  /**
   * Seconds that the sound takes besides what the browser reports, from 0 to 1: as a player calibrates it for wireless
   * headphones. Default 0.
   */
  extraLatency?: number | undefined;
}

/** How far time may run ahead of the sound or lag behind it before it waits or jumps, in milliseconds. */
const MAX_OFF = 30;
/** How much of the elapsed time goes into corrections, so that motion stays even. */
const CORRECTION = 0.01;

/**
 * Creates the clock of a rhythm game: `display({ clock: audioTime(context) })`. The loop's time is then the context time that is
 * heard, so that steps follow the music and never drift away from it. While the context is suspended, time stands still.
 */
export function audioTime(context: AudioClockContext, options: AudioTimeOptions = {}): Clock {
  requireOptions(
    "audioTime",
    options,
    Object.keys({ extraLatency: 1 } satisfies Record<keyof AudioTimeOptions, 1>),
    "{ extraLatency: 0.1 }",
  );
  requireContext("audioTime", context);
  const { extraLatency = 0 } = options;
  requireNumber("audioTime: extraLatency", extraLatency, 0, 1, 0.1);
  return new AudioTime(new ContextReader(context, extraLatency));
}

/** The context time that is heard, in milliseconds: even, and never going back. */
export class AudioTime implements Clock {
  #heard: number;
  /** Timestamp of the last frame; NaN if time stood still in it. */
  #timestamp: number;
  #hasRun = false;

  constructor(readonly reader: ContextReader) {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.#heard = this.#timestamp = 0.5;
    this.#heard = 0;
    this.#timestamp = NaN;
  }

  advance(timestamp: number, now: number): number {
    const { reader } = this;
    reader.read(now);
    const elapsed = Math.max(0, timestamp - this.#timestamp);
    this.#timestamp = NaN;
    if (reader.isRunning) {
      this.#hasRun = true;
      this.#follow(timestamp, elapsed);
    }
    // Where the context will go on.
    else if (!this.#hasRun) this.#heard = reader.context.currentTime * 1000;
    return this.#heard;
  }

  #follow(timestamp: number, elapsed: number): void {
    const { line } = this.reader;
    const heard = line.timeAt(timestamp) * 1000;
    const expected = this.#heard + elapsed * (1 + line.drift);
    const off = heard - expected;
    const max = elapsed * CORRECTION;
    if (Math.abs(off) <= MAX_OFF) this.#heard = expected + Math.max(-max, Math.min(max, off));
    // After a suspension or a gap. If the sound is behind, wait for it.
    else if (heard < this.#heard) return;
    else this.#heard = heard;
    this.#timestamp = timestamp;
  }

  at(timestamp: number): number {
    const elapsed = timestamp - this.#timestamp;
    return elapsed > 0 ? this.#heard + elapsed : this.#heard;
  }

  /** Infinity while time stands still: a step that runs nevertheless takes all waiting inputs. */
  pageTimeOf(time: number): number {
    if (Number.isNaN(this.#timestamp)) return Infinity;
    return this.#timestamp + (time - this.#heard) / (1 + this.reader.line.drift);
  }
}
