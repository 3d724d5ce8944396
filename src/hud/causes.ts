import type { Figures, Loop } from "../loop/index.js";
import { hertz, milliseconds, percent } from "./text.js";

/** The causes that `diagnose` can find. */
export type DiagnosisKind =
  | "unstarted"
  | "stopped"
  | "hidden"
  | "throttled"
  | "paused"
  | "time-scale"
  | "lost"
  | "debt"
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

/** Says what is wrong, if anything is; `recent` are the loop's recent figures. */
type Cause = (loop: Loop, recent: Figures) => string | false | undefined;

/** Frames that it takes to speak of "always", and to have found a display's refresh. */
const SOME = 32;
const MANY = 128;
/** Less than this part of the frames is chance. */
const CHANCE = 0.01;
/** How near to a whole ratio steps and refreshes go together. */
const TOGETHER = 0.0025;
/** Judder from which on people see it. */
const SEEN = 0.05;

const rateOf = ({ rate: [numerator, denominator] }: Loop) => numerator / denominator;
const isMeasured = ({ stepCost, renderCost }: Figures) => stepCost + renderCost > 0;
const stepsOf = ({ steps, frames }: Figures) => steps / (frames || 1);
/** Frames a second: the display's own, if they are known. */
const refreshOf = ({ display }: Loop, { frameTime }: Figures) =>
  display?.locked ? 1 / display.period : 1 / frameTime;
/** Mean seconds that all of a frame cost. */
const costOf = (recent: Figures) => stepsOf(recent) * recent.stepCost + recent.renderCost;
const isDear = (recent: Figures) => isMeasured(recent) && costOf(recent) > 0.8 * recent.frameTime;
/** How far from a whole number, and at least 1. */
const offWhole = (ratio: number) => Math.abs(ratio / Math.max(1, Math.round(ratio)) - 1);
/** Refreshes that each frame takes, if all take the same number: from dropped frames, and from the fastest period. */
const refreshesOf = ({ display }: Loop, { droppedFrames, frames }: Figures) => {
  if (!display?.locked) return 1;
  const slower = display.fastest ? display.period / display.fastest : 1;
  const refreshes = (1 + droppedFrames / (frames || 1)) * Math.max(1, Math.round(slower));
  return offWhole(refreshes) < 0.03 && offWhole(slower) < 0.03 ? Math.round(refreshes) : 1;
};
/** Whether a cap leaves frames out, so that refreshes without a frame are expected. */
const isCapped = ({ frameCap }: Loop) => frameCap !== Infinity;
const isIrregular = ({ irregularFrames, overloads, frames }: Figures) =>
  overloads === 0 && irregularFrames > CHANCE * frames;

/** Where lost time went, as far as costs tell. */
function cureOfLoss(recent: Figures): string {
  if (recent.load <= 0.5 && recent.overloads > recent.frames / 2)
    return "Most frames are cut: allow them more by maxSteps, stepBudget or maxFrameTime, or lower the rate.";
  if (!isMeasured(recent))
    return "Set costs: true to see whether steps cost too much, or something else stalls.";
  return recent.load > 0.5
    ? "Make steps cheaper, or lower the rate."
    : `Steps are cheap (${milliseconds(recent.stepCost)}): something else stalls. Pause the loop while it does.`;
}

