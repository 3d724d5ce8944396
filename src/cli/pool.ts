// Runs tasks on several threads, each with the user's simulation. If one hangs or crashes, the others continue.
import type { Report, Task } from "./tasks.js";
import { Thread, type ThreadOptions } from "./thread.js";

export interface PoolOptions extends ThreadOptions {
  /** Maximum number of threads. */
  readonly jobs: number;
  /** Called with each task's report, in order of the tasks. */
  readonly onReport: (report: Report) => void;
}

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
