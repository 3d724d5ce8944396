/**
 * Deterministic simulations, the sessions that run them, and tools that find what is not deterministic.
 *
 * @packageDocumentation
 */

export type { Absent, AbsentBot, AbsentContext } from "./absent.js";
export type { BeatContext, SimulationBeat, SimulationBeats } from "./beats.js";
export { bytes, many, text, type CommandField } from "./command-fields.js";
export type { CommandPart } from "./command-codec.js";
export type {
  AnyCommand,
  Command,
  CommandArguments,
  CommandFields,
  CommandOptions,
  CommandSpec,
  CommandValues,
  IssueCommand,
  PackedCommand,
} from "./commands.js";
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
  StepTiming,
} from "../input/index.js";
export type { HistoryOptions } from "./history.js";
export type { WriteInputs } from "./input-sampler.js";
export type { Inputs } from "./inputs.js";
export { localSession, type LocalSession } from "./local-session.js";
export type { LocalOptions } from "./local-options.js";
export { migrate, type FieldName, type MigrateOptions } from "./migrate.js";
export type { ExternalMakers, ExternalState, ExternalStates } from "./external.js";
export { drive, type Drive, type DriveOptions } from "./drive.js";
export { play, type PlayOptions } from "./play.js";
export type { PlayerTuple } from "./player-tuple.js";
export type { Present } from "./presenter.js";
export type { RunOptions } from "./run.js";
export type { Advance, ConfirmedTick, Session, SessionEvents } from "./session.js";
export {
  simulation,
  type AnySimulation,
  type InitContext,
  type Simulation,
  type SimulationOptions,
  type StepContext,
} from "./simulation.js";
export { syncTest, type SyncResult, type SyncTestOptions } from "./sync-test.js";
export type { CommandOf, EffectOf, InputsOf, SessionOf, ViewOf, WorldOf } from "./types-of.js";
