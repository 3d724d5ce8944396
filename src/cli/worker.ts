// Runs in each thread: loads the simulations once, then runs task after task.
import { AsyncLocalStorage } from "node:async_hooks";
import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { mismatch } from "./compare.js";
import { loadSimulation } from "./load.js";
import type { Simulation } from "../sim/index.js";
import type { ModuleSpec } from "./module.js";
import { gameOf, report, type Report, type Task } from "./tasks.js";
import { escaped, escapedLines } from "./escape.js";
import { locationOf } from "./source-location.js";
import { CliError } from "./cli-error.js";
import { watched } from "./watch.js";
import { thrownText } from "./text.js";

/** The data that a worker starts with. */
export interface WorkerData {
  readonly modules: readonly ModuleSpec[];
  readonly pulse: SharedArrayBuffer;
}

/** A message from a worker: that it is ready, or why not; then a report for each task. */
export type FromWorker =
  | { readonly ready: true }
  | { readonly unloadable: string }
  | { readonly report: Report };

const PAUSE = new Int32Array(new SharedArrayBuffer(4));
const port = parentPort!;
const { modules, pulse: shared } = workerData as WorkerData;
const pulse = new Float64Array(shared);
const send = (message: FromWorker) => port.postMessage(message);

// Write at once: the streams of a thread wait for the event loop, to which a step may never return.
for (const stream of [process.stdout, process.stderr])
  stream.write = (text: string | Uint8Array) => writeAll(Buffer.from(text as Uint8Array));

/** The task that began a promise or a timer, which may outlive it. */
const origin = new AsyncLocalStorage<Task>();
/** The first uncaught error of the current task, or of loading the modules. */
let uncaught: { readonly message: string } | undefined;
/** The task that uncaught errors count against; undefined between tasks. */
let current: Task | "loading" | undefined = "loading";

/**
 * Handles an unhandled rejection, or an error of a callback. It counts against the task that started it, until that task is
 * reported. After that it is only printed: which other task it would fail depends on timing.
 */
function onUncaught(what: string, error: unknown): void {
  const message = `${what}: ${thrownText(error)}${locationOf(error)}`;
  const task = origin.getStore();
  if ((task ?? "loading") === current) uncaught ??= { message };
  else
    writeAll(
      Buffer.from(escapedLines(`tickwise: ${task ? `after ${titleOf(task)} was done, ` : ""}${message}\n`)),
    );
}
process.on("unhandledRejection", (reason) => onUncaught("unhandled promise rejection", reason));
process.on("uncaughtException", (error) => onUncaught("a callback threw", error));

const titleOf = (task: Task) => ("file" in task ? escaped(task.file) : task.kind);

/** Waits for one turn of the event loop: Node then reports unhandled rejections. Does not wait for timers. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function run(task: Task, simulations: readonly Simulation[]): Promise<Report> {
  uncaught = undefined;
  current = task;
  const found = origin.run(task, () => report(task, simulations, pulse));
  await turn();
  current = undefined;
  const thrown = uncaught as { readonly message: string } | undefined;
  const hasFailed = thrown && (found.outcome === "ok" || found.outcome === "differs");
  return hasFailed ? { outcome: "failed", message: thrown.message } : found;
}

try {
  const simulations = await Promise.all(
    modules.map(async (spec, i) => {
      const label = modules.length < 2 ? "" : i === 0 ? "--sim: " : "--against: ";
      return watched(await loadSimulation(spec), pulse, label);
    }),
  );
  const [game, against] = simulations.map(gameOf);
  const difference = against && mismatch(game!, against, "--sim is", "--against");
  if (difference !== undefined)
    throw new CliError(
      `${difference}. Only builds with the same name, version, state and inputs can be compared.`,
    );
  await turn();
  current = undefined;
  if (uncaught) throw new CliError(`${modules.map(({ shown }) => shown).join(" and ")}: ${uncaught.message}`);
  port.on("message", async (task: Task) => send({ report: await run(task, simulations) }));
  send({ ready: true });
} catch (error) {
  send({ unloadable: (error as Error).message });
}

/** Writes to stderr. Gives up if nothing is read for a second. */
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
