import type { AnySimulation } from "../src/sim/index.js";
import type { ReadonlyWorld, World } from "../src/state/index.js";
import { arena, arenaScript } from "./arena.js";
import { balls, ballsScript } from "./balls.js";
import { bullet, bulletScript } from "./bullet.js";
import { orbit, orbitScript } from "./orbit.js";
import { platformerScript } from "./platformer-script.js";
import { platformer } from "./platformer.js";
import { pulledSpring, pulledSpringScript } from "./pulled-spring.js";
import type { Scene } from "./scene.js";
import { shooter, shooterScript } from "./shooter.js";
import { thrownBoxes, thrownBoxesScript } from "./thrown-boxes.js";

export { inputsOf, type Scene } from "./scene.js";

/** The scenes that tests, lab and bench share, by name: a simulation, and a script that plays it. */
export const SCENES = {
  spring: { simulation: pulledSpring, script: pulledSpringScript },
  balls: { simulation: balls, script: ballsScript },
  bullet: { simulation: bullet, script: bulletScript },
  platformer: { simulation: platformer, script: platformerScript },
  orbit: { simulation: orbit, script: orbitScript },
  tumble: { simulation: thrownBoxes, script: thrownBoxesScript },
  arena: { simulation: arena, script: arenaScript },
  shooter: { simulation: shooter, script: shooterScript },
};

export type SceneName = keyof typeof SCENES;

/** All scenes, for code that does not depend on their states. */
export const ALL_SCENES = Object.entries(SCENES) as readonly (readonly [SceneName, Scene])[];

type FieldsOf<N extends SceneName> =
  (typeof SCENES)[N]["simulation"] extends AnySimulation<infer S> ? S : never;

/** The world of a scene, to step. */
export type WorldOf<N extends SceneName> = World<FieldsOf<N>>;

/** The world of a scene, to draw. */
export type ViewOf<N extends SceneName> = ReadonlyWorld<FieldsOf<N>>;
