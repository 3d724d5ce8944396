import { systemNow } from "../../platform/index.js";
import { emptiest, type HostPort } from "../directory.js";
import type { Front } from "../front.js";
import { countersOf, NO_STATS, sumStats, type HostStats } from "../host-stats.js";
import type { Log, LogEntry } from "../log.js";
import type { CheckedServerOptions } from "../options.js";
import { Recordings } from "../recordings.js";
import type { Hosts } from "../start-server.js";
import { Saves } from "../saves.js";
import type { Listing } from "../ticket.js";
import { WorkerPort } from "./worker-port.js";
import type { ChildProcess } from "node:child_process";

/** Milliseconds of silence, after which a worker is replaced. Its watchdog ends hanging steps long before. */
const ANSWER_WITHIN = 10_000;
/** Milliseconds between two looks at all workers. */
const CHECK_EVERY = 1000;
/** Milliseconds that a worker has to save its rooms. */
const CLOSE_WITHIN = 20_000;
/** Milliseconds before a worker that died is replaced: more, if workers die again and again. */
const FIRST_DELAY = 50;
const MAX_DELAY = 30_000;
/** How many workers try to continue a room, and milliseconds to wait for one that is ready. */
const RESUME_ATTEMPTS = 4;
const READY_WITHIN = 60_000;
const LOOK = 50;
/** A worker that has lived this long was not broken from the start. */
const LONG_LIFE = 60_000;

export interface PoolOptions {
  readonly options: CheckedServerOptions;
  readonly front: Front;
  readonly log: Log;
  readonly write: (entry: LogEntry) => void;
  /** Starts a process. */
  readonly fork: () => ChildProcess;
  readonly count: number;
  /** Milliseconds of silence, after which a worker is replaced. */
  readonly answerWithin?: number | undefined;
}

/** The processes that run rooms. One that dies, or does not answer, is replaced, and its rooms are continued if they were saved. */
export class WorkerPool implements Hosts {
  restarts = 0;
  past: HostStats = NO_STATS;
  readonly #options: PoolOptions;
  readonly #answerWithin: number;
  readonly #workers = new Set<WorkerPort>();
  readonly #timer: NodeJS.Timeout;
  #checkedAt = systemNow();
  #delay = FIRST_DELAY;
  #isClosing = false;

  private constructor(options: PoolOptions) {
    this.#options = options;
    this.#answerWithin = Math.max(options.answerWithin ?? ANSWER_WITHIN, 2 * options.options.hangAfter);
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY);
  }

  /** Starts all workers, and continues saved rooms. Rejects if a worker cannot run the game. */
  static async open(options: PoolOptions): Promise<WorkerPool> {
    const pool = new WorkerPool(options);
    try {
      const started = Array.from({ length: options.count }, () => pool.#start());
      await Promise.all(started.map((worker) => worker.ready));
      await pool.#resumeAll();
      return pool;
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  get ports(): readonly HostPort[] {
    return [...this.#workers].filter(({ isReady }) => isReady);
  }

  #start(): WorkerPort {
    const { front, fork, write, log } = this.#options;
    const startedAt = systemNow();
    const worker: WorkerPort = new WorkerPort(
      fork(),
      front.eventsOf(() => worker),
      write,
    );
    this.#workers.add(worker);
    void worker.ready.then(
      () => log("info", "worker ready", { pid: worker.pid }),
      () => {},
    );
    void worker.ended.then(() => this.#onEnded(worker, startedAt));
    return worker;
  }

  #onEnded(worker: WorkerPort, startedAt: number): void {
    const { front, log, options } = this.#options;
    this.#workers.delete(worker);
    worker.releaseAll();
    this.past = sumStats([this.past, countersOf(worker.stats())]);
    const lost = front.directory.dropHost(worker);
    if (this.#isClosing) return;
    this.restarts++;
    log("error", "worker died", { pid: worker.pid, rooms: lost.length });
    if (systemNow() - startedAt > LONG_LIFE) this.#delay = FIRST_DELAY;
    setTimeout(() => {
      if (this.#isClosing) return;
      this.#start().ready.catch((error: unknown) => log("error", "worker failed", { reason: String(error) }));
    }, this.#delay);
    this.#delay = Math.min(2 * this.#delay, MAX_DELAY);
    const canResume = options.saves !== undefined && options.mode === "authority";
    for (const listing of lost) {
      if (canResume && listing.kind === "room") this.#resumeLater(listing);
      else if (listing.kind === "room") this.#lost(listing.id, "its process died");
    }
  }

  /** Continues a room of a worker that died. Players who come back meanwhile wait for it. */
  #resumeLater({ id, code }: Listing): void {
    const { front, options } = this.#options;
    const resumed = (async () => {
      if (options.replays !== undefined) await Recordings.finishLost(options.replays, id);
      await this.#resume(id);
    })();
    front.directory.waitFor(code, resumed);
  }

  /** Continues a room on the worker that has least to do; on another one, if that dies before it could. */
  async #resume(id: string): Promise<void> {
    for (let attempt = 0; attempt < RESUME_ATTEMPTS && !this.#isClosing; attempt++) {
      const worker = await this.#readyWorker();
      if (!worker) break;
      if (await worker.resume(id)) return;
      if (!worker.hasEnded) break;
    }
    if (!this.#isClosing) this.#lost(id, "no process could continue it");
  }

  #lost(room: string, reason: string): void {
    this.past = { ...this.past, roomsFailed: this.past.roomsFailed + 1 };
    this.#options.log("error", "room lost", { room, reason });
  }

  /** Returns the worker with the fewest rooms. Waits if none is ready. */
  async #readyWorker(): Promise<WorkerPort | undefined> {
    for (let waited = 0; waited < READY_WITHIN && !this.#isClosing; waited += LOOK) {
      const best = emptiest([...this.#workers].filter(({ isReady }) => isReady));
      if (best) return best;
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
    return undefined;
  }

  async #resumeAll(): Promise<void> {
    const { options, log } = this.#options;
    if (options.saves === undefined || options.mode !== "authority") return;
    const saves = Saves.open(options.saves, log);
    await saves.resumeAll((id) => this.#resume(id));
  }

  /** Ends workers that do not answer. */
  #check(): void {
    const now = systemNow();
    // A paused container stops all processes: workers are not to blame for that time.
    const paused = Math.max(0, now - this.#checkedAt - CHECK_EVERY);
    this.#checkedAt = now;
    for (const worker of this.#workers) {
      worker.heardAt = Math.min(now, worker.heardAt + paused);
      if (worker.isReady && now - worker.heardAt > this.#answerWithin) {
        this.#options.log("error", "worker hangs", { pid: worker.pid });
        worker.kill();
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    const workers = [...this.#workers];
    for (const worker of workers) worker.close();
    const timer = setTimeout(() => {
      for (const worker of workers) worker.kill();
    }, CLOSE_WITHIN);
    await Promise.all(workers.map((worker) => worker.ended));
    clearTimeout(timer);
  }
}