/** All that may be wrong, the gravest first. */
export const CAUSES: { readonly [K in DiagnosisKind]: Cause } = {
  unstarted: (loop) =>
    !loop.running &&
    loop.stats.frames === 0 &&
    "Nothing has run yet: the loop is not started. Call loop.start().",
  stopped: ({ notice }) =>
    notice?.kind === "stopped" &&
    "The loop is stopped: by loop.stop(), or by an error in a callback, which the console has. Call loop.start() to go on.",
  hidden: ({ running, notice }) =>
    running &&
    notice?.kind === "hidden" &&
    'The page is hidden: the display gives it no frames. The loop rests until it is shown, unless its driver is browserDriver({ hidden: "run" }).',
  throttled: ({ running, notice }) =>
    running &&
    notice?.kind === "throttled" &&
    `The page is hidden and may start no worker (${notice.reason}): frames come about once a second. Allow worker-src blob: in its content security policy.`,
  paused: ({ paused }) =>
    paused && "The loop is paused: frames are drawn, and no step runs. Call loop.resume().",
  "time-scale": ({ timeScale }) =>
    timeScale === 0 && "The time scale is 0: frames are drawn, and no step runs. Set loop.timeScale = 1.",
  lost: (_, recent) =>
    recent.lostSeconds > 1e-6 &&
    `${recent.lostSeconds.toFixed(3)} s were lost in ${recent.overloads} of the last ${recent.frames} frames: the game ran slow. ${cureOfLoss(recent)}`,
  debt: ({ debt }, recent) =>
    debt > 0 &&
    `${debt.toFixed(3)} s are still owed${recent.load < 1 ? ", and the game runs fast to catch up" : ""}. ${cureOfLoss(recent)}`,
  load: ({ dt }, { load, stepCost }) =>
    load > 0.5 &&
    `A step costs ${milliseconds(stepCost)} of the ${milliseconds(dt)} that it simulates (load ${percent(load)}): ${load < 1 ? "little is left to catch up with" : "it can never catch up"}. Make steps cheaper, or lower the rate.`,
  "frame-cost": (_, recent) =>
    isDear(recent) &&
    recent.load <= 0.5 &&
    `A frame costs ${milliseconds(costOf(recent))} (steps ${milliseconds(costOf(recent) - recent.renderCost)}, drawing ${milliseconds(recent.renderCost)}) of its ${milliseconds(recent.frameTime)}. Draw less.`,
  dropped: (loop, recent) => {
    const { droppedFrames: dropped, frames } = recent;
    return (
      dropped > CHANCE * (dropped + frames) &&
      !isCapped(loop) &&
      refreshesOf(loop, recent) === 1 &&
      `${dropped} of the last ${dropped + frames} refreshes had no frame in time (${percent(dropped / (dropped + frames))}): the picture halts. ${
        isMeasured(recent)
          ? `A frame costs ${milliseconds(costOf(recent))} in the mean: look for what takes long now and then.`
          : "Set costs: true to see whether frames cost too much."
      }`
    );
  },
  "slow-frames": (loop, recent) => {
    const refreshes = refreshesOf(loop, recent);
    if (refreshes < 2 || isCapped(loop)) return false;
    const cost = isMeasured(recent) ? `A frame costs ${milliseconds(costOf(recent))}` : "Set costs: true";
    return `Each frame takes ${refreshes} refreshes: frames come at ${hertz(1 / recent.frameTime)} on a display of ${hertz(refreshes / recent.frameTime)}. Unless the display was changed, or saves power, steps and drawing take too long. ${cost}${isMeasured(recent) ? ": make them cheaper." : " to see."}`;
  },
  "frame-cap": ({ frameCap: cap, display }, { judder, frames }) => {
    if (cap === "half" || !display?.locked || frames < SOME || judder < SEEN) return false;
    const refresh = 1 / display.period;
    const refreshes = refresh / (typeof cap === "number" ? cap : cap[0] / cap[1]);
    return (
      refreshes > 1 &&
      offWhole(refreshes) > CHANCE &&
      `The frame cap does not divide the display's rate (${hertz(refresh)}): some frames stay for a refresh longer, and the picture judders by ${percent(judder)}. Set frameCap to ${hertz(refresh / Math.ceil(refreshes))} or "half".`
    );
  },
  "slow-display": (loop, recent) => {
    const { frames, overloads } = recent;
    const isSteady = frames >= SOME && recent.framesWith(0) + recent.framesWith(1) <= CHANCE * frames;
    // Asked for by a time scale, it is no surprise.
    if (
      !isSteady ||
      overloads > 0 ||
      isDear(recent) ||
      refreshesOf(loop, recent) > 1 ||
      stepsOf(recent) < 1.5 * loop.timeScale
    )
      return false;
    const frame = loop.pacing === "display" ? "the display" : "the driver";
    return `Every frame runs ${stepsOf(recent).toFixed(1)} steps: ${frame} (${hertz(refreshOf(loop, recent))}) is slower than the rate (${hertz(rateOf(loop), 2)}). That is fine if steps are cheap; else lower the rate.${
      isMeasured(recent) && costOf(recent) > 0.5 * recent.frameTime
        ? ` But a frame costs ${milliseconds(costOf(recent))}: if the display is faster, that hides it.`
        : ""
    }`;
  },
  latest: (loop, { frames }) =>
    loop.present === "latest" &&
    loop.display?.locked &&
    frames >= SOME &&
    offWhole(rateOf(loop) * loop.display.period) > 0.02 &&
    `Only the newest state is shown, and steps (${hertz(rateOf(loop), 2)}) do not go together with refreshes (${hertz(1 / loop.display.period)}). Set present: "interpolate", or rate: "display".`,
  irregular: (loop, recent) => {
    if (!isIrregular(recent)) return false;
    const refresh = refreshOf(loop, recent);
    const rates = `the rate (${hertz(rateOf(loop), 2)}) is near a whole multiple of the display's (${hertz(refresh)})`;
    // So near, steps and refreshes go together, if frames come evenly.
    const cause =
      offWhole(rateOf(loop) / refresh) < TOGETHER
        ? "frames come unevenly. Look for what delays them"
        : `${rates}, but not one. Set rate: "display", or one further away`;
    return `${recent.irregularFrames} of the last ${recent.frames} frames ran more or fewer steps than the others: ${cause}.`;
  },
  judder: (loop, recent) =>
    recent.moveError > SEEN &&
    // The first picture of a loop starts half a step late.
    loop.stats.frames > recent.frames &&
    loop.present !== "latest" &&
    recent.overloads === 0 &&
    !isIrregular(recent) &&
    `The picture moves unevenly, by ${percent(recent.moveError)} of a refresh: what is shown does not follow the display. Leave stepping at its default, and draw by alpha.`,
  unsteady: ({ running, display }, { frames }) =>
    running &&
    display?.locked === false &&
    frames >= MANY &&
    `The display has no steady refresh, after ${frames} frames: timestamps are taken as they come. That is right if its refresh varies; else look for what delays frames.`,
  coarse: ({ display }) =>
    display?.locked &&
    display.coarse &&
    Math.abs(display.period * 1e3 - Math.round(display.period * 1e3)) > 0.03 &&
    `Timestamps are whole milliseconds, and a refresh has ${(display.period * 1e3).toFixed(2)}: costs and budgets are rough. Browsers give a finer clock to pages that are cross-origin isolated.`,
};
