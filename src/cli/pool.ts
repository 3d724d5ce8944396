// Runs tasks on several threads, each with the user's simulation. If one hangs or crashes, the others continue.
import { Worker } from "node:worker_threads";
import type { ModuleSpec } from "./module.js";
import type { Report, Task } from "./tasks.js";
import { CliError } from "./cli-error.js";
import { BEGUN, END, INIT, NOT_STARTED, PULSE_BYTES, TICK, tickOf } from "./watch.js";
import type { FromWorker, WorkerData } from "./worker.js";

export interface PoolOptions {
  readonly modules: readonly ModuleSpec[];
  /** Maximum number of threads. */
  readonly jobs: number;
  /** Time limit of a task, and of loading the modules, in seconds. */
  readonly timeout: number;
  /** Called with each task's report, in order of the tasks. */
  readonly onReport: (report: Report) => void;
}

/** After a timeout, milliseconds to see whether the simulation still makes progress. */
const GRACE = 250;

/** Exit status of Node if a top-level await never settles. */
const UNSETTLED_AWAIT = 13;

export class Pool {
  done = 0;
  #next = 0;
  /** Reports that were passed on. */
  #reported = 0;
  readonly #tasks: readonly Task[];
  readonly #options: PoolOptions;
  readonly #reports: (Report | undefined)[];
  readonly #threads = new Set<Thread>();

  constructor(tasks: readonly Task[], options: PoolOptions) {
    this.#tasks = tasks;
    this.#options = options;
    this.#reports = tasks.map(() => undefined);
  }

  /** The progress of all running tasks, each from 0 to 1, summed. */
  part(): number {
    return [...this.#threads].reduce((sum, thread) => sum + thread.progress(), 0);
  }

  /** Runs all tasks. Throws if a module cannot be loaded. Threads may still run afterwards: kill the process then. */
  async run(): Promise<void> {
    const { jobs } = this.#options;
    await Promise.all(Array.from({ length: Math.min(jobs, this.#tasks.length) }, () => this.#runner()));
  }

  /** Runs task after task, in a new thread whenever the last one is lost. */
  async #runner(): Promise<void> {
    let thread: Thread | undefined;
    // A task whose thread was lost before the task began, to be retried once.
    let retry: number | undefined;
    while (retry !== undefined || this.#next < this.#tasks.length) {
      if (!thread || thread.isLost) {
        if (thread) this.#drop(thread);
        thread = new Thread(this.#options);
        this.#threads.add(thread);
        await thread.ready();
        continue;
      }
      const index: number = retry ?? this.#next++;
      const { report, hasBegun } = await thread.do(this.#tasks[index]!);
      // An earlier task left something behind that ended the thread: this task is not to blame.
      if (!hasBegun && retry === undefined) {
        retry = index;
        continue;
      }
      retry = undefined;
      this.done++;
      this.#report(index, report);
    }
    if (thread) this.#drop(thread);
  }

  #drop(thread: Thread): void {
    this.#threads.delete(thread);
    thread.end();
  }

  #report(index: number, report: Report): void {
    this.#reports[index] = report;
    for (let next; (next = this.#reports[this.#reported]); this.#reported++) this.#options.onReport(next);
  }
}

class Thread {
  isLost = false;
  readonly #worker: Worker;
  readonly #pulse = new Float64Array(new SharedArrayBuffer(PULSE_BYTES));
  readonly #options: PoolOptions;
  /** Receives the next message. */
  #receive: (message: FromWorker | { readonly crash: string }) => void = () => {};

  constructor(options: PoolOptions) {
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
    });
    for (const stream of [worker.stdout, worker.stderr])
      stream.on("data", (text: Uint8Array) => {
        process.stderr.write(text);
      });
    worker.on("message", (message: FromWorker) => this.#receive(message));
    worker.on("error", (error) => this.#crash(String(error)));
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
      const tick = tickOf(pulse[TICK]!);
      const where = tick === undefined ? "" : ` in tick ${tick}`;
      const text = `the simulation crashed${where}: ${message.crash}`;
      return { report: { outcome: "failed", message: text, tick }, hasBegun: pulse[BEGUN]! > 0 };
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
