import { Worker } from "node:worker_threads";
import { CliError } from "./cli-error.js";
import type { ModuleSpec } from "./module.js";
import type { Report, Task } from "./tasks.js";
import { BEGUN, END, INIT, NOT_STARTED, PULSE_BYTES, TICK, tickOf } from "./watch.js";
import type { FromWorker, WorkerData } from "./worker.js";

export interface ThreadOptions {
  readonly modules: readonly ModuleSpec[];
  /** Time limit of a task, and of loading the modules, in seconds. */
  readonly timeout: number;
  /** Limit of the heap of JavaScript, in megabytes. Default: that of Node. */
  readonly memory?: number | undefined;
}

/** After a timeout, milliseconds to see whether the simulation still makes progress. */
const GRACE = 250;

/** Exit status of Node if a top-level await never settles. */
const UNSETTLED_AWAIT = 13;

/** Says that a task needed too much memory. */
export const memoryText = (memory: number | undefined): string =>
  memory === undefined ? "out of memory" : `out of memory: it needed more than ${memory} MB (--memory)`;

/** The report on a simulation that ended its thread or its process. */
export const crashed = (tick: number | undefined, reason: string) =>
  ({
    outcome: "failed",
    message: `the simulation crashed${tick === undefined ? "" : ` in tick ${tick}`}: ${reason}`,
    tick,
  }) as const;

/** A thread that has loaded the simulations. It runs one task at a time, until it is lost. */
export class Thread {
  isLost = false;
  readonly #worker: Worker;
  readonly #pulse = new Float64Array(new SharedArrayBuffer(PULSE_BYTES));
  readonly #options: ThreadOptions;
  /** Receives the next message. */
  #receive: (message: FromWorker | { readonly crash: string }) => void = () => {};

  constructor(options: ThreadOptions) {
    this.#options = options;
    const workerData: WorkerData = {
      modules: options.modules,
      pulse: this.#pulse.buffer as SharedArrayBuffer,
    };
    // The output of the simulation is not a result.
    const worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData,
      stdout: true,
      stderr: true,
      ...(options.memory === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: options.memory } }),
    });
    for (const stream of [worker.stdout, worker.stderr])
      stream.on("data", (text: Uint8Array) => {
        process.stderr.write(text);
      });
    worker.on("message", (message: FromWorker) => this.#receive(message));
    worker.on("error", (error: NodeJS.ErrnoException) =>
      this.#crash(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? memoryText(options.memory) : String(error)),
    );
    worker.on("exit", (code) =>
      this.#crash(
        code === UNSETTLED_AWAIT
          ? "a top-level await never settled"
          : `it called process.exit, or was killed, with status ${code}`,
      ),
    );
    this.#worker = worker;
  }

  #crash(crash: string): void {
    this.isLost = true;
    this.#receive({ crash });
  }

  /** Waits for the next message; undefined after the time limit. */
  #nextMessage(): Promise<FromWorker | { readonly crash: string } | undefined> {
    const { timeout } = this.#options;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), timeout * 1000);
      this.#receive = (message) => {
        clearTimeout(timer);
        resolve(message);
      };
    });
  }

  async ready(): Promise<void> {
    const message = await this.#nextMessage();
    if (message && "ready" in message) return;
    const names = this.#options.modules.map(({ shown }) => shown).join(" and ");
    throw new CliError(
      !message
        ? `${names} did not load within ${this.#options.timeout} s: its top-level code waits, or does not end.`
        : "unloadable" in message
          ? message.unloadable
          : `${names} could not be loaded: ${"crash" in message ? message.crash : ""}.`,
    );
  }

  /** Runs a task. If the thread crashed before the simulation was called, the task has not begun. */
  async do(task: Task): Promise<{ readonly report: Report; readonly hasBegun: boolean }> {
    const pulse = this.#pulse;
    pulse.fill(0);
    pulse[TICK] = NOT_STARTED;
    const next = this.#nextMessage();
    this.#worker.postMessage(task);
    const message = await next;
    if (message && "report" in message) {
      // Otherwise the task would count twice in the progress.
      pulse.fill(0);
      return { report: message.report, hasBegun: true };
    }
    if (message && "crash" in message) {
      return { report: crashed(this.tick, message.crash), hasBegun: pulse[BEGUN]! > 0 };
    }
    this.isLost = true;
    return { report: { outcome: "timeout", ...(await this.#describeTimeout()) }, hasBegun: true };
  }

  /** Says whether the simulation hangs or is only slow, and where it is. */
  async #describeTimeout(): Promise<{ message: string; tick: number | undefined }> {
    const { timeout } = this.#options;
    const pulse = this.#pulse;
    const begun = pulse[BEGUN]!;
    await new Promise((resolve) => setTimeout(resolve, GRACE));
    const tick = pulse[TICK]!;
    const where = tick === INIT ? "init" : `the step of tick ${tick}`;
    const end = pulse[END]! > 0 ? ` of ${pulse[END]}` : "";
    const message =
      tick === NOT_STARTED
        ? `did not start within ${timeout} s`
        : pulse[BEGUN] === begun
          ? `${where} does not return: gave up after ${timeout} s`
          : `only reached tick ${tick}${end} in ${timeout} s: increase --timeout`;
    return { message, tick: tickOf(tick) };
  }

  /** The tick of the current step, if known. */
  get tick(): number | undefined {
    return tickOf(this.#pulse[TICK]!);
  }

  /** The progress of its task, from 0 to 1. */
  progress(): number {
    const [, tick, start, end] = this.#pulse;
    return end! > start! && tick! > start! ? Math.min(1, (tick! - start!) / (end! - start!)) : 0;
  }

  /** Ends the thread without waiting: within a system call, it ends after that call, or never. */
  end(): void {
    this.isLost = true;
    void this.#worker.terminate();
  }
}
