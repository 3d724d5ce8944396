import type { WorldOf } from "../../../scenes/index.js";
import { simulation, type Simulation } from "../../../src/sim/index.js";
import { sceneOf, type DrawableScene } from "../scenes/drawable.js";
import type { DeterminismSettings } from "./settings.js";

type Fault = DeterminismSettings["fault"];

/** The current frame of a loop. Only the planted `variable` fault reads it; a correct step never would. */
export interface Frame {
  /** Its length, and the sum of all frames before it, in seconds. */
  seconds: number;
  time: number;
}

/** Ticks between two actions of a fault: real bugs do not show at once either. */
const INTERVAL = 30;

interface Nudge<W> {
  /** The source shown to the visitor, without the amount. */
  readonly code: string;
  readonly max: number;
  nudge(world: W, by: number): void;
}

/** What a fault does in each scene: it speeds something up a little. */
const NUDGES: { readonly [N in DrawableScene]: Nudge<WorldOf<N>> } = {
  platformer: {
    code: "player.vx += ",
    max: 90,
    nudge({ player }, by) {
      player.vx += by;
    },
  },
  balls: {
    code: "balls.vy[999] -= ",
    max: 500,
    nudge({ balls: { vy, calm } }, by) {
      vy[999]! -= by;
      calm[999] = 0;
    },
  },
  orbit: {
    code: "bodies.vx[first] += ",
    max: 60,
    nudge({ bodies: { id, end, vx } }, by) {
      for (let i = 0; i < end; i++) if (id[i]! > 0) return void (vx[i]! += by);
    },
  },
  tumble: {
    code: "boxes.velocity[0] += ",
    max: 4,
    nudge({ boxes }, by) {
      boxes.velocity[0]! += by;
    },
  },
};

/** Returns the scene's simulation with a fault planted in its step. Each call creates its own hidden counter. */
export function plant(scene: DrawableScene, fault: Fault, frame: Frame): Simulation {
  const { simulation: correct } = sceneOf(scene);
  const { step } = correct.options;
  const { nudge, max } = NUDGES[scene] as Nudge<object>;
  if (fault === "none") return correct;
  let calls = 0;
  return simulation({
    ...correct.options,
    step(world, inputs, context) {
      if (fault === "variable") {
        const { seconds, time } = frame;
        return step(world, inputs, { ...context, tick: time / seconds, dt: seconds, time });
      }
      step(world, inputs, context);
      calls++;
      if (fault === "random" && context.tick % INTERVAL === INTERVAL - 1) nudge(world, max * Math.random());
      if (fault === "hidden" && calls % INTERVAL === 0) nudge(world, max);
    },
  }) as unknown as Simulation;
}

/** The planted code, as shown to the visitor. */
export function codeOf(scene: DrawableScene, fault: Fault): string {
  const { code, max } = NUDGES[scene];
  if (fault === "random") return `if (tick % ${INTERVAL} === ${INTERVAL - 1}) ${code}${max} * Math.random()`;
  if (fault === "hidden") return `if (++calls % ${INTERVAL} === 0) ${code}${max}`;
  return fault === "variable" ? "dt = frameTime" : "";
}
