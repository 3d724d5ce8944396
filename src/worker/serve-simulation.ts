import { systemNow, systemTimeOrigin } from "../platform/index.js";
import { stepTimer, type Loop } from "../loop/index.js";
import { requireFunction, requireOptions } from "../errors/index.js";
import type { AnySimulation, Guard } from "../sim/index.js";
import { requireSimulation } from "../sim/simulation.js";
import { ownPort, type WorkerLike } from "./port.js";
import { WorkerHost } from "./worker-host.js";

const CALL = "serveSimulation";

/** Options of `serveSimulation`. */
export interface ServeOptions {
  /** Throws if a step does something that is not deterministic. Pass `guard()` during development. */
  readonly guard?: Guard | undefined;
  /**
   * Called with the worker's loop before the first step of each session, to attach what it needs:
   * `onLoop(loop) { stepBudget(loop, 0.008); }`. The loop follows that of the page otherwise.
   */
  readonly onLoop?: ((loop: Loop) => void) | undefined;
  /** The port to the page. Default: that of the worker that this module runs in. */
  readonly port?: WorkerLike | undefined;
}

const OPTIONS = Object.keys({ guard: 1, onLoop: 1, port: 1 } satisfies Record<keyof ServeOptions, 1>);

/**
 * Runs a simulation in this worker for a page, which calls `workerSession`. It waits until the page starts a session, and keeps real
 * time by itself from then on. Returns the function that ends it.
 */
export function serveSimulation(simulation: AnySimulation, options: ServeOptions = {}): () => void {
  requireSimulation(CALL, simulation);
  requireOptions(CALL, options, OPTIONS, "{ guard: guard() }");
  const { port = ownPort(CALL), guard, onLoop } = options;
  if (onLoop !== undefined) requireFunction(`${CALL}: onLoop`, onLoop);
  const platform = { now: systemNow, timeOrigin: systemTimeOrigin(), timer: stepTimer };
  const host = new WorkerHost(CALL, simulation, port, platform, { guard, onLoop });
  return () => host.close();
}
