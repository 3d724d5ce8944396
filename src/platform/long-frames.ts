/** A script that ran in a long frame, as the browser reports it. Times are in milliseconds. */
export interface LongScript {
  /** What called it, such as "TimerHandler:setTimeout" or "FrameRequestCallback". */
  readonly invoker: string;
  /** The kind of call, such as "user-callback", "event-listener" or "module-script". */
  readonly invokerType: string;
  readonly sourceURL: string;
  readonly sourceFunctionName: string;
  /** The position in the file, in characters; -1 if unknown. */
  readonly sourceCharPosition: number;
  readonly duration: number;
  /** The part of the duration in which the script forced style and layout. */
  readonly forcedStyleAndLayoutDuration: number;
}

/** A frame of the page that took 50 ms or more: a long animation frame. Times are in milliseconds. */
export interface LongFrame {
  readonly startTime: number;
  readonly duration: number;
  /** When style and layout began, after all scripts; 0 if nothing was drawn. */
  readonly styleAndLayoutStart: number;
  /** The scripts that ran for 5 ms or more. */
  readonly scripts: readonly LongScript[];
}

const TYPE = "long-animation-frame";
/** Maximum number of frames kept. */
const MAX_KEPT = 64;

/** Keeps the last long frames that the browser reported. */
class LongFrameLog {
  readonly #frames: LongFrame[] = [];
  readonly #observer: PerformanceObserver;

  constructor() {
    this.#observer = new PerformanceObserver((list) => this.#add(list.getEntries()));
    // With those that the browser has kept: up to 200, from before.
    this.#observer.observe({ type: TYPE, buffered: true });
  }

  #add(entries: readonly PerformanceEntry[]): void {
    this.#frames.push(...(entries as readonly unknown[] as readonly LongFrame[]));
    this.#frames.splice(0, this.#frames.length - MAX_KEPT);
  }

  /** Returns the frames that began at a time or later. */
  since(time: number): readonly LongFrame[] {
    this.#add(this.#observer.takeRecords());
    return this.#frames.filter(({ startTime }) => startTime >= time);
  }
}

let log: LongFrameLog | undefined;

/**
 * Returns the page's long animation frames that began at a time of `systemNow` or later. Empty on platforms that do not report
 * them. Observes the page from the first call on.
 */
export function longFramesSince(time: number): readonly LongFrame[] {
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes(TYPE)) return [];
  log ??= new LongFrameLog();
  return log.since(time);
}
