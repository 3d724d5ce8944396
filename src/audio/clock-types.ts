import type { Loop } from "../loop/index.js";
import type { AudioClockContext } from "./context-reader.js";

/** Options of `audioClock`. */
export interface AudioClockOptions {
  /**
   * Seconds from the moment that something is shown to the moment that it is heard: from -1 to 1. Sounds that are asked for too
   * late for it start at once, and unevenly. Default: what the sound output takes, plus 25 ms, which is enough at 60 frames per
   * second; 0 for a display with `audioTime`, where the picture follows the sound.
   */
  delay?: number | undefined;
  /**
   * Seconds that the sound takes besides what the browser reports, from 0 to 1: as a player calibrates it for wireless
   * headphones. For a display with `audioTime`, set it there. Default 0.
   */
  extraLatency?: number | undefined;
}

/** A loop; or a loop and the session that it runs, such as what `drive` and `play` return. */
export type AudioSubject = Loop | { readonly loop: Loop; readonly session: { readonly tick: number } };

/** Maps ticks and shown time to the time of an `AudioContext`. Create one with `audioClock`. */
export interface AudioClock<C extends AudioClockContext = AudioClockContext> {
  readonly context: C;
  readonly loop: Loop;
  /** Whether the context's time runs. Play nothing while it does not: a suspended context would play all of it on return. */
  readonly isRunning: boolean;
  /** Seconds from picture to sound: see the option. */
  readonly delay: number;
  /** Seconds that the sound output takes, as measured or as the browser says; 0 if unknown. */
  readonly latency: number;
  /** How much faster the context runs than the clock of the page: 0.0001 is 100 parts in a million. */
  readonly drift: number;
  /** How many moments had passed when they were asked for, so that their sounds started late. If it grows, raise `delay`. */
  readonly late: number;
  /**
   * Returns when to start a sound that belongs to `tick`: the context time at which `shownTime` reaches `tick / rate`, plus
   * `delay`, to the nearest sample and never in the past. Infinity if that moment is not in sight, as the context does not run,
   * or the game is paused before it.
   */
  timeOf(tick: number): number;
  /**
   * Returns the same for an effect of the session, or of step `tick` of the loop. `fraction` says when within the step it happened,
   * from 0 to 1. Default 1: at its end, with state `tick + 1`.
   */
  timeOfEffect(effect: { readonly tick: number }, fraction?: number): number;
  /** Returns the same for a shown time, in seconds. */
  timeOfShown(seconds: number): number;
  /** Returns the shown time whose sound a context time is, at the current speed. It may lie in the future. */
  shownAt(contextTime: number): number;
  /** Returns the context time that is heard at a moment: milliseconds of performance.now(), such as `event.timeStamp`. */
  timeAt(timestamp: number): number;
  /** Returns when a context time is heard: milliseconds of performance.now(). */
  timestampAt(contextTime: number): number;
  /** Stops listening to the loop. */
  dispose(): void;
}
