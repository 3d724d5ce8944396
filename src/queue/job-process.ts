// A child process that verifies one replay at a time. Whatever a job does to it, the worker only starts another one.
import { fork, type ChildProcess } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { GuardOptions } from "../sim/index.js";
import type { RejectedReplay, Verdict } from "./verdict.js";

/** The first message to the process. */
export interface JobProcessOptions {
  /** The absolute path of the folder with the simulations. */
  readonly sims: string;
  /** Time limit of a job, and of loading a simulation, in seconds. */
  readonly timeout: number;
  /** How much memory a job may need, in megabytes. */
  readonly memory: number;
}

/** The other messages to the process. */
export interface Job {
  readonly bytes: Uint8Array;
  readonly guard: GuardOptions | undefined;
}

/** The answer to a job. */
export type JobAnswer =
  | { readonly verdict: Verdict }
  /** The job crashed, hung or needed too much memory. The process must be replaced. */
  | { readonly poison: RejectedReplay }
  /** The simulation cannot be loaded: nothing is known about the replay. */
  | { readonly broken: string };

/** Seconds beyond all limits, after which a process that does not answer is given up. */
const GRACE = 10;

/** The processes of workers are the first to go if the machine runs out of memory, on Linux. */
const FIRST_TO_KILL = "1000";

/** The program of the process: it belongs to the command line, whose threads it uses. */
const PROGRAM = fileURLToPath(new URL("../cli/job-host.js", import.meta.url));

export class JobProcess {
  readonly #options: JobProcessOptions;
  #child: ChildProcess | undefined;
  /** Of the job in progress. */
  #timer: NodeJS.Timeout | undefined;

  constructor(options: JobProcessOptions) {
    this.#options = options;
  }

  /** Runs a job; only one at a time. Never rejects. */
  async run(job: Job): Promise<JobAnswer> {
    const answer = await this.#ask((this.#child ??= this.#start()), job);
    if (!("verdict" in answer)) this.kill();
    return answer;
  }

  /** Kills the process, with all processes that it started. The next job gets a new one. A job in progress gets no answer. */
  kill(): void {
    const child = this.#child;
    this.#child = undefined;
    clearTimeout(this.#timer);
    if (child?.pid === undefined) return;
    child.removeAllListeners();
    child.on("error", () => {});
    try {
      if (process.platform === "win32") child.kill("SIGKILL");
      else process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
    if (child.connected) child.disconnect();
    child.unref();
  }

  #start(): ChildProcess {
    const child = fork(PROGRAM, [], {
      serialization: "advanced",
      // The output of a simulation is not a result.
      stdio: ["ignore", 2, 2, "ipc"],
      // The leader of a process group, so that processes started by steps can be killed with it.
      detached: process.platform !== "win32",
    });
    const score = `/proc/${child.pid}/oom_score_adj`;
    if (existsSync(score))
      try {
        writeFileSync(score, FIRST_TO_KILL);
      } catch {
        // Only a precaution.
      }
    child.send(this.#options, () => {});
    return child;
  }

  #ask(child: ChildProcess, job: Job): Promise<JobAnswer> {
    const { timeout } = this.#options;
    return new Promise((resolve) => {
      const done = (answer: JobAnswer) => {
        clearTimeout(this.#timer);
        child.removeAllListeners();
        // An error that comes later must not end the worker.
        child.on("error", () => {});
        resolve(answer);
      };
      const crashed = (message: string) => done({ poison: { outcome: "failed", message } });
      this.#timer = setTimeout(
        () => done({ poison: { outcome: "timeout", message: `no answer within ${2 * timeout + GRACE} s` } }),
        (2 * timeout + GRACE) * 1000,
      );
      child.on("message", (answer: JobAnswer) => done(answer));
      child.on("error", (error) => crashed(`its process failed: ${error.message}`));
      child.on("exit", (code, signal) =>
        crashed(`the simulation crashed: its process ended with ${signal ?? `status ${code}`}`),
      );
      // If it has ended, "exit" follows.
      child.send(job, () => {});
    });
  }
}
