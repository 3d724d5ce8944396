import type { DisplayRecording } from "../../../lab/src/recording/recording.js";
import { STRIP_SECONDS } from "../figure/strobe-strip.js";
import { Track } from "../figure/track.js";

/** Refreshes after which the strip begins at the bottom again: an early or late frame must be visible. */
export const CYCLE = 8;

/**
 * Returns what the strip shows of a recording up to a time, in seconds. The time of the refreshes goes to the right; a dot is as high
 * as its timestamp says. A tick per refresh, and red where a refresh had no new frame.
 */
export function trackOf({ frames, rate }: DisplayRecording, end: number): Track {
  const track = new Track(0);
  const [first] = frames;
  // The first timestamp may be off, too, so put the line at the median error.
  const errors = Float64Array.from(frames, ({ stamp, vsync }) => stamp - vsync).sort();
  const offset = errors[errors.length >> 1]!;
  let refresh = 0;
  frames.forEach(({ stamp, vsync, refreshes }, i) => {
    const missed = i > 0 ? refreshes - 1 : 0;
    if (i > 0) refresh += refreshes;
    const time = (vsync - first!.vsync) / 1000;
    // Keep a little more on the left, so that lines reach the edge.
    if (time < end - STRIP_SECONDS - 0.1 || time > end) return;
    // Refreshes without a frame have no dot.
    for (let back = missed; back > 0; back--) {
      track.step(time - back / rate);
      track.frame(time - back / rate, NaN, (refresh - back) % CYCLE);
    }
    if (missed > 0) track.lost(time - missed / rate, time);
    track.step(time);
    const place = refresh % CYCLE;
    track.frame(time, place + ((stamp - vsync - offset) * rate) / 1000, place);
  });
  return track;
}

/** Returns when the strip should end, in seconds, to show the frame that took longest in its middle. */
export function worstEnd({ frames }: DisplayRecording): number {
  let [worst, longest] = [0, 0];
  for (let i = 1; i < frames.length; i++) {
    const took = frames[i]!.stamp - frames[i - 1]!.stamp;
    if (took > longest) [worst, longest] = [frames[i]!.stamp - frames[0]!.stamp, took];
  }
  const length = (frames.at(-1)!.stamp - frames[0]!.stamp) / 1000;
  return Math.min(length, Math.max(STRIP_SECONDS, worst / 1000 + STRIP_SECONDS / 2));
}
