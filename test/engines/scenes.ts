// The scenes as subjects: the hash of each state, two numbers per tick, with either kind of kernels.
import { ALL_SCENES, inputsOf, type Scene } from "../../scenes/index.js";
import { localSession } from "../../src/sim/index.js";
import type { Subject } from "./subjects.js";

/** Ticks per digest. */
export const SCENE_BLOCK = 600;
/** Ticks of a scene. */
export const SCENE_TICKS = 6000;

export const KERNELS = ["wasm", "js"] as const;
export type KernelsName = (typeof KERNELS)[number];

export const sceneSubject = (name: string, kernels: KernelsName) => `${name}, ${kernels} kernels`;

function subjectOf(name: string, scene: Scene, kernels: KernelsName): Subject {
  return {
    open() {
      const session = localSession(scene.simulation, { inputs: inputsOf(scene), kernels });
      if (session.kernels !== kernels)
        throw new Error(`${name} has ${session.kernels} kernels, not ${kernels}.`);
      return (index) => {
        if (index % 2 === 0) session.advance();
        return session.hash()[index % 2]!;
      };
    },
    describe: (index) =>
      `${name} with ${kernels} kernels, word ${index % 2} of the hash of state ${(index >> 1) + 1}`,
    most: 2 * SCENE_TICKS,
    block: 2 * SCENE_BLOCK,
  };
}

export const SCENE_SUBJECTS: Readonly<Record<string, Subject>> = Object.fromEntries(
  ALL_SCENES.flatMap(([name, scene]) =>
    KERNELS.map((kernels) => [sceneSubject(name, kernels), subjectOf(name, scene, kernels)]),
  ),
);
