// What games do at different frame rates, in virtual time: the same figures in every run. The docs quote them.
import type RAPIER from "@dimforge/rapier2d-deterministic-compat";
import type { Steps } from "./at-frame-rate.js";
import { boxStack, distances } from "./box-stack.js";
import { divergence, type ClientOptions } from "./divergence.js";
import { bounce, jump, throwBall } from "./jump-and-throw.js";
import { tunnelling, type TunnellingOptions } from "./tunnelling.js";

export const FRAME_RATES = [15, 20, 30, 60, 120, 144, 240] as const;

/** Seconds of the game of clients with different frame rates. */
const GAME = 10;

const round = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;
const percent = (share: number): number => round(100 * share, 1);

/** The share of bullets that pass through a wall, in percent, and how deep in it hits are noticed, by frame rate. */
export function tunnellingFigures() {
  const at = (options: TunnellingOptions) => {
    const { missed, depth } = tunnelling(options);
    return { missed: percent(missed), depth: round(depth, 1) };
  };
  const byRate = (options: Omit<TunnellingOptions, "fps">) =>
    Object.fromEntries(FRAME_RATES.map((fps) => [fps, at({ ...options, fps })]));
  return {
    variable: byRate({ steps: "variable" }),
    fixed60: byRate({ steps: "fixed", rate: 60 }),
    fixed30: byRate({ steps: "fixed", rate: 30 }),
    swept: byRate({ steps: "variable", isSwept: true }),
    hitch: {
      variable: at({ fps: 60, steps: "variable", hitch: 0.1 }),
      fixed60: at({ fps: 60, steps: "fixed", hitch: 0.1 }),
      swept: at({ fps: 60, steps: "variable", isSwept: true, hitch: 0.1 }),
    },
  };
}

/** Jumps, throws and stacks with variable and with fixed steps; and how much 30 frames per second differ from 60, in percent. */
export function motionFigures(physics: typeof RAPIER) {
  const compare = (measure: (fps: number, steps: Steps) => number) => {
    const at = (steps: Steps) => [30, 60, 144].map((fps) => measure(fps, steps)) as [number, number, number];
    const [slow, usual, fast] = at("variable");
    const fixed = at("fixed");
    return {
      30: round(slow, 1),
      60: round(usual, 1),
      144: round(fast, 1),
      differs: percent(Math.abs(slow - usual) / usual),
      fixed: round(fixed[0], 1),
      fixedDiffers: percent(
        Math.max(Math.abs(fixed[0] - fixed[1]), Math.abs(fixed[2] - fixed[1])) / fixed[1],
      ),
    };
  };
  /** How far apart boxes are, in percent of their size: on average, and the one that differs most. */
  const stacks = (hasShot: boolean, steps: Steps) => {
    const at = (fps: number) => boxStack(physics, { fps, seconds: 5, steps }, hasShot);
    const { mean, max } = distances(at(30), at(60));
    return { mean: percent(mean), max: percent(max) };
  };
  return {
    jump: compare((fps, steps) => jump({ fps, steps })),
    jumpPositionFirst: compare((fps, steps) => jump({ fps, steps }, "position first")),
    jumpVerlet: compare((fps, steps) => jump({ fps, steps }, "mean")),
    throw: compare((fps, steps) => throwBall({ fps, steps })),
    fifthBounce: compare((fps, steps) => bounce({ fps, steps }, 5)),
    stackStanding: { variable: stacks(false, "variable"), fixed: stacks(false, "fixed") },
    stackHit: { variable: stacks(true, "variable"), fixed: stacks(true, "fixed") },
  };
}

/** How soon the states of two clients differ: one at 60 frames per second, the other at 30 or 144. */
export function divergenceFigures() {
  const rounded = (seconds: number | undefined) => (seconds === undefined ? null : round(seconds, 2));
  const between = (fps: number, perSecond: number, game: Omit<ClientOptions, "fps">) => {
    const { bit, pixel, ball, share } = divergence({ ...game, fps: 60 }, { ...game, fps }, GAME, perSecond);
    return { bit: rounded(bit), pixel: rounded(pixel), ball: rounded(ball), differs: percent(share) };
  };
  // Compared at all moments that both clients simulate.
  const pairs = (game: Omit<ClientOptions, "fps">) => ({
    30: between(30, 30, game),
    144: between(144, 12, game),
  });
  return {
    variable: pairs({ steps: "variable", inputs: "by frame" }),
    fixedInputsByFrame: pairs({ steps: "fixed", inputs: "by frame" }),
    fixedInputsByTick: pairs({ steps: "fixed", inputs: "by tick" }),
  };
}
