/**
 * An overlay with live figures of a loop and its network session, a diagnosis of their problems, and spans for profilers.
 *
 * @packageDocumentation
 */

export type { DiagnosisKind } from "./causes.js";
export { diagnose, type Diagnosis } from "./diagnose.js";
export { mountHud } from "./mount.js";
export type { Corner, Hud, HudOptions, HudParent } from "./options.js";
export type { HudSubject } from "./subject.js";
export { traceLoop, type TraceOptions } from "./trace.js";
