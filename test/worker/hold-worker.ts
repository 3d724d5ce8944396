import { Loop } from "../../src/loop/index.js";
import type { WorkerSession } from "../../src/worker/index.js";

/** Pauses the worker of a session that no loop draws. Returns the function that lets it go on with the next `advance`. */
export const holdWorker = (session: WorkerSession): (() => void) =>
  session.attach(new Loop({ rate: session.simulation.rate }));
