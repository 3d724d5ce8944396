// The child process that runs tasks in threads, and sends their reports to the program.
import { Pool, type PoolOptions } from "./pool.js";
import type { Report, Task } from "./tasks.js";
import { CliError } from "./cli-error.js";

/** What it is sent, once. */
export interface ToHost extends Omit<PoolOptions, "told"> {
  readonly tasks: readonly Task[];
  /** Whether progress is shown. */
  readonly hasBar: boolean;
}

/** What it sends: a report for each task, in order; its progress; or why no more reports will come. */
export type FromHost =
  | { readonly report: Report }
  | { readonly progress: { readonly done: number; readonly part: number } }
  | { readonly trouble: string };

/** Milliseconds between two messages about the progress. */
const PERIOD = 100;

const say = (message: FromHost) => void (process.connected && process.send!(message));

// The program has ended. Kill the whole process group: exiting would wait for threads, and leave processes that they started.
process.on("disconnect", () => {
  process.kill(process.platform === "win32" ? process.pid : -process.pid, "SIGKILL");
});

process.once("message", async ({ tasks, hasBar, ...options }: ToHost) => {
  const pool = new Pool(tasks, { ...options, told: (report) => say({ report }) });
  if (hasBar) setInterval(() => say({ progress: { done: pool.done, part: pool.part() } }), PERIOD).unref();
  try {
    await pool.run();
  } catch (error) {
    say({ trouble: error instanceof CliError ? error.message : String((error as Error).stack ?? error) });
  }
});
