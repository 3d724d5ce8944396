// Tasks on several threads, each with the user's simulation in it. Whatever that does, the others go on.
import { Worker } from "node:worker_threads";
import type { ModuleSpec } from "./module.js";
import type { Report, Task } from "./tasks.js";
import { CliError } from "./cli-error.js";
import { BEGUN, END, INIT, NOWHERE, PULSE_BYTES, TICK, tickOf } from "./watch.js";
import type { FromWorker, WorkerData } from "./worker.js";

export interface PoolOptions {
  readonly modules: readonly ModuleSpec[];
  /** Threads at most. */
  readonly jobs: number;
  /** Seconds for a task, and for loading the modules. */
  readonly timeout: number;
  /** Called with each task's report, in order of the tasks. */
  readonly told: (report: Report) => void;
}

/** How long it is watched whether a simulation still steps, once its time is over; milliseconds. */
const LAST_LOOK = 250;

/** How Node ends where an await at the top level of a module is never over. */
const UNSETTLED = 13;

export class Pool {
  done = 0;
  #next = 0;
  #told = 0;
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
    // A task whose thread was lost before the task began, to be tried once more.
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
      // Something that an earlier task left behind has ended the thread: this task is not to blame.
      if (!hasBegun && retry === undefined) {
        retry = index;
        continue;
      }
      retry = undefined;
      this.done++;
      this.#tell(index, report);
    }
    if (thread) this.#drop(thread);
  }

  #drop(thread: Thread): void {
    this.#threads.delete(thread);
    thread.end();
  }

  #tell(index: number, report: Report): void {
    this.#reports[index] = report;
    for (let next; (next = this.#reports[this.#told]); this.#told++) this.#options.told(next);
  }
}

class Thread {
  isLost = false;
  readonly #worker: Worker;
  readonly #pulse = new Float64Array(new SharedArrayBuffer(PULSE_BYTES));
  readonly #options: PoolOptions;
  /** Who waits for its next word. */
  #hear: (heard: FromWorker | { readonly crash: string }) => void = () => {};

  constructor(options: PoolOptions) {
    this.#options = options;
    const workerData: WorkerData = {
      modules: options.modules,
      pulse: this.#pulse.buffer as SharedArrayBuffer,
    };
    // What the simulation prints is no result of ours.
    const worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData,
      stdout: true,
      stderr: true,
    });
    for (const stream of [worker.stdout, worker.stderr])
      stream.on("data", (text: Uint8Array) => {
        process.stderr.write(text);
      });
    worker.on("message", (message: FromWorker) => this.#hear(message));
    worker.on("error", (error) => this.#crash(String(error)));
    worker.on("exit", (code) =>
      this.#crash(
        code === UNSETTLED
          ? "it awaits what never comes"
          : `it called process.exit, or was ended, with status ${code}`,
      ),
    );
    this.#worker = worker;
  }

  #crash(crash: string): void {
    this.isLost = true;
    this.#hear({ crash });
  }

  /** What it says next; undefined if that takes too long. */
  #heard(): Promise<FromWorker | { readonly crash: string } | undefined> {
    const { timeout } = this.#options;
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), timeout * 1000);
      this.#hear = (heard) => {
        clearTimeout(timer);
        resolve(heard);
      };
    });
  }

  async ready(): Promise<void> {
    const heard = await this.#heard();
    if (heard && "ready" in heard) return;
    const names = this.#options.modules.map(({ shown }) => shown).join(" and ");
    throw new CliError(
      !heard
        ? `${names} was not loaded after ${this.#options.timeout} s: something in it waits, or does not end.`
        : "unloadable" in heard
          ? heard.unloadable
          : `${names} could not be loaded: ${"crash" in heard ? heard.crash : ""}.`,
    );
  }

  /** Runs a task. If the thread crashes before the simulation is called, the task has not begun. */
  async do(task: Task): Promise<{ readonly report: Report; readonly hasBegun: boolean }> {
    const pulse = this.#pulse;
    pulse.fill(0);
    pulse[TICK] = NOWHERE;
    const heard = this.#heard();
    this.#worker.postMessage(task);
    const found = await heard;
    if (found && "report" in found) {
      // Or it would count twice in the bar.
      pulse.fill(0);
      return { report: found.report, hasBegun: true };
    }
    if (found && "crash" in found) {
      const tick = tickOf(pulse[TICK]!);
      const place = tick === undefined ? "" : `in tick ${tick}, `;
      const message = `${place}the simulation crashed: ${found.crash}`;
      return { report: { outcome: "failed", message, tick }, hasBegun: pulse[BEGUN]! > 0 };
    }
    this.isLost = true;
    return { report: { outcome: "timeout", ...(await this.#lastWords()) }, hasBegun: true };
  }

  /** Whether it hangs, or only takes long; and where it is. */
  async #lastWords(): Promise<{ message: string; tick: number | undefined }> {
    const { timeout } = this.#options;
    const pulse = this.#pulse;
    const begun = pulse[BEGUN]!;
    await new Promise((resolve) => setTimeout(resolve, LAST_LOOK));
    const tick = pulse[TICK]!;
    const where = tick === INIT ? "init" : `the step of tick ${tick}`;
    const end = pulse[END]! > 0 ? ` of ${pulse[END]}` : "";
    const message =
      tick === NOWHERE
        ? `not begun after ${timeout} s`
        : pulse[BEGUN] === begun
          ? `${where} does not come to an end: given up after ${timeout} s`
          : `only at tick ${tick}${end} after ${timeout} s: give it longer by --timeout`;
    return { message, tick: tickOf(tick) };
  }

  /** The part of its task that is done. */
  progress(): number {
    const [, tick, start, end] = this.#pulse;
    return end! > start! && tick! > start! ? Math.min(1, (tick! - start!) / (end! - start!)) : 0;
  }

  /** Ends it without waiting: a thread in a system call ends after that call, or never. */
  end(): void {
    this.isLost = true;
    void this.#worker.terminate();
  }
}
