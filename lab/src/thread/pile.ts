import { balls, ballsScript } from "../../../scenes/balls.js";
import { int, simulation, type ViewOf } from "../../../src/sim/index.js";

/** The most that a step can cost, in milliseconds. */
export const MAX_COST = 30;

/** What the script writes. */
const player = { x: 0, y: 0, kick: false };

/** Waits until a step has taken the given number of milliseconds. It does not change the state. */
function spend(start: number, milliseconds: number): void {
  while (performance.now() - start < milliseconds);
}

/** A thousand balls, with a bumper that plays by itself. How much a step costs is an input, so it can change while it runs. */
export const pile = simulation({
  name: "pile",
  version: 1,
  rate: 60,
  players: 1,
  state: balls.options.state,
  input: { cost: int(0, MAX_COST) },
  init: balls.options.init!,
  step(world, [{ cost }], { tick, dt, random }) {
    const start = performance.now();
    ballsScript([player], tick);
    balls.options.step(world, [player] as never, { tick, dt, random, emit() {} } as never);
    spend(start, cost);
  },
});

export type PileView = ViewOf<typeof pile>;
