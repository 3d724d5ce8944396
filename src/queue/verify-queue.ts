import type { Job as BullJob, Queue } from "bullmq";
import type { Redis } from "ioredis";
import { badValue, misuse, requireOptions, requireType, requireWhole } from "../errors/index.js";
import { guard as checkGuard, type GuardOptions } from "../sim/index.js";
import { ATTEMPTS, BACKOFF, jobIdOf, PREFIX, QUEUE_NAME, type JobData } from "./job.js";
import type { OnConnection } from "./on-connection.js";
import { connectRedis, loadModules, requireRedisUrl } from "./redis-link.js";
import { VerdictStore } from "./verdict-store.js";
import type { Verdict } from "./verdict.js";
import { Waiters, type StopSignal } from "./waiters.js";

/** Options of `verifyQueue`. */
export interface QueueOptions {
  /** The name of the queue; its workers must use the same one. Verdicts belong to a name. Default: `"verify"`. */
  readonly name?: string | undefined;
  /** The longest replay, in bytes. Default: 1 MiB. Redis holds waiting replays in memory. */
  readonly maxBytes?: number | undefined;
  /** How many replays may wait or run, with those of other submitters. Default: 10,000. */
  readonly maxWaiting?: number | undefined;
  /** How many quarantined replays are kept for you to look at. Default: 1,000. */
  readonly maxQuarantined?: number | undefined;
  /** Fail replays whose steps make calls that a guard forbids. */
  readonly guard?: GuardOptions | undefined;
  /** Called when Redis becomes reachable or unreachable. Nothing is lost meanwhile: calls wait. */
  readonly onConnection?: OnConnection | undefined;
}

/** Options of `submit`. */
export interface SubmitOptions {
  /** An `AbortSignal` that stops waiting for the verdict. The replay stays in the queue. */
  readonly signal?: StopSignal | undefined;
}

/** A replay that crashed, hung or ran out of memory in every attempt. */
export interface QuarantinedReplay {
  readonly id: string;
  /** The reason of the last attempt. */
  readonly reason: string;
  readonly bytes: Uint8Array;
}

const OPTIONS = Object.keys({
  name: 1,
  maxBytes: 1,
  maxWaiting: 1,
  maxQuarantined: 1,
  guard: 1,
  onConnection: 1,
} satisfies Record<keyof QueueOptions, 1>);

/** The longest replay by default, in bytes. */
const DEFAULT_MAX_BYTES = 2 ** 20;

/**
 * Connects to a queue of replays on Redis, which workers verify: see `verifyWorker` and `tickwise worker`. Needs the packages
 * bullmq and ioredis. Does not wait for Redis: later calls do.
 */
export async function verifyQueue(url: string, options: QueueOptions = {}): Promise<VerifyQueue> {
  requireRedisUrl("verifyQueue: url", url);
  requireOptions("verifyQueue", options, OPTIONS);
  const { name = QUEUE_NAME, maxBytes = DEFAULT_MAX_BYTES, maxWaiting = 10_000 } = options;
  const { maxQuarantined = 1000, guard, onConnection } = options;
  requireQueueName("verifyQueue: name", name);
  requireWhole("verifyQueue: maxBytes", maxBytes, 1, DEFAULT_MAX_BYTES);
  requireWhole("verifyQueue: maxWaiting", maxWaiting, 1, 10_000);
  requireWhole("verifyQueue: maxQuarantined", maxQuarantined, 0, 1000);
  // Throws for names that it does not know.
  if (guard) checkGuard(guard);
  const modules = await loadModules("verifyQueue");
  const redis = connectRedis(modules, url, onConnection);
  const queue = new modules.bullmq.Queue<JobData>(name, {
    connection: redis,
    prefix: PREFIX,
    defaultJobOptions: {
      attempts: ATTEMPTS,
      backoff: { type: "fixed", delay: BACKOFF },
      // The verdict is stored apart from the job, without the bytes.
      removeOnComplete: true,
      removeOnFail: { count: maxQuarantined },
    },
  });
  // The connection reports its errors.
  queue.on("error", () => {});
  return new VerifyQueue(redis, queue, { maxBytes, maxWaiting, guard });
}

/** Checks the name of a queue. */
export function requireQueueName(subject: string, name: unknown): void {
  if (!(typeof name === "string" && /^[\w-]{1,64}$/.test(name)))
    badValue(subject, "a text of 1 to 64 letters, digits, - and _", name, `"${QUEUE_NAME}"`);
}

/** A queue of replays to verify. `verifyQueue` connects to one. */
export class VerifyQueue {
  readonly #redis: Redis;
  readonly #queue: Queue<JobData>;
  readonly #store: VerdictStore;
  readonly #waiters: Waiters;
  readonly #limits: { maxBytes: number; maxWaiting: number; guard: GuardOptions | undefined };
  #isClosed = false;

