import { stepDriver, systemNow, systemTimeOrigin } from "../drivers/index.js";
import { requireOptions } from "../errors/index.js";
import type { AnySimulation, Guard } from "../sim/index.js";
import { requireSimulation } from "../sim/simulation.js";
import { ownPort, type WorkerLike } from "./port.js";
import { WorkerHost } from "./worker-host.js";

const CALL = "serveSimulation";

/** Options of `serveSimulation`. */
export interface ServeOptions {
  /** Throws if a step does something that is not deterministic. Pass `guard()` during development. */
  readonly guard?: Guard | undefined;
  /** The port to the page. Default: that of the worker that this module runs in. */
  readonly port?: WorkerLike | undefined;
}

const OPTIONS = Object.keys({ guard: 1, port: 1 } satisfies Record<keyof ServeOptions, 1>);

/**
 * Runs a simulation in this worker for a page, which calls `workerSession`. It waits until the page starts a session, and keeps real
 * time by itself from then on. Returns the function that ends it.
 */
export function serveSimulation(simulation: AnySimulation, options: ServeOptions = {}): () => void {
  requireSimulation(CALL, simulation);
  requireOptions(CALL, options, OPTIONS, "{ guard: guard() }");
  const { port = ownPort(CALL), guard } = options;
  const platform = { now: systemNow, timeOrigin: systemTimeOrigin(), driver: stepDriver };
  const host = new WorkerHost(CALL, simulation, port, platform, guard);
  return () => host.close();
}
