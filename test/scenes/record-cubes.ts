import RAPIER from "@dimforge/rapier3d-deterministic-compat";
import { FIRST_TICK, quantised, type CubesFrame } from "../../scenes/cubes-recording.js";
import { cubes, cubesScript } from "../../scenes/cubes.js";
import { inputsOf } from "../../scenes/scene.js";
import { localSession } from "../../src/sim/index.js";

/** Simulates the cubes, and yields the first frames of the recording. */
export async function* cubesFrames(count: number): AsyncGenerator<CubesFrame> {
  await RAPIER.init();
  const session = localSession(cubes(RAPIER), { inputs: inputsOf({ script: cubesScript }) });
  while (session.tick < FIRST_TICK + count) {
    if (session.tick >= FIRST_TICK) yield quantised(session.world.cubes);
    session.advance();
  }
  session.dispose();
}
