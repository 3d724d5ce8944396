import {
  displayOf,
  type CatchUp,
  type Figures,
  type Loop,
  type Measurements,
  type TimeScale,
} from "../loop/index.js";
import { hitchText, longFramesOf } from "./hitches.js";
import type { NetStopKind, NetTroubleKind } from "./net-causes.js";
import { hertz, milliseconds, percent } from "./text.js";

/** The causes that `diagnose` can find. */
export type DiagnosisKind = StopKind | NetStopKind | TroubleKind | NetTroubleKind;

type StopKind = "unstarted" | "stopped" | "hidden" | "throttled" | "paused" | "time-scale";

type TroubleKind =
  | "lost"
  | "debt"
  | "hitch"
  | "load"
  | "frame-cost"
  | "dropped"
  | "slow-frames"
  | "frame-cap"
  | "slow-display"
  | "latest"
  | "irregular"
  | "judder"
  | "unsteady"
  | "coarse";

/** Returns the text of a problem, if there is one. `recent` holds the figures of the last frames, `all` those of all frames. */
type Cause = (loop: Loop, recent: Figures, all: Measurements) => string | false | undefined;

/** Frames needed before a pattern counts as steady. */
const MIN_FRAMES = 32;
/** Frames within which a display's refresh should be found. */
const LOCK_FRAMES = 128;
/** A smaller share of the frames is noise. */
const NOISE = 0.01;
/** Steps and refreshes are in sync if their ratio is this close to a whole number. */
const IN_SYNC = 0.0025;
/** Judder that people can see. */
const VISIBLE = 0.05;

const rateOf = ({ rate: [numerator, denominator] }: Loop) => numerator / denominator;
const stepsOf = ({ steps, frames }: Figures) => steps / (frames || 1);
/** A part by its name: a HUD should not contain, nor attach, the parts that a game does not use. */
const partOf = <P>({ parts }: Loop, called: string) =>
  parts.find(({ name }) => name === called) as P | undefined;
/** The time scale of a loop, without hit-stops. */
const scaleOf = (loop: Loop) => partOf<TimeScale>(loop, "timeScale")?.value ?? 1;
/** The seconds that one refresh of the display takes, if known. */
const periodOf = (loop: Loop) => {
  const info = displayOf(loop)?.info;
  return info?.locked ? info.period / 1e3 : undefined;
};
/** Frames per second: the display's refresh rate, if known. */
const refreshOf = (loop: Loop, { frameTime }: Figures) => 1 / (periodOf(loop) ?? frameTime);
/** Mean cost of a frame, in seconds. */
const costOf = (recent: Figures) => stepsOf(recent) * recent.stepCost + recent.renderCost;
const isExpensive = (recent: Figures) => costOf(recent) > 0.8 * recent.frameTime;
/** Relative distance from the nearest whole number of at least 1. */
const offWhole = (ratio: number) => Math.abs(ratio / Math.max(1, Math.round(ratio)) - 1);
/** Refreshes per frame, if all frames take the same number; else 1. */
const refreshesOf = (loop: Loop, { droppedFrames, frames }: Figures) => {
  const refreshes = 1 + droppedFrames / (frames || 1);
  return periodOf(loop) !== undefined && offWhole(refreshes) < 0.03 ? Math.round(refreshes) : 1;
};
/** Whether a frame cap is set, so that refreshes without a frame are expected. */
const isCapped = (loop: Loop) => displayOf(loop)?.options.frameCap !== undefined;
/** Whether the newest state is shown as it is, as a session can choose. */
const isLatest = ({ frame, kernel }: Loop) => frame.alpha === 1 && kernel.alpha < 1;
const isIrregular = ({ irregularFrames, overloads, frames }: Figures) =>
  overloads === 0 && irregularFrames > NOISE * frames;

/** Returns advice on lost time, based on the measured costs. */
function lostTimeFix(recent: Figures): string {
  if (recent.load <= 0.5 && recent.overloads > recent.frames / 2)
    return "Most frames hit a limit: raise maxSteps, maxFrameTime or the step budget, or lower the rate.";
  return recent.load > 0.5
    ? "Make steps cheaper, or lower the rate."
    : `Steps are cheap (${milliseconds(recent.stepCost)}), so something else stalls. Stop the loop meanwhile.`;
}

