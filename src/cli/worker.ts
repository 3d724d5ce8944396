// What runs in each thread: it loads the simulations once, and does task after task.
import { AsyncLocalStorage } from "node:async_hooks";
import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { mismatch } from "./compare.js";
import { loadSimulation } from "./load.js";
import type { Simulation } from "../sim/index.js";
import type { ModuleSpec } from "./module.js";
import { gameOf, report, type Report, type Task } from "./tasks.js";
import { escaped, escapedLines } from "./escape.js";
import { placeOf } from "./place.js";
import { Trouble } from "./trouble.js";
import { watched } from "./watch.js";
import { thrownText } from "./words.js";

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

/** Which task something was begun by: a promise or a timer may outlive it. */
const origin = new AsyncLocalStorage<Task>();
/** What was thrown where nobody catches it, while the modules were loaded or by the task at hand. */
let astray: { readonly message: string } | undefined;
let current: Task | "loading" | undefined = "loading";

/**
 * A rejected promise that nobody handles, or an error in a callback. It counts against the task that began it as long as
 * that is not reported. Later it is only printed: it must not be blamed on another task, which would depend on timing.
 */
function stray(what: string, error: unknown): void {
  const message = `${what}: ${thrownText(error)}${placeOf(error)}`;
  const task = origin.getStore();
  if ((task ?? "loading") === current) astray ??= { message };
  else
    writeAll(
      Buffer.from(escapedLines(`tickwise: ${task ? `after ${titleOf(task)} was done, ` : ""}${message}\n`)),
    );
}
process.on("unhandledRejection", (reason) => stray("a promise was rejected, and nothing handles it", reason));
process.on("uncaughtException", (error) => stray("a callback threw", error));

const titleOf = (task: Task) => ("file" in task ? escaped(task.file) : task.kind);

/** Node announces rejections when a turn of the event loop is over. Timers come after that, and are not waited for. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function run(task: Task, simulations: readonly Simulation[]): Promise<Report> {
  astray = undefined;
  current = task;
  const found = origin.run(task, () => report(task, simulations, pulse));
  await turn();
  current = undefined;
  const thrown = astray as { readonly message: string } | undefined;
  const isMarred = thrown && (found.outcome === "ok" || found.outcome === "differs");
  return isMarred ? { outcome: "failed", message: thrown.message } : found;
}

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
  await turn();
  current = undefined;
  if (astray) throw new Trouble(`${modules.map(({ shown }) => shown).join(" and ")}: ${astray.message}`);
  port.on("message", async (task: Task) => say({ report: await run(task, simulations) }));
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
