/**
 * An overlay that shows what a loop does, and a diagnosis of what is wrong with it.
 *
 * @packageDocumentation
 */

export type { DiagnosisKind } from "./causes.js";
export { diagnose, type Diagnosis } from "./diagnose.js";
export { mountHud } from "./mount.js";
export type { Corner, Hud, HudOptions, HudParent } from "./options.js";
