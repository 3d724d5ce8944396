import type { DisplayFrame } from "../../../scenes/display.js";
import { findRefreshes, fitLattice, STALL } from "./lattice.js";

/** What a trace file says about itself. Older files say nothing, and are of version 1. */
const FORMAT = "tickwise-trace";
const VERSION = 1;

/** The contents of a trace file: frames as a page saw them, in milliseconds. */
export interface Trace {
  /** User agent of the recording browser. */
  readonly ua: string;
  /** Timestamps passed to requestAnimationFrame callbacks. */
  readonly T: readonly number[];
  /** `performance.now()` at the start of each callback, if recorded. */
  readonly N?: readonly number[];
}

/** Bytes; an hour at 60 Hz is smaller. */
export const MAX_SIZE = 5e6;
const MIN_FRAMES = 3;
/** An hour at 60 Hz has fewer. */
const MAX_FRAMES = 250_000;
/** The first bytes of a replay file. */
const REPLAY = "TWRP";
/** Latest time in a trace, and its maximum length, in milliseconds. */
const MAX_TIME = 1e12;
const MAX_LENGTH = 3.6e6;

/** Thrown for a file that is not a valid trace. The message says why: a part of a sentence about “it”, the file. */
export class TraceError extends Error {
  override name = "TraceError";
  /** What to do about it, as a sentence. */
  readonly fix: string;

  constructor(message: string, fix = "Choose a file that “Record your display” has saved.") {
    super(message);
    this.fix = fix;
  }
}

/** Reads the text of a trace file. Throws `TraceError`. */
export function readTrace(text: string): Trace {
  if (text.startsWith(REPLAY))
    throw new TraceError("it is a replay of a game", "Open replays on the lab’s Game page.");
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new TraceError("it is not JSON");
  }
  if (typeof content === "object" && content !== null && ("format" in content || "T" in content))
    requireVersion(content);
  if (typeof content !== "object" || content === null || !("T" in content) || !Array.isArray(content.T))
    throw new TraceError("it has no array “T” of timestamps");
  if (content.T.length > MAX_FRAMES)
    throw new TraceError(
      `“T” has ${content.T.length} timestamps, but may have at most ${MAX_FRAMES}`,
      "Record a minute or less.",
    );
  const T = requireNumbers("T", content.T);
  if (T.length < MIN_FRAMES) throw new TraceError(`“T” has fewer than ${MIN_FRAMES} timestamps: ${T.length}`);
  const [min, max] = T.reduce(([low, high], stamp) => [Math.min(low, stamp), Math.max(high, stamp)], [
    T[0]!,
    T[0]!,
  ] as const);
  if (max - min > MAX_LENGTH) throw new TraceError("it is longer than an hour");
  if (max === min) throw new TraceError("its timestamps are all equal");
  const { period } = fitLattice(T);
  if (!(period > 0))
    throw new TraceError("its timestamps are not in order", "Sort the timestamps, or record again.");
  // No display is that fast or that slow.
  if (!(period >= 1 && period <= STALL))
    throw new TraceError(
      `its timestamps are ${period.toPrecision(3)} ms apart, but those of a display are 1 to ${STALL} ms apart`,
    );
  const ua = "ua" in content && typeof content.ua === "string" ? content.ua : "";
  if (!("N" in content) || content.N === undefined) return { ua, T };
  if (!Array.isArray(content.N) || content.N.length !== T.length)
    throw new TraceError("“N” is not an array of the same length as “T”");
  return { ua, T, N: requireNear(T, requireNumbers("N", content.N)) };
}

/** Rejects files of another kind or version. */
function requireVersion(content: object): void {
  const { format = FORMAT, version = VERSION } = content as { format?: unknown; version?: unknown };
  if (format !== FORMAT) throw new TraceError(`its format is ${shortText(format)}, not "${FORMAT}"`);
  if (version !== VERSION)
    throw new TraceError(
      `its version is ${shortText(version)}, and this page reads version ${VERSION}`,
      "Record your display again on this site.",
    );
}

/** Returns a value of a file for a message. Nested ones may be too deep to be written. */
function shortText(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : JSON.stringify(value).slice(0, 40);
}

function requireNumbers(name: string, list: readonly unknown[]): number[] {
  const wrong = list.findIndex((value) => typeof value !== "number" || !(Math.abs(value) <= MAX_TIME));
  if (wrong >= 0)
    throw new TraceError(`${name}[${wrong}] is not a number of milliseconds: ${shortText(list[wrong])}`);
  return list as number[];
}

function requireNear(T: readonly number[], N: number[]): number[] {
  const wrong = N.findIndex((now, index) => Math.abs(now - T[index]!) > MAX_LENGTH);
  if (wrong >= 0) throw new TraceError(`N[${wrong}] is more than an hour away from T[${wrong}]`);
  return N;
}

/** Returns the text of a trace file. */
export function writeTrace({ ua, T, N }: Trace): string {
  const short = (list: readonly number[]) => list.map((time) => Number(time.toFixed(6)));
  return JSON.stringify({ format: FORMAT, version: VERSION, ua, T: short(T), ...(N ? { N: short(N) } : {}) });
}

/** The frames of a trace, and the deviation of its timestamps from the fitted refreshes; NaN if none fit. */
interface TraceFrames {
  readonly frames: DisplayFrame[];
  readonly noise: number;
}

/** Returns the frames of a trace. Without `N`, the timestamps stand in for the clock. */
export function framesOf({ T, N = T }: Trace): TraceFrames {
  const { vsyncs, counts, noise } = findRefreshes(T);
  const frames = T.map((stamp, index) => ({
    stamp,
    now: N[index]!,
    vsync: vsyncs[index]!,
    refreshes: counts[index]!,
  }));
  return { frames, noise };
}
