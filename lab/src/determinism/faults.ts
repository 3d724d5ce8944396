import type { WorldOf } from "../../../scenes/index.js";
import { simulation, type Simulation } from "../../../src/sim/index.js";
import { sceneOf, type Drawn } from "../scenes/drawn.js";
import type { DeterminismSettings } from "./settings.js";

type Fault = DeterminismSettings["fault"];

/** The frame that a loop is in, for a step that asks for it, which it should not. */
export interface Frame {
  /** How long it is, and the sum of those before, in seconds. */
  seconds: number;
  time: number;
}

/** A fault acts every so many ticks: a bug is seldom so kind as to show itself at once. */
const EVERY = 30;

interface Nudge<W> {
  /** How it is written in code, before what is added. */
  readonly code: string;
  readonly most: number;
  nudge(world: W, by: number): void;
}

/** What a fault does to each scene: it makes something a little faster. */
const NUDGES: { readonly [N in Drawn]: Nudge<WorldOf<N>> } = {
  platformer: {
    code: "player.vx += ",
    most: 90,
    nudge({ player }, by) {
      player.vx += by;
    },
  },
  balls: {
    code: "balls.vy[999] -= ",
    most: 500,
    nudge({ balls: { vy, calm } }, by) {
      vy[999]! -= by;
      calm[999] = 0;
    },
  },
  orbit: {
    code: "bodies.vx[first] += ",
    most: 60,
    nudge({ bodies: { id, end, vx } }, by) {
      for (let i = 0; i < end; i++) if (id[i]! > 0) return void (vx[i]! += by);
    },
  },
  tumble: {
    code: "boxes.velocity[0] += ",
    most: 4,
    nudge({ boxes }, by) {
      boxes.velocity[0]! += by;
    },
  },
};

/** A scene with a fault in its step, in which nothing but the fault is another. Each one has an outside of its own. */
export function plant(scene: Drawn, fault: Fault, frame: Frame): Simulation {
  const { simulation: sound } = sceneOf(scene);
  const { step } = sound.options;
  const { nudge, most } = NUDGES[scene] as Nudge<object>;
  if (fault === "none") return sound;
  let calls = 0;
  return simulation({
    ...sound.options,
    step(world, inputs, context) {
      if (fault === "variable") {
        const { seconds, time } = frame;
        return step(world, inputs, { ...context, tick: time / seconds, dt: seconds, time });
      }
      step(world, inputs, context);
      calls++;
      if (fault === "random" && context.tick % EVERY === EVERY - 1) nudge(world, most * Math.random());
      if (fault === "outside" && calls % EVERY === 0) nudge(world, most);
    },
  }) as unknown as Simulation;
}

/** The planted lines. */
export function codeOf(scene: Drawn, fault: Fault): string {
  const { code, most } = NUDGES[scene];
  if (fault === "random") return `if (tick % ${EVERY} === ${EVERY - 1}) ${code}${most} * Math.random()`;
  if (fault === "outside") return `if (++calls % ${EVERY} === 0) ${code}${most}`;
  return fault === "variable" ? "dt = secondsOfThisFrame" : "";
}
