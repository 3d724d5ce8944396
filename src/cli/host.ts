// The child process that runs tasks in threads, and sends their reports to the program.
import { Pool, type PoolOptions } from "./pool.js";
import type { Report, Task } from "./tasks.js";
import { CliError } from "./cli-error.js";

/** The first and only message to the host. */
export interface ToHost extends Omit<PoolOptions, "onReport"> {
  readonly tasks: readonly Task[];
  /** Whether to send progress. */
  readonly hasBar: boolean;
}

/** A message from the host: a report for each task, in order; the progress; or why no more reports will come. */
export type FromHost =
  | { readonly report: Report }
  | { readonly progress: { readonly done: number; readonly part: number } }
  | { readonly failure: string };

/** Milliseconds between two messages about the progress. */
const PERIOD = 100;

const send = (message: FromHost) => void (process.connected && process.send!(message));

// The program has ended. Kill the whole process group: exiting would wait for threads, and leave their child processes.
process.on("disconnect", () => {
  process.kill(process.platform === "win32" ? process.pid : -process.pid, "SIGKILL");
});

process.once("message", async ({ tasks, hasBar, ...options }: ToHost) => {
  const pool = new Pool(tasks, { ...options, onReport: (report) => send({ report }) });
  if (hasBar) setInterval(() => send({ progress: { done: pool.done, part: pool.part() } }), PERIOD).unref();
  try {
    await pool.run();
  } catch (error) {
    send({ failure: error instanceof CliError ? error.message : String((error as Error).stack ?? error) });
  }
});
