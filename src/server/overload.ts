import { monitorEventLoopDelay, performance, type IntervalHistogram } from "node:perf_hooks";
import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import type { Lateness } from "./rooms/lateness.js";

/** Steps in a second, below which their lateness says nothing. */
const MIN_STEPS = 30;
/** By how many times `lateMs` the event loop may be late. It also waits for handshakes and files, which do not disturb rooms. */
const LOOP_FACTOR = 5;
/** The part of the time that a process may be busy. Beyond that, packets wait, so the event loop may be late by `lateMs` only. */
const MAX_BUSY = 0.95;
/** Samples in a row that are bad, or good, before the answer changes. */
const BAD = 2;
const GOOD = 5;
/** The part of the memory that may be used before new rooms are refused. */
const MEMORY_PART = 0.8;
/** Milliseconds between two looks at the event loop. */
const RESOLUTION = 10;

/** Decides whether a process can take new rooms. Call `sample` once per second. */
export class Overload {
  readonly #lateMs: number;
  readonly #memory: number;
  readonly #loop: IntervalHistogram;
  #lastUtilization = performance.eventLoopUtilization();
  #bad = 0;
  #good = 0;
  /** Why no new rooms can be taken; undefined if they can. */
  reason: string | undefined;
  lateP50 = 0;
  lateP99 = 0;
  lateMax = 0;
  loopDelay = 0;

  /** `memory`: bytes that the process may use. 0: 80 % of what it can have. */
  constructor(lateMs: number, memory: number) {
    this.#lateMs = lateMs;
    this.#memory = memory;
    this.#loop = monitorEventLoopDelay({ resolution: RESOLUTION });
    this.#loop.enable();
  }

  /** Takes the lateness of the last second, and resets it. */
  sample(lateness: Lateness): void {
    this.lateP50 = lateness.quantile(0.5);
    this.lateP99 = lateness.quantile(0.99);
    this.lateMax = lateness.max;
    const delay = this.#loop.count > 0 ? this.#loop.percentile(99) / 1e6 - RESOLUTION : 0;
    this.loopDelay = Math.max(0, delay);
    this.#loop.reset();
    const { utilization } = performance.eventLoopUtilization(this.#lastUtilization);
    this.#lastUtilization = performance.eventLoopUtilization();
    const problem = this.#problem(lateness.count, utilization > MAX_BUSY ? 1 : LOOP_FACTOR);
    lateness.reset();
    this.#bad = problem === undefined ? 0 : this.#bad + 1;
    this.#good = problem === undefined ? this.#good + 1 : 0;
    if (this.#bad >= BAD) this.reason = problem;
    else if (this.#good >= GOOD) this.reason = undefined;
  }

  #problem(steps: number, loopFactor: number): string | undefined {
    if (steps >= MIN_STEPS && this.lateP99 > this.#lateMs) return "steps begin too late";
    if (this.loopDelay > loopFactor * this.#lateMs) return "the process is too busy";
    const { rss, heapUsed } = process.memoryUsage();
    const { heap_size_limit: heapLimit } = getHeapStatistics();
    if (heapUsed > MEMORY_PART * heapLimit) return "too little memory is left";
    if (rss > (this.#memory || MEMORY_PART * memoryOfMachine())) return "too little memory is left";
    return undefined;
  }

  stop(): void {
    this.#loop.disable();
  }
}

/** The memory that this process can have: that of its container, or of the machine. */
function memoryOfMachine(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 && limit < totalmem() ? limit : totalmem();
}
