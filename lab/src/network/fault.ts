import { arena, BALL } from "../../../scenes/arena.js";
import { simulation } from "../../../src/sim/index.js";

/** A planted fault: a hidden variable that the step reads. It is not part of the state, so other copies do not know it. */
export interface Fault {
  isPlanted: boolean;
}

/** The source of the fault, as shown to the visitor. */
export const FAULT_CODE = "bodies.vx[BALL] += hidden.wind";
const WIND = 0.25;

/** Returns a copy of the game whose ball drifts to the right once the fault is planted. It passes for the original. */
export const arenaWith = (fault: Fault) =>
  simulation({
    ...arena.options,
    step(world, inputs, context) {
      arena.options.step(world, inputs, context);
      if (fault.isPlanted) world.bodies.vx[BALL]! += WIND;
    },
  });

export type ArenaGame = ReturnType<typeof arenaWith>;
