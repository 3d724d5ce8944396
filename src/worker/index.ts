/**
 * A simulation on its own thread: the worker keeps real time, and the page draws what arrives, with the smallest delay that does not
 * starve it.
 *
 * @packageDocumentation
 */

export type { MemoryMode } from "./page-states.js";
export type { WorkerLike } from "./port.js";
export { serveSimulation, type ServeOptions } from "./serve-simulation.js";
export type { WorkerEvents } from "./worker-events.js";
export type { WorkerFailure, WorkerFailureReason } from "./worker-failure.js";
export type { WorkerOptions } from "./worker-options.js";
export { workerSession, type WorkerSession } from "./worker-session.js";
export type { WorkerTiming } from "./worker-timing.js";