/** Why a loop stands still, the most serious first. */
export const STOPS: { readonly [K in StopKind]: Cause } = {
  unstarted: ({ driver, frame }) =>
    !driver &&
    frame.tick === 0 &&
    frame.timestamp === 0 &&
    "The loop has not been started. Call loop.start(display()).",
  stopped: ({ driver, running }) =>
    driver &&
    !running &&
    "The loop is stopped, by loop.stop() or by an error in a callback (see the console). Call loop.start() to continue.",
  hidden: ({ running }, _, { notice }) =>
    running &&
    notice?.kind === "hidden" &&
    "The page is hidden, so it gets no frames. The loop waits until it is shown, unless its driver is display({ hidden: runHidden() }).",
  throttled: ({ running }, _, { notice }) =>
    running &&
    notice?.kind === "throttled" &&
    `The page is hidden and cannot start a worker (${notice.reason}), so frames come about once per second. Allow worker-src blob: in its content security policy.`,
  paused: ({ paused }) =>
    paused && "The loop is paused: frames are drawn, but no steps run. Call loop.resume().",
  "time-scale": (loop) =>
    scaleOf(loop) === 0 &&
    "The time scale is 0: frames are drawn, but no steps run. Call timeScale(loop).set(1).",
};

/** Why it runs badly, the most serious first. */
export const TROUBLES: { readonly [K in TroubleKind]: Cause } = {
  lost: (_, recent) =>
    recent.lostSeconds > 1e-6 &&
    `${recent.lostSeconds.toFixed(3)} s were lost in ${recent.overloads} of the last ${recent.frames} frames: the game ran slow. ${lostTimeFix(recent)}`,
  debt: (loop, recent) => {
    const debt = partOf<CatchUp>(loop, "catchUp")?.debt ?? 0;
    return (
      debt > 0 &&
      `${debt.toFixed(3)} s are still owed${recent.load < 1 ? ", and the game runs fast to catch up" : ""}. ${lostTimeFix(recent)}`
    );
  },
  hitch: (loop, recent) => {
    const frames = longFramesOf(loop, recent);
    return frames.length > 0 && hitchText(frames);
  },
  load: ({ dt }, { load, stepCost }) =>
    load > 0.5 &&
    `A step costs ${milliseconds(stepCost)} of the ${milliseconds(dt)} that it simulates (load ${percent(load)}): ${load < 1 ? "little time is left to catch up" : "it can never catch up"}. Make steps cheaper, or lower the rate.`,
  "frame-cost": (_, recent) =>
    isExpensive(recent) &&
    recent.load <= 0.5 &&
    `A frame costs ${milliseconds(costOf(recent))} (steps ${milliseconds(costOf(recent) - recent.renderCost)}, drawing ${milliseconds(recent.renderCost)}) of its ${milliseconds(recent.frameTime)}. Draw less.`,
  dropped: (loop, recent) => {
    const { droppedFrames: dropped, frames } = recent;
    return (
      dropped > NOISE * (dropped + frames) &&
      !isCapped(loop) &&
      refreshesOf(loop, recent) === 1 &&
      `${dropped} of the last ${dropped + frames} refreshes had no frame in time (${percent(dropped / (dropped + frames))}), so the picture stutters. A frame costs ${milliseconds(costOf(recent))} on average: look for occasional slow work.`
    );
  },
  "slow-frames": (loop, recent) => {
    const refreshes = refreshesOf(loop, recent);
    if (refreshes < 2 || isCapped(loop)) return false;
    return `Each frame takes ${refreshes} refreshes: frames come at ${hertz(1 / recent.frameTime)} on a ${hertz(refreshes / recent.frameTime)} display. Unless the display changed or saves power, steps and drawing take too long. A frame costs ${milliseconds(costOf(recent))}: make them cheaper.`;
  },
  "frame-cap": (loop, { judder, frames }) => {
    const cap = displayOf(loop)?.options.frameCap ?? "half";
    const period = periodOf(loop);
    if (cap === "half" || period === undefined || frames < MIN_FRAMES || judder < VISIBLE) return false;
    const refresh = 1 / period;
    const refreshes = refresh / (typeof cap === "number" ? cap : cap[0] / cap[1]);
    return (
      refreshes > 1 &&
      offWhole(refreshes) > NOISE &&
      `The frame cap does not divide the display's rate (${hertz(refresh)}): some frames stay one refresh longer, and the picture judders by ${percent(judder)}. Set frameCap to ${hertz(refresh / Math.ceil(refreshes))} or "half".`
    );
  },
  "slow-display": (loop, recent) => {
    const { frames, overloads } = recent;
    const isSteady = frames >= MIN_FRAMES && recent.framesWith(0) + recent.framesWith(1) <= NOISE * frames;
    // A time scale asks for several steps per frame.
    if (
      !isSteady ||
      overloads > 0 ||
      isExpensive(recent) ||
      refreshesOf(loop, recent) > 1 ||
      stepsOf(recent) < 1.5 * scaleOf(loop)
    )
      return false;
    const frame = displayOf(loop) ? "the display" : "the driver";
    return `Every frame runs ${stepsOf(recent).toFixed(1)} steps: ${frame} (${hertz(refreshOf(loop, recent))}) is slower than the rate (${hertz(rateOf(loop), 2)}). That is fine if steps are cheap; otherwise lower the rate.${
      costOf(recent) > 0.5 * recent.frameTime
        ? ` But a frame costs ${milliseconds(costOf(recent))}, which may hide a faster display.`
        : ""
    }`;
  },
  latest: (loop, recent) =>
    isLatest(loop) &&
    periodOf(loop) !== undefined &&
    recent.frames >= MIN_FRAMES &&
    offWhole(rateOf(loop) / refreshOf(loop, recent)) > 0.02 &&
    `Only the newest state is shown, and steps (${hertz(rateOf(loop), 2)}) are not in sync with refreshes (${hertz(refreshOf(loop, recent))}). Leave out present: "latest".`,
  irregular: (loop, recent) => {
    if (!isIrregular(recent)) return false;
    const refresh = refreshOf(loop, recent);
    const rates = `the rate (${hertz(rateOf(loop), 2)}) is close to a multiple of the display's (${hertz(refresh)})`;
    // Steps and refreshes would be in sync if frames came evenly.
    const cause =
      offWhole(rateOf(loop) / refresh) < IN_SYNC
        ? "frames come unevenly. Find out what delays them"
        : `${rates}, but not exactly. Use await display().rate(), or a rate further away`;
    return `${recent.irregularFrames} of the last ${recent.frames} frames ran more or fewer steps than the others: ${cause}.`;
  },
  judder: (loop, recent, all) =>
    recent.moveError > VISIBLE &&
    // Steps fall into phase with the display in the first frames.
    all.frames > recent.frames &&
    !isLatest(loop) &&
    recent.overloads === 0 &&
    !isIrregular(recent) &&
    `The picture moves unevenly, by ${percent(recent.moveError)} of a refresh: it does not follow the display. Use the default stepping, and interpolate with alpha when drawing.`,
  unsteady: (loop, { frames }) =>
    loop.running &&
    displayOf(loop)?.info.locked === false &&
    frames >= LOCK_FRAMES &&
    `No steady refresh rate was found in ${frames} frames, so timestamps are used as they are. That is right if the refresh rate varies; otherwise find out what delays frames.`,
  coarse: (loop) => {
    const { locked, coarse, period = 0 } = displayOf(loop)?.info ?? {};
    return (
      locked &&
      coarse &&
      Math.abs(period - Math.round(period)) > 0.03 &&
      `Timestamps are whole milliseconds, but a refresh takes ${period.toFixed(2)} ms, so costs and budgets are imprecise. Browsers give cross-origin isolated pages a finer clock.`
    );
  },
};
