// Runs tasks in threads of a child process, the host. Node cannot end a thread that waits in a system call, and exiting waits
// for it too; but a process can be killed, with everything that it has started.
import { fork, spawnSync, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bar } from "./bar.js";
import type { FromHost, ToHost } from "./host.js";
import type { ModuleSpec } from "./module.js";
import type { Report, Task } from "./tasks.js";
import { CliError } from "./cli-error.js";

export interface RunOptions {
  readonly modules: readonly ModuleSpec[];
  /** Threads at most. */
  readonly jobs: number;
  /** Seconds for a task, and for loading the modules. */
  readonly timeout: number;
  /** Called with each task's report, in order of the tasks. */
  readonly told: (report: Report, index: number) => void;
  /** The text of the bar, given the number of tasks that are done; without it, there is no bar. */
  readonly note?: (done: number) => string;
}

/** Runs all tasks. Throws if a module cannot be loaded. */
export async function runTasks(tasks: readonly Task[], options: RunOptions): Promise<void> {
  const { modules, jobs, timeout, told, note } = options;
  const host = fork(fileURLToPath(new URL("./host.js", import.meta.url)), [], {
    serialization: "advanced",
    // What a simulation prints is not a result, so all of it goes to stderr.
    stdio: ["ignore", 2, 2, "ipc"],
    // The leader of a process group, so that everything that steps have started can be killed with it.
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
        if ("report" in message) told(message.report, count++);
        else if ("progress" in message) ({ progress } = message);
        else reject(new CliError(message.trouble));
        if (count === tasks.length) resolve();
      });
      host.on("error", reject);
      host.on("exit", (code, signal) =>
        reject(
          new CliError(
            `the process that runs the simulation ended early, with ${signal ?? `status ${code}`}`,
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

/** Kills the host and everything that it has started, without waiting for them. */
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
