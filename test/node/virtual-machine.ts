// A simulated machine: its clock, timers and event loop replace Node's, so that drivers can be tested on an idle, busy or
// stopped machine, always with the same result.
import { vi } from "vitest";

export interface MachineOptions {
  /** Milliseconds by which a timer, or a thread that sleeps, wakes late. Default: 0. */
  late?: () => number;
  /** Milliseconds for which another process has the core, asked at each reading of the clock. Default: 0. */
  interrupted?: () => number;
}

interface Timer {
  at: number;
  callback: () => void;
}

/** Milliseconds that it costs to read the clock. */
export const READING = 0.002;
/** Milliseconds that a turn of the event loop takes. */
const TURN = 0.005;

export class VirtualMachine {
  /** Milliseconds since it was started. */
  time = 1000;
  /** Milliseconds that the thread has slept, and the longest it did at once. */
  slept = 0;
  longestSleep = 0;
  /** Turns of the event loop so far. */
  turns = 0;
  readonly #late: () => number;
  readonly #interrupted: () => number;
  readonly #timers = new Set<Timer>();
  #immediates = new Set<{ callback: () => void }>();

  constructor({ late = () => 0, interrupted = () => 0 }: MachineOptions = {}) {
    this.#late = late;
    this.#interrupted = interrupted;
  }

  /** Replaces the clock, the timers and `Atomics.wait` of this process, until `vi.unstubAllGlobals`. */
  install(): void {
    vi.stubGlobal("performance", { now: () => this.#read() });
    vi.stubGlobal("setTimeout", (callback: () => void, milliseconds: number) =>
      this.#after(callback, milliseconds),
    );
    vi.stubGlobal("clearTimeout", (timer: Timer) => void this.#timers.delete(timer));
    vi.stubGlobal("setImmediate", (callback: () => void) => {
      const turn = { callback };
      this.#immediates.add(turn);
      return turn;
    });
    vi.stubGlobal("clearImmediate", (turn: { callback: () => void }) => void this.#immediates.delete(turn));
    vi.stubGlobal("Atomics", {
      wait: (_cell: Int32Array, _index: number, _value: number, milliseconds: number) => {
        this.slept += milliseconds;
        this.longestSleep = Math.max(this.longestSleep, milliseconds);
        this.time += milliseconds + this.#late();
        return "timed-out";
      },
    });
  }

  /** Number of pending timers and callbacks: 0 for a process that may end. */
  get pending(): number {
    return this.#timers.size + this.#immediates.size;
  }

  /** Runs the event loop for some milliseconds, or until nothing is pending. */
  run(milliseconds: number): void {
    const end = this.time + milliseconds;
    while (this.time < end && this.pending > 0) {
      this.turns++;
      for (const timer of this.#due()) {
        if (this.#timers.delete(timer)) timer.callback();
      }
      const immediates = [...this.#immediates];
      for (const turn of immediates) if (this.#immediates.delete(turn)) turn.callback();
      if (this.#immediates.size > 0) this.time += TURN;
      else this.#sleepUntil(Math.min(end, ...[...this.#timers].map(({ at }) => at)));
    }
  }

  /** Runs nothing for some time, as if the process were stopped. */
  stop(milliseconds: number): void {
    this.time += milliseconds;
  }

  #read(): number {
    this.time += READING + this.#interrupted();
    return this.time;
  }

  #after(callback: () => void, milliseconds: number): Timer {
    // As in Node: whole milliseconds, at least one.
    const timer = { at: this.time + Math.max(1, Math.trunc(milliseconds)), callback };
    this.#timers.add(timer);
    return timer;
  }

  #due(): Timer[] {
    return [...this.#timers].filter(({ at }) => at <= this.time).sort((a, b) => a.at - b.at);
  }

  #sleepUntil(time: number): void {
    if (time > this.time) this.time = time + this.#late();
  }
}
