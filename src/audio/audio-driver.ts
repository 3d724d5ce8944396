import { browserDriver, type Driver } from "../drivers/index.js";
import { requireNumber, requireOptions, requireType } from "../errors/index.js";
import { ContextReader, requireContext, type AudioClockContext } from "./context-reader.js";

/** Options of `audioDriver`. */
export interface AudioDriverOptions {
  /** What calls the frames, with timestamps of performance.now(). Default: `browserDriver()`. */
  frames?: Driver | undefined;
  /**
   * Seconds that the sound takes besides what the browser reports, from 0 to 1: as a player calibrates it for wireless
   * headphones. Default 0.
   */
  extraLatency?: number | undefined;
}

const readers = new WeakMap<Driver, ContextReader>();

/** Returns what reads the context of an audio driver; undefined for other drivers. */
export const readerOf = (driver: Driver): ContextReader | undefined => readers.get(driver);

/** How far the driver's time may run ahead of the sound or lag behind it before it jumps, in milliseconds. */
const MAX_OFF = 30;
/** How much of the elapsed time goes into corrections, so that motion stays even. */
const CORRECTION = 0.01;

/**
 * Creates a driver for rhythm games: the loop's time is the context time that is heard, so that steps follow the music and never
 * drift away from it. Frames are those of the display. While the context is suspended, time stands still.
 */
export function audioDriver(context: AudioClockContext, options: AudioDriverOptions = {}): Driver {
  requireOptions(
    "audioDriver",
    options,
    Object.keys({ frames: 1, extraLatency: 1 } satisfies Record<keyof AudioDriverOptions, 1>),
    "{ frames: browserDriver() }",
  );
  requireContext("audioDriver", context);
  const { frames = browserDriver(), extraLatency = 0 } = options;
  requireNumber("audioDriver: extraLatency", extraLatency, 0, 1, 0.1);
  requireType("audioDriver: frames.start", frames?.start, "function", "browserDriver()");
  const reader = new ContextReader(context, () => frames.now(), extraLatency);
  const time = new HeardTime(reader);
  const driver: Driver = {
    pacing: frames.pacing ?? "raw",
    now: () => time.at(frames.now()),
    pageTimeOf: (timestamp) => time.pageTimeOf(timestamp),
    stop: () => frames.stop(),
    start(frame, host) {
      frames.start((timestamp, discardElapsed) => {
        reader.read();
        time.advance(timestamp);
        frame(time.heard, discardElapsed);
      }, host);
    },
  };
  readers.set(driver, reader);
  return driver;
}

/** The context time that is heard, in milliseconds: even, and never going back. */
class HeardTime {
  heard: number;
  #timestamp: number;

  constructor(private readonly reader: ContextReader) {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.heard = this.#timestamp = 0.5;
    this.heard = 0;
    this.#timestamp = NaN;
  }

  /** Goes on to the timestamp of a frame. */
  advance(timestamp: number): void {
    const { isRunning, line } = this.reader;
    const elapsed = timestamp - this.#timestamp;
    this.#timestamp = isRunning ? timestamp : NaN;
    if (!isRunning) return;
    const heard = line.timeAt(timestamp) * 1000;
    // The first frame after a suspension.
    if (!(elapsed >= 0)) {
      this.heard = Math.max(this.heard, heard);
      return;
    }
    const expected = this.heard + elapsed * (1 + line.drift);
    const off = heard - expected;
    const max = elapsed * CORRECTION;
    if (Math.abs(off) <= MAX_OFF) this.heard = expected + Math.max(-max, Math.min(max, off));
    else this.heard = Math.max(this.heard, heard);
  }

  /** Returns when a time near the last frame was heard; Infinity before the first frame: such steps take all waiting inputs. */
  pageTimeOf(heard: number): number {
    if (Number.isNaN(this.#timestamp)) return Infinity;
    return this.#timestamp + (heard - this.heard) / (1 + this.reader.line.drift);
  }

  /** Returns the time at a moment after the last frame. */
  at(timestamp: number): number {
    const elapsed = timestamp - this.#timestamp;
    return elapsed > 0 ? this.heard + elapsed : this.heard;
  }
}
