export type { Effect, EffectFields, Emit } from "./effects.js";
export { guard, type Guard, type GuardOptions } from "./guard.js";
export { axis, button, fraction, int } from "../input/fields.js";
export type {
  InputField,
  InputFields,
  InputRequest,
  InputSource,
  InputValues,
  Packing,
  StepPlace,
} from "../input/index.js";
export type { Inputs } from "./inputs.js";
export {
  localSession,
  type HistoryOptions,
  type LocalOptions,
  type LocalSession,
  type WriteInputs,
} from "./local.js";
export type { Outside, OutsideOf, Outsides } from "./outside.js";
export { play, type Play, type PlayOptions } from "./play.js";
export type { RunOptions } from "./run.js";
export type { Session, SessionEvents, StepTaken } from "./session.js";
export {
  simulation,
  type AnySimulation,
  type InitContext,
  type Simulation,
  type SimulationOptions,
  type StepContext,
} from "./simulation.js";
export { syncTest, type SyncResult, type SyncTestOptions } from "./sync-test.js";
