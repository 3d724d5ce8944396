import { longFramesSince, systemNow, type LongFrame, type LongScript } from "../platform/index.js";
import type { Figures, Loop } from "../loop/index.js";

/** Calls that run the loop's own frames. */
const FRAME_CALLBACK = "FrameRequestCallback";

/** A script, and what it took in all long frames. */
interface Culprit {
  readonly script: LongScript;
  duration: number;
  layout: number;
}

/** Milliseconds by which two readings of the same clock may differ: browsers round it, to 100 ms at most. */
const SAME_CLOCK = 100;

/** Returns the long frames of the page during the loop's recent frames. */
export function longFramesOf({ driver, frame }: Loop, { frames, frameTime }: Figures): readonly LongFrame[] {
  if (frames === 0) return [];
  const pageTime = (time: number) => driver?.pageTimeOf?.(time) ?? time;
  // A loop on a virtual clock has no part in the page's time.
  if (driver && !(Math.abs(pageTime(driver.now()) - systemNow()) <= SAME_CLOCK)) return [];
  const end = driver ? pageTime(frame.timestamp) : systemNow();
  return longFramesSince(end - frames * frameTime * 1e3);
}

/** Returns what held up the page, as text. There is at least one long frame. */
export function hitchText(frames: readonly LongFrame[]): string {
  const longest = Math.max(...frames.map(({ duration }) => duration));
  const count = frames.length === 1 ? "One recent frame" : `${frames.length} recent frames`;
  const longestOf = frames.length === 1 ? ":" : ", the longest";
  return `${count} of the page took 50 ms or more${longestOf} ${ms(longest)}. ${causeText(frames)}`;
}

function causeText(frames: readonly LongFrame[]): string {
  const culprit = culpritOf(frames);
  const total = sum(frames, ({ duration }) => duration);
  const drawing = sum(frames, ({ startTime, duration, styleAndLayoutStart: start }) =>
    start > 0 ? startTime + duration - start : 0,
  );
  if (drawing > total / 2)
    return `${ms(drawing)} went into style, layout and painting: change less of the page.`;
  if (!culprit || culprit.duration < total / 4)
    return `No script took most of it. The browser itself did: it parsed a large response, decoded an image, compiled shaders or collected garbage.`;
  const { script, duration, layout } = culprit;
  return `${nameOf(script)} took ${ms(duration)} of it. ${adviceOn(script, layout > duration / 2 ? layout : 0)}`;
}

function adviceOn({ invoker, invokerType }: LongScript, layout: number): string {
  if (layout > 0)
    return `${ms(layout)} of that were forced layouts: read sizes and positions before you change styles.`;
  if (invokerType.endsWith("-script")) return "Load it before the game starts.";
  if (/^Worker\b/.test(invoker))
    return "The page rebuilds the objects of the worker's message: transfer typed arrays instead.";
  return invoker === FRAME_CALLBACK
    ? "It runs in frames: make steps and drawing cheaper, or spread what is rare over several frames."
    : "Do it in a worker, in small parts, or while the game loads.";
}

/** Returns the script that took longest in all frames together. */
function culpritOf(frames: readonly LongFrame[]): Culprit | undefined {
  const culprits = new Map<string, Culprit>();
  for (const { scripts } of frames)
    for (const script of scripts) {
      const key = nameOf(script);
      const culprit = culprits.get(key) ?? { script, duration: 0, layout: 0 };
      culprits.set(key, culprit);
      culprit.duration += script.duration;
      culprit.layout += script.forcedStyleAndLayoutDuration;
    }
  return [...culprits.values()].sort((a, b) => b.duration - a.duration)[0];
}

/** `"loadLevel (level.js, character 120, called by TimerHandler:setTimeout)"`. */
function nameOf({
  sourceFunctionName,
  sourceURL,
  sourceCharPosition,
  invoker,
  invokerType,
}: LongScript): string {
  const file =
    sourceURL
      .replace(/[?#].*/, "")
      .split("/")
      .at(-1) || sourceURL;
  // The invoker of a script that is evaluated is its address.
  const isScript = invokerType.endsWith("-script");
  const place = [
    file,
    sourceCharPosition > 0 ? `character ${sourceCharPosition}` : "",
    isScript ? "" : `called by ${invoker}`,
  ].filter(Boolean);
  return `${sourceFunctionName || (isScript ? "The script" : "A function")} (${place.join(", ")})`;
}

const ms = (milliseconds: number) => `${milliseconds.toFixed(0)} ms`;

const sum = <T>(items: readonly T[], value: (item: T) => number) =>
  items.reduce((total, item) => total + value(item), 0);
