import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import type { Job as BullJob, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { requireNumber, requireOptions, requireType, requireWhole } from "../errors/index.js";
import { ATTEMPTS, PREFIX, QUEUE_NAME, type JobData } from "./job.js";
import { JobProcess, type JobProcessOptions } from "./job-process.js";
import type { OnConnection } from "./on-connection.js";
import { connectRedis, loadModules, requireRedisUrl, type QueueModules } from "./redis-link.js";
import { SimFolder } from "./sim-folder.js";
import { VerdictStore } from "./verdict-store.js";
import { requireQueueName } from "./verify-queue.js";
import type { RejectedReplay, Verdict } from "./verdict.js";

/** Options of `verifyWorker`. */
export interface WorkerOptions {
  /** The folder with your simulations: `NAME/VERSION.mjs`, such as `crates/2.mjs`. */
  readonly sims: string;
  /** The name of the queue. Default: `"verify"`. */
  readonly name?: string | undefined;
  /** How many replays it verifies at the same time, each in a process of its own. Default: one per core. */
  readonly jobs?: number | undefined;
  /** Time limit of a replay, and of loading a simulation, in seconds. Default: 60. */
  readonly timeout?: number | undefined;
  /** How much memory a replay may need, in megabytes. Default: 512. */
  readonly memory?: number | undefined;
  /** How long verdicts are stored, in seconds. Default: 7 days. Later, the same replay would be verified again. */
  readonly keep?: number | undefined;
  /** After how many seconds another worker takes over the replays of a worker that died. Default: 30. */
  readonly takeover?: number | undefined;
  /** Called after a verdict is stored. */
  readonly onVerdict?: ((id: string, verdict: Verdict) => void) | undefined;
  /**
   * Called when an attempt crashed, hung or ran out of memory, or a simulation cannot be loaded; without an id when Redis refuses
   * something.
   */
  readonly onProblem?: ((problem: string, id: string | undefined) => void) | undefined;
  /** Called when Redis becomes reachable or unreachable. The worker waits, and goes on by itself. */
  readonly onConnection?: OnConnection | undefined;
}

const OPTIONS = Object.keys({
  sims: 1,
  name: 1,
  jobs: 1,
  timeout: 1,
  memory: 1,
  keep: 1,
  takeover: 1,
  onVerdict: 1,
  onProblem: 1,
  onConnection: 1,
} satisfies Record<keyof WorkerOptions, 1>);

/**
 * Workers that may die during a job before it is quarantined. Many more than `ATTEMPTS`: the replay is hardly to blame, as it runs
 * in another process.
 */
const MAX_DEATHS = 30;

/** Errors of a lost connection, which reports itself; and of jobs that another worker has taken over, whose verdicts stand. */
const EXPECTED =
  /ECONN|EPIPE|Connection is closed|Missing lock|Missing key|could not renew lock|Lock mismatch|is not in the active/;

/** Milliseconds until a replay is tried again whose simulation could not be loaded. */
const RETRY = 5000;

/**
 * Verifies replays of a queue, until `close`. Each runs in a child process, with limits of time and memory. Needs the packages
 * bullmq and ioredis. Throws if the folder holds no simulations. Does not wait for Redis.
 */
export async function verifyWorker(url: string, options: WorkerOptions): Promise<VerifyWorker> {
  requireRedisUrl("verifyWorker: url", url);
  requireOptions("verifyWorker", options, OPTIONS);
  const { sims, name = QUEUE_NAME, jobs = availableParallelism(), timeout = 60, memory = 512 } = options;
  const { keep = 7 * 24 * 3600, takeover = 30 } = options;
  requireType("verifyWorker: sims", sims, "string", '"sims"');
  requireQueueName("verifyWorker: name", name);
  requireWhole("verifyWorker: jobs", jobs, 1, 2);
  requireNumber("verifyWorker: timeout", timeout, 0.001, 86_400, 60);
  requireWhole("verifyWorker: memory", memory, 16, 512);
  requireWhole("verifyWorker: keep", keep, 1, 604_800);
  requireNumber("verifyWorker: takeover", takeover, 0.5, 3600, 30);
  const folder = resolve(sims);
  const found = new SimFolder(folder);
  const modules = await loadModules("verifyWorker");
  const settings = { ...options, keep, takeover, jobs, process: { sims: folder, timeout, memory } };
  return new VerifyWorker(
    modules,
    connectRedis(modules, url, options.onConnection),
    name,
    found.names,
    settings,
  );
}

interface Settings extends Pick<WorkerOptions, "onVerdict" | "onProblem"> {
  readonly keep: number;
  readonly takeover: number;
  readonly jobs: number;
  readonly process: JobProcessOptions;
}

/** Verifies replays of a queue. `verifyWorker` creates one. */
export class VerifyWorker {
  /** The simulations in the folder, such as `crates/2.mjs`. */
  readonly simulations: readonly string[];
  readonly #modules: QueueModules;
  readonly #redis: Redis;
  readonly #worker: Worker<JobData>;
  readonly #store: VerdictStore;
  readonly #settings: Settings;
  readonly #processes = new Set<JobProcess>();
  /** Those without a job. */
  readonly #idle: JobProcess[] = [];

  /** @internal */
  constructor(
    modules: QueueModules,
    redis: Redis,
    queue: string,
    simulations: readonly string[],
    settings: Settings,
  ) {
    this.simulations = simulations;
    this.#modules = modules;
    this.#redis = redis;
    this.#settings = settings;
    this.#store = new VerdictStore(redis, queue);
    const lock = Math.ceil(settings.takeover * 1000);
    this.#worker = new modules.bullmq.Worker<JobData>(queue, (job, token) => this.#run(job, token), {
      connection: redis,
      prefix: PREFIX,
      concurrency: settings.jobs,
      lockDuration: lock,
      stalledInterval: lock,
      // #run counts them itself, to store a verdict.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: 1000,
    });
    let last = "";
    this.#worker.on("error", ({ message }) => {
      // BullMQ repeats what it tries again.
      if (!EXPECTED.test(message) && message !== last) settings.onProblem?.((last = message), undefined);
    });
  }

  /** Takes no more replays, finishes those in progress, and closes the connection. */
  async close(): Promise<void> {
    // Without Redis it would wait forever. Other workers take over its jobs.
    await this.#worker.close(this.#redis.status !== "ready").catch(() => {});
    for (const process of this.#processes) process.kill();
    this.#redis.disconnect();
  }

  async #run(job: BullJob<JobData>, token: string | undefined): Promise<void> {
    const id = job.id!;
    const { UnrecoverableError } = this.#modules.bullmq;
    // A worker died after it had stored the verdict, but before it could end the job.
    const [stored] = await this.#store.get([id]);
    const verdict = stored ?? (await this.#verdictOf(id, job, token));
    // BullMQ keeps failed jobs, for `VerifyQueue.quarantined`.
    if (verdict.outcome !== "ok" && verdict.quarantined) throw new UnrecoverableError(verdict.message);
  }

  /** Runs an attempt, and stores its verdict. Throws if another attempt is to follow. */
  async #verdictOf(id: string, job: BullJob<JobData>, token: string | undefined): Promise<Verdict> {
    const { keep, onVerdict, onProblem } = this.#settings;
    const { attemptsMade, stalledCounter } = job;
    const put = async (found: Verdict) => {
      const verdict = await this.#store.put(id, found, keep);
      onVerdict?.(id, verdict);
      return verdict;
    };
    const quarantine = (found: RejectedReplay, attempts: number) =>
      put({
        ...found,
        message: `${found.message} (quarantined after ${attempts} attempts)`,
        quarantined: true,
        attempts,
      });

    if (stalledCounter >= MAX_DEATHS)
      return quarantine(
        { outcome: "failed", message: "each worker died while it verified this replay" },
        stalledCounter,
      );
    const process = this.#idle.pop() ?? new JobProcess(this.#settings.process);
    this.#processes.add(process);
    // After a failed attempt, nothing that another job left behind may be to blame.
    if (attemptsMade > 0) process.kill();
    const { replay, guard } = job.data;
    const answer = await process.run({ bytes: Buffer.from(replay, "base64"), guard });
    this.#idle.push(process);
    if ("verdict" in answer) return put(answer.verdict);

    const problem = "broken" in answer ? answer.broken : answer.poison.message;
    onProblem?.(problem, id);
    if ("broken" in answer) {
      // Does not count as an attempt.
      await job.moveToDelayed(Date.now() + RETRY, token);
      throw new this.#modules.bullmq.DelayedError();
    }
    const attempts = attemptsMade + 1;
    if (attempts >= ATTEMPTS) return quarantine(answer.poison, attempts);
    throw new Error(problem);
  }
}
