// The child process of `tickwise worker` that verifies one replay at a time, in a thread per simulation.
import type { Job, JobAnswer, JobProcessOptions } from "../queue/job-process.js";
import { SimFolder, type SimModule } from "../queue/sim-folder.js";
import type { RejectedReplay, Verdict } from "../queue/index.js";
import { readReplayInfo, type ReplayInfo } from "../replay/index.js";
import { escaped } from "./escape.js";
import { titleOf, type Report, type Task } from "./tasks.js";
import { readBytes } from "./text.js";
import { crashed, memoryText, Thread } from "./thread.js";

/** Threads that wait for another job of their simulation. */
const MAX_THREADS = 4;

/** Milliseconds between two looks at the memory. */
const PERIOD = 20;

const MEGABYTE = 2 ** 20;

const send = (message: JobAnswer) => void (process.connected && process.send!(message));

// The worker has ended. Kill the whole process group: exiting would wait for threads, and leave their child processes.
process.on("disconnect", () => {
  process.kill(process.platform === "win32" ? process.pid : -process.pid, "SIGKILL");
});

process.once("message", (options: JobProcessOptions) => {
  const jobs = new Jobs(options);
  process.on("message", async (job: Job) => send(await jobs.run(job)));
});

class Jobs {
  readonly #options: JobProcessOptions;
  #folder: SimFolder | undefined;
  /** By the path of the module; the most recently used one is the last. */
  readonly #threads = new Map<string, Thread>();

  constructor(options: JobProcessOptions) {
    this.#options = options;
  }

  async run({ bytes, guard }: Job): Promise<JobAnswer> {
    const info = readBytes(bytes, readReplayInfo);
    if (typeof info === "string") return { verdict: { outcome: "unreadable", message: info } };
    let module: SimModule | undefined;
    let thread: Thread;
    try {
      // The operator may be changing the folder just now: that is no fault of the replay.
      this.#folder ??= new SimFolder(this.#options.sims);
      module = this.#folder.find(info.name, info.version);
      if (!module) return { verdict: missing(info) as Verdict };
      thread = await this.#threadOf(module.path, module.shown);
    } catch (error) {
      return { broken: (error as Error).message };
    }
    const task: Task = {
      kind: "verify",
      file: "the replay",
      bytes,
      label: module.shown,
      every: undefined,
      guard,
    };
    const report = await this.#withinMemory(thread, task);
    const hasFailed = report.outcome === "failed" || report.outcome === "timeout";
    return hasFailed && thread.isLost ? { poison: report as RejectedReplay } : { verdict: report as Verdict };
  }

  async #threadOf(path: string, shown: string): Promise<Thread> {
    let thread = this.#threads.get(path);
    this.#threads.delete(path);
    if (!thread || thread.isLost) {
      const { timeout, memory } = this.#options;
      thread = new Thread({ modules: [{ path, name: undefined, shown }], timeout, memory });
      await thread.ready();
    }
    this.#threads.set(path, thread);
    for (const [other, old] of this.#threads) {
      if (this.#threads.size <= MAX_THREADS) break;
      old.end();
      this.#threads.delete(other);
    }
    return thread;
  }

  /** Runs a task. Gives up if the process grows too large: the limit of a thread does not count buffers and wasm. */
  #withinMemory(thread: Thread, task: Task): Promise<Report> {
    const { memory } = this.#options;
    const max = process.memoryUsage.rss() + memory * MEGABYTE;
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        if (process.memoryUsage.rss() <= max) return;
        clearInterval(timer);
        const { tick } = thread;
        thread.end();
        resolve(crashed(tick, memoryText(memory)));
      }, PERIOD);
      void thread.do(task).then(({ report }) => {
        clearInterval(timer);
        resolve(report);
      });
    });
  }
}

/** The report on a recording of a simulation that is not in the folder. */
const missing = (info: ReplayInfo): Report => ({
  outcome: "other",
  message: `it is a recording of ${escaped(info.name)}, version ${info.version}, which is not in the folder of simulations.`,
  recorded: titleOf(info),
});
