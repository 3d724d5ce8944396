import type { DisplayFrame } from "../../../scenes/display.js";
import { findRefreshes, fitLattice } from "./lattice.js";
import { STALL } from "./run.js";

/** Frames as a page saw them, in milliseconds: the form of a trace file. */
export interface Trace {
  /** What recorded them. */
  readonly ua: string;
  /** Stamps of requestAnimationFrame. */
  readonly T: readonly number[];
  /** `performance.now()` as each callback began, if that was recorded. */
  readonly N?: readonly number[];
}

/** Bytes; an hour at 60 Hz has fewer. */
export const LARGEST = 5e6;
const FEWEST = 3;
/** Milliseconds: all that a page may have lived, and what a trace may last. */
const LATEST = 1e12;
const LONGEST = 3.6e6;

/** A file that is no trace; the message says why. */
export class NoTrace extends Error {}

/** Reads the text of a trace file. Throws `NoTrace`. */
export function readTrace(text: string): Trace {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new NoTrace("it is not JSON");
  }
  if (typeof content !== "object" || content === null || !("T" in content) || !Array.isArray(content.T))
    throw new NoTrace("it has no list “T” of stamps");
  const T = numbers("T", content.T);
  if (T.length < FEWEST) throw new NoTrace(`“T” has ${T.length} stamps, and at least ${FEWEST} are needed`);
  const [least, most] = T.reduce(([low, high], stamp) => [Math.min(low, stamp), Math.max(high, stamp)], [
    T[0]!,
    T[0]!,
  ] as const);
  if (most - least > LONGEST) throw new NoTrace("it lasts longer than an hour");
  if (most === least) throw new NoTrace("its stamps stand still");
  const { period } = fitLattice(T);
  // Where frames stand still or race, there is no display.
  if (!(period >= 1 && period <= STALL))
    throw new NoTrace(
      `its stamps are ${period.toPrecision(3)} ms apart: those of a display are 1 to ${STALL}`,
    );
  const ua = "ua" in content && typeof content.ua === "string" ? content.ua : "";
  if (!("N" in content) || content.N === undefined) return { ua, T };
  if (!Array.isArray(content.N) || content.N.length !== T.length)
    throw new NoTrace("“N” is not a list as long as “T”");
  return { ua, T, N: nearTo(T, numbers("N", content.N)) };
}

function numbers(name: string, list: readonly unknown[]): number[] {
  const wrong = list.findIndex((value) => typeof value !== "number" || !(Math.abs(value) <= LATEST));
  if (wrong >= 0)
    throw new NoTrace(
      `${name}[${wrong}] is no number of milliseconds: ${JSON.stringify(list[wrong]).slice(0, 40)}`,
    );
  return list as number[];
}

function nearTo(T: readonly number[], N: number[]): number[] {
  const wrong = N.findIndex((now, index) => Math.abs(now - T[index]!) > LONGEST);
  if (wrong >= 0) throw new NoTrace(`N[${wrong}] is more than an hour off T[${wrong}]`);
  return N;
}

/** The text of a trace file. */
export function writeTrace({ ua, T, N }: Trace): string {
  const short = (list: readonly number[]) => list.map((time) => Number(time.toFixed(6)));
  return JSON.stringify({ ua, T: short(T), ...(N ? { N: short(N) } : {}) });
}

/** The frames of a trace, and how far its stamps are off the refreshes that were found; NaN if none were. */
interface TraceFrames {
  readonly frames: DisplayFrame[];
  readonly noise: number;
}

/** The frames of a trace. Without `N`, the clock was as good as the stamps. */
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
