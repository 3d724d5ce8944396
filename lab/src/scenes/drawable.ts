import { SCENES, type Scene } from "../../../scenes/index.js";
import { platformerRun } from "../../../scenes/platformer-run.js";
import type { EffectFields, InputFields, LocalSession, ExternalStates } from "../../../src/sim/index.js";
import type { Fields } from "../../../src/state/index.js";

/** Scenes that the lab can draw. */
export type DrawableScene = "platformer" | "balls" | "orbit" | "tumble";

/** The scenes of the lab. The platformer's own script tests everything, falls included; visitors watch a good player. */
const DRAWABLE = {
  platformer: { ...SCENES.platformer, script: platformerRun },
  balls: SCENES.balls,
  orbit: SCENES.orbit,
  tumble: SCENES.tumble,
} as const satisfies Readonly<Record<DrawableScene, unknown>>;

/** Returns a scene, without the types of its state. */
export const sceneOf = (name: DrawableScene): Scene => DRAWABLE[name];

/** A session of such a scene. */
export type AnySession = LocalSession<Fields, InputFields, EffectFields, ExternalStates>;
