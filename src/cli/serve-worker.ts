// A process that runs rooms for `tickwise serve --workers`.
import type { PlainOptions } from "../server/workers/messages.js";
import { failRoomWorker, runRoomWorker } from "../server/workers/room-worker.js";
import { loadSimulation } from "./load.js";
import type { ModuleSpec } from "./module.js";
import { errorText } from "./text.js";

/** The first message to the worker. */
export interface ToServeWorker {
  readonly spec: ModuleSpec;
  readonly options: PlainOptions;
}

// stdout is for figures, not for what the game prints.
for (const name of ["log", "info", "debug"] as const) console[name] = console.error;

process.once("message", async ({ spec, options }: ToServeWorker) => {
  try {
    await runRoomWorker(await loadSimulation(spec), options);
  } catch (error) {
    failRoomWorker(errorText(error));
  }
});
