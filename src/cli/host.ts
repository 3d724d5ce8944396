// The process that runs the tasks' threads, for the program that waits for it.
import { Pool, type PoolOptions } from "./pool.js";
import type { Report, Task } from "./tasks.js";
import { Trouble } from "./trouble.js";

/** What it is sent, once. */
export interface ToHost extends Omit<PoolOptions, "told"> {
  readonly tasks: readonly Task[];
  /** Whether someone looks at its progress. */
  readonly hasBar: boolean;
}

/** What it sends: a report for each task, in order; or why no more will come. */
export type FromHost =
  | { readonly report: Report }
  | { readonly progress: { readonly done: number; readonly part: number } }
  | { readonly trouble: string };

/** Milliseconds from one look at the progress to the next. */
const PERIOD = 100;

const say = (message: FromHost) => void (process.connected && process.send!(message));

// The program has ended, or was ended: nobody waits any more. Exiting would wait for threads, and leave what they started.
process.on("disconnect", () => {
  process.kill(process.platform === "win32" ? process.pid : -process.pid, "SIGKILL");
});

process.once("message", async ({ tasks, hasBar, ...options }: ToHost) => {
  const pool = new Pool(tasks, { ...options, told: (report) => say({ report }) });
  if (hasBar) setInterval(() => say({ progress: { done: pool.done, part: pool.part() } }), PERIOD).unref();
  try {
    await pool.run();
  } catch (error) {
    say({ trouble: error instanceof Trouble ? error.message : String((error as Error).stack ?? error) });
  }
});
