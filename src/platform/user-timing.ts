import { misuse } from "../errors/index.js";

/** A span of the performance timeline. Times are in milliseconds of `systemNow`. */
interface TimelineSpan {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Data of the entry. Must survive a structured clone. */
  readonly detail: unknown;
}

/** Throws if the platform has no User Timing. */
export function requireUserTiming(call: string): void {
  if (typeof globalThis.performance?.measure !== "function")
    misuse("unsupported", call, "performance.measure does not exist on this platform", "Use measure(loop)");
}

/**
 * Records a span by `performance.measure`. Unless `keep` is set, it is removed from the timeline at once, which would grow
 * without limit: profilers and observers have seen it by then.
 */
export function recordSpan({ name, start, end, detail }: TimelineSpan, keep: boolean): void {
  // Spans cannot begin before the page.
  performance.measure(name, { start: Math.max(0, start), end, detail });
  if (!keep) performance.clearMeasures(name);
}
