import { SCENES, type Scene } from "../../../scenes/index.js";
import type { EffectFields, InputFields, LocalSession, ExternalStates } from "../../../src/sim/index.js";
import type { Fields } from "../../../src/state/index.js";

/** Scenes that the lab can draw. */
export type DrawableScene = "platformer" | "balls" | "orbit" | "tumble";

/** Returns a scene, without the types of its state. */
export const sceneOf = (name: DrawableScene): Scene => SCENES[name];

/** A session of such a scene. */
export type AnySession = LocalSession<Fields, InputFields, EffectFields, ExternalStates>;
