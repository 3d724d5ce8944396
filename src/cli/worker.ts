// What runs in each thread: it loads the simulations once, and does task after task.
import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { mismatch } from "./compare.js";
import { loadSimulation } from "./load.js";
import type { ModuleSpec } from "./module.js";
import { gameOf, report, type Report, type Task } from "./tasks.js";
import { Trouble } from "./trouble.js";
import { watched } from "./watch.js";

/** What a worker begins with. */
export interface WorkerData {
  readonly modules: readonly ModuleSpec[];
  readonly pulse: SharedArrayBuffer;
}

/** What it says: that it is ready, or why not; then a report for each task. */
export type FromWorker =
  | { readonly ready: true }
  | { readonly unloadable: string }
  | { readonly report: Report };

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
const port = parentPort!;
const { modules, pulse: shared } = workerData as WorkerData;
const pulse = new Float64Array(shared);
const say = (message: FromWorker) => port.postMessage(message);

// At once: a thread's own streams wait for an event loop that a step may never come back to.
for (const stream of [process.stdout, process.stderr])
  stream.write = (text: string | Uint8Array) => writeAll(Buffer.from(text as Uint8Array));

try {
  const simulations = await Promise.all(
    modules.map(async (spec, i) => {
      const whose = modules.length < 2 ? "" : i === 0 ? "--sim: " : "--against: ";
      return watched(await loadSimulation(spec), pulse, whose);
    }),
  );
  const [game, against] = simulations.map(gameOf);
  const difference = against && mismatch(game!, against, "--sim is", "--against");
  if (difference !== undefined)
    throw new Trouble(
      `${difference}. Only builds with the same name, version, state and inputs can be compared.`,
    );
  port.on("message", (task: Task) => say({ report: report(task, simulations, pulse) }));
  say({ ready: true });
} catch (error) {
  say({ unloadable: (error as Error).message });
}

/** Writes to stderr; what nobody reads for a second is dropped. */
function writeAll(bytes: Buffer): boolean {
  for (let at = 0, tries = 0; at < bytes.length && tries < 1000;)
    try {
      at += writeSync(2, bytes, at);
      tries = 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") break;
      tries++;
      Atomics.wait(PAUSE, 0, 0, 1);
    }
  return true;
}