  /** @internal */
  constructor(
    redis: Redis,
    queue: Queue<JobData>,
    limits: { maxBytes: number; maxWaiting: number; guard: GuardOptions | undefined },
  ) {
    this.#redis = redis;
    this.#queue = queue;
    this.#limits = limits;
    this.#store = new VerdictStore(redis, queue.name);
    this.#waiters = new Waiters(this.#store, (id, bytes) => this.#readd(id, bytes));
  }

  /**
   * Submits a replay, and waits for its verdict. The same bytes have only one verdict: if they were verified before, it returns
   * that one. Throws if the replay is too long (`"bad-value"`) or too many are waiting (`"refused"`).
   */
  async submit(bytes: Uint8Array, options: SubmitOptions = {}): Promise<Verdict> {
    const id = await this.#add("submit", bytes);
    return this.#waiters.wait(id, bytes, options.signal);
  }

  /** Submits a replay without waiting. Returns its id, for `verdict`. Throws as `submit` does. */
  add(bytes: Uint8Array): Promise<string> {
    return this.#add("add", bytes);
  }

  /** Returns the verdict of a replay; undefined if it is still waiting, was never submitted, or its verdict has expired. */
  async verdict(id: string): Promise<Verdict | undefined> {
    this.#requireOpen("verdict");
    requireType("VerifyQueue.verdict: id", id, "string", "await queue.add(bytes)");
    return (await this.#store.get([id]))[0];
  }

  /** Returns how many replays wait or are being verified. */
  async waiting(): Promise<number> {
    this.#requireOpen("waiting");
    return this.#queue.getJobCountByTypes("wait", "delayed", "prioritized", "active");
  }

  /** Returns quarantined replays, the newest first. */
  async quarantined(max = 100): Promise<QuarantinedReplay[]> {
    this.#requireOpen("quarantined");
    requireWhole("VerifyQueue.quarantined: max", max, 1, 100);
    const jobs = await this.#queue.getJobs(["failed"], 0, max - 1);
    // A job may be removed while the list is read.
    return jobs.filter(Boolean).map(({ id, failedReason, data }) => ({
      id: id!,
      reason: failedReason ?? "",
      bytes: Buffer.from(data.replay, "base64"),
    }));
  }

  /**
   * Removes the verdict of a replay, and releases it from quarantine. It gets a new verdict when it is submitted
   * again. Use it after you have added or fixed a simulation.
   */
  async forget(id: string): Promise<void> {
    this.#requireOpen("forget");
    const job = await this.#queue.getJob(id);
    if (job && (await job.isFailed())) await job.remove();
    await this.#store.remove(id);
  }

  /** Closes the connection. Calls that still wait are rejected; what they submitted stays in the queue. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#waiters.close();
    await this.#queue.close().catch(() => {});
    this.#redis.disconnect();
  }

  async #add(call: string, bytes: Uint8Array): Promise<string> {
    this.#requireOpen(call);
    const { maxBytes, maxWaiting, guard } = this.#limits;
    if (!(bytes instanceof Uint8Array))
      badValue(`VerifyQueue.${call}: bytes`, "a Uint8Array", bytes, "the bytes of a .twr file");
    if (bytes.length > maxBytes)
      badValue(`VerifyQueue.${call}: bytes.length`, `at most ${maxBytes}`, bytes.length, "a larger maxBytes");
    const id = jobIdOf(bytes, guard);
    if ((await this.#store.get([id]))[0]) return id;
    const waiting = await this.waiting();
    if (waiting >= maxWaiting && !(await this.#queue.getJob(id)))
      misuse("refused", `VerifyQueue.${call}`, `${waiting} replays are waiting already`, "Try again later");
    await this.#enqueue(call, id, bytes);
    return id;
  }

  async #enqueue(call: string, id: string, bytes: Uint8Array): Promise<void> {
    const { guard } = this.#limits;
    const replay = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
    try {
      // Does nothing if the job exists.
      await this.#queue.add("verify", guard ? { replay, guard } : { replay }, { jobId: id });
    } catch (error) {
      if (!(error as Error).message.includes("OOM")) throw error;
      misuse("refused", `VerifyQueue.${call}`, "Redis is out of memory", "Try again later", error);
    }
  }

  /** For a replay that waits for long: makes sure that its job exists, as Redis may have lost it. */
  async #readd(id: string, bytes: Uint8Array): Promise<void> {
    const job: BullJob<JobData> | undefined = await this.#queue.getJob(id);
    const state = await job?.getState();
    // A worker stores the verdict before it ends the job.
    if ((await this.#store.get([id]))[0]) return;
    if (state === undefined || state === "unknown") await this.#enqueue("submit", id, bytes);
    // Failed for another reason than the replay, as there is no verdict.
    else if (state === "failed") await job!.retry().catch(() => {});
  }

  #requireOpen(call: string): void {
    if (this.#isClosed) misuse("disposed", `VerifyQueue.${call}`, "already closed", "Create a new one");
  }
}
