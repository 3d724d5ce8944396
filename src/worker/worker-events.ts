import { SESSION_EVENTS, type SessionEvents } from "../sim/session.js";
import type { WorkerFailure } from "./worker-failure.js";

/** The events of a session in a worker. */
export interface WorkerEvents<F> extends SessionEvents<F> {
  /** The worker no longer simulates. `advance` throws the same, unless a listener calls `restart`. */
  failed: WorkerFailure;
  /** The worker could not simulate all of its time, as its steps cost too much: `lost` seconds were thrown away. */
  overload: { readonly tick: number; readonly lost: number };
}

export const WORKER_EVENTS = [...SESSION_EVENTS, "failed", "overload"] as const;
