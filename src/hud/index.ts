export type { DiagnosisKind } from "./causes.js";
export { diagnose, type Diagnosis } from "./diagnose.js";
export { mountHud } from "./mount.js";
export type { Corner, Hud, HudOptions, HudParent } from "./options.js";
