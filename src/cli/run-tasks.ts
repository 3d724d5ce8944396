// Runs tasks in threads of a child process, the host. Node cannot end a thread that waits in a system call, and does not exit
// before it ends; but a process can be killed, with all its children.
import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bar } from "./bar.js";
import type { FromHost, ToHost } from "./host.js";
import type { ModuleSpec } from "./module.js";
import type { Report, Task } from "./tasks.js";
import { CliError } from "./cli-error.js";

export interface TaskOptions {
  readonly modules: readonly ModuleSpec[];
  /** Maximum number of threads. */
  readonly jobs: number;
  /** Time limit of a task, and of loading the modules, in seconds. */
  readonly timeout: number;
  /** Called with each task's report, in order of the tasks. */
  readonly onReport: (report: Report, index: number) => void;
  /** Returns the text of the progress bar, given the number of finished tasks. Without it, there is no bar. */
  readonly note?: (done: number) => string;
}

/** Runs a single task, and returns its report. Throws if a module cannot be loaded. */
export async function runTask(
  task: Task,
  { modules, timeout }: Pick<TaskOptions, "modules" | "timeout">,
): Promise<Report> {
  const reports: Report[] = [];
  await runTasks([task], { modules, jobs: 1, timeout, onReport: (report) => reports.push(report) });
  return reports[0]!;
}

/** Runs all tasks. Throws if a module cannot be loaded. */
export async function runTasks(tasks: readonly Task[], options: TaskOptions): Promise<void> {
  const { modules, jobs, timeout, onReport, note } = options;
  const host = fork(fileURLToPath(new URL("./host.js", import.meta.url)), [], {
    serialization: "advanced",
    // The output of a simulation is not a result, so all of it goes to stderr.
    stdio: ["ignore", 2, 2, "ipc"],
    // The leader of a process group, so that processes started by steps can be killed with it.
    detached: process.platform !== "win32",
  });
  let count = 0;
  let progress = { done: 0, part: 0 };
  if (note)
    bar.start(() => ({
      done: progress.done + progress.part,
      total: tasks.length,
      note: note(progress.done),
    }));
  try {
    await new Promise<void>((resolve, reject) => {
      host.on("message", (message: FromHost) => {
        if ("report" in message) onReport(message.report, count++);
        else if ("progress" in message) ({ progress } = message);
        else reject(new CliError(message.failure));
        if (count === tasks.length) resolve();
      });
      host.on("error", reject);
      host.on("exit", (code, signal) =>
        reject(
          new CliError(
            `the process that runs the simulation ended unexpectedly, with ${signal ?? `status ${code}`}`,
          ),
        ),
      );
      host.send({ tasks, modules, jobs, timeout, hasBar: note !== undefined } satisfies ToHost);
    });
  } finally {
    bar.stop();
    end(host);
  }
}

/** Kills the host and all its child processes, without waiting for them. */
function end(host: ChildProcess): void {
  host.removeAllListeners("exit");
  const { pid } = host;
  if (pid !== undefined && host.exitCode === null && host.signalCode === null)
    try {
      if (process.platform === "win32") spawnSync("taskkill", ["/pid", `${pid}`, "/t", "/f"]);
      else process.kill(-pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  if (host.connected) host.disconnect();
  host.unref();
}
