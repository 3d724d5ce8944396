import { SCENES, type Scene } from "../../../scenes/index.js";
import type { EffectFields, InputFields, LocalSession, ExternalStates } from "../../../src/sim/index.js";
import type { Fields } from "../../../src/state/index.js";

/** The scenes that the lab can draw. */
export type DrawableScene = "platformer" | "balls" | "orbit" | "tumble";

/** A scene, where it does not matter what is in its state. */
export const sceneOf = (name: DrawableScene): Scene => SCENES[name];

/** A session of such a scene. */
export type AnySession = LocalSession<Fields, InputFields, EffectFields, ExternalStates>;
