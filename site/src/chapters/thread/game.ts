import { simulation } from "../../../../src/sim/index.js";
import { f64, layout } from "../../../../src/state/index.js";

export const RATE = 60;
/** Seconds from one side to the other and back. */
const PERIOD = 2.4;
/** Each of these steps is the heavy one. */
const HEAVY_EVERY = 15;
/** What all other steps cost, in milliseconds. */
const LIGHT = 2;

/** Where the disc is at a time in seconds: 0 to 1. */
export const placeAt = (time: number): number => 0.5 - 0.5 * Math.cos((2 * Math.PI * time) / PERIOD);

/** Returns what the step of a tick costs, in milliseconds. */
export const costOf = (tick: number, heavy: number): number => (tick % HEAVY_EVERY === 7 ? heavy : LIGHT);

/** A disc that swings from side to side. `onStep` is called in each step, to spend what it costs. */
export const swing = (onStep: (tick: number) => void) =>
  simulation({
    name: "swing",
    version: 1,
    rate: RATE,
    state: layout({ x: f64.lerp }),
    step(world, _, { tick }) {
      onStep(tick);
      world.x = placeAt((tick + 1) / RATE);
    },
  });
