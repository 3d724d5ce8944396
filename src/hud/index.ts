/**
 * An overlay with live figures of a loop, and a diagnosis of its problems.
 *
 * @packageDocumentation
 */

export type { DiagnosisKind } from "./causes.js";
export { diagnose, type Diagnosis } from "./diagnose.js";
export { mountHud } from "./mount.js";
export type { Corner, Hud, HudOptions, HudParent } from "./options.js";
