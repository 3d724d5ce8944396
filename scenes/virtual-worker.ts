// A page and a worker on virtual time, in one thread: messages take some time, and while the worker spends time in a step, the page goes
// on. Every run is the same.
import { StampDriver, type stepTimer } from "../src/loop/index.js";
import type { AnySimulation } from "../src/sim/index.js";
import type { WorkerLike } from "../src/worker/index.js";
import { WorkerHost } from "../src/worker/worker-host.js";
import type { RunOptions } from "../src/worker/worker-run.js";

type Listener = (event: { data: unknown }) => void;

/** One end of a line. */
class VirtualPort implements WorkerLike {
  readonly #listeners = new Set<Listener>();
  readonly #send: (data: unknown) => void;
  isClosed = false;

  constructor(send: (data: unknown) => void) {
    this.#send = send;
  }
  postMessage(message: unknown, transfer: ArrayBuffer[] = []): void {
    if (!this.isClosed) this.#send(structuredClone(message, { transfer }));
  }
  addEventListener(event: string, listener: Listener): void {
    if (event === "message") this.#listeners.add(listener);
  }
  removeEventListener(_: string, listener: Listener): void {
    this.#listeners.delete(listener);
  }
  close(): void {
    this.isClosed = true;
  }
  receive(data: unknown): void {
    for (const listener of this.#listeners) listener({ data });
  }
}

/** Time that passes only when it is told to. Two threads share it: one of them can be busy while the other one goes on. */
export class VirtualTime {
  #now = 0;
  #order = 0;
  #isBusy = false;
  /** Until when the page draws, and takes no messages. */
  #drawsUntil = 0;
  #events: {
    readonly at: number;
    readonly order: number;
    readonly isWorker: boolean;
    readonly run: () => void;
  }[] = [];
  /** What the worker will do once it is no longer busy. */
  #later: (() => void)[] = [];

  now(): number {
    return this.#now;
  }

  /** Calls a function after some milliseconds. Returns the function that cancels it. */
  after(milliseconds: number, isWorker: boolean, run: () => void): () => void {
    const event = { at: this.#now + milliseconds, order: this.#order++, isWorker, run };
    this.#events.push(event);
    this.#events.sort((a, b) => a.at - b.at || a.order - b.order);
    return () => {
      this.#events = this.#events.filter((other) => other !== event);
      this.#later = this.#later.filter((other) => other !== run);
    };
  }

  /** Lets time pass. A step of the worker that began meanwhile is finished. */
  advance(milliseconds: number): void {
    this.#pass(this.#now + milliseconds);
  }

  #pass(until: number): void {
    for (let next = this.#events[0]; next && next.at <= until; next = this.#events[0]) {
      this.#events.shift();
      this.#now = Math.max(this.#now, next.at);
      if (!next.isWorker && this.#now < this.#drawsUntil)
        this.after(this.#drawsUntil - this.#now, false, next.run);
      else if (!next.isWorker) next.run();
      else if (this.#isBusy) this.#later.push(next.run);
      else this.inWorker(next.run);
    }
    this.#now = Math.max(this.#now, until);
  }

  /** Does something in the worker, and then all that has arrived there meanwhile. */
  inWorker(run: () => void): void {
    this.#isBusy = true;
    try {
      run();
    } finally {
      this.#isBusy = false;
    }
    const next = this.#later.shift();
    if (next) this.inWorker(next);
  }

  /** Lets the page draw for some milliseconds: what arrives meanwhile waits, and the worker goes on. */
  draw(milliseconds: number): void {
    this.#drawsUntil = this.#now + milliseconds;
  }

  /** Lets the worker spend time in what it does: the page goes on. */
  spend(milliseconds: number): void {
    this.#pass(this.#now + milliseconds);
  }
}

export interface VirtualWorker {
  readonly time: VirtualTime;
  /** The worker, as the page has it. */
  readonly port: WorkerLike;
  /** From now on, each frame of the worker is late by what this returns, in milliseconds. */
  lateness: () => number;
}

export interface VirtualOptions extends RunOptions {
  /** Milliseconds from sending a message to its arrival; called for each one if a function. Messages never overtake each other. Default 0.2. */
  readonly latency?: number | (() => number);
  /** How much later the worker's clock began than the page's, in milliseconds; and what its `timeOrigin` says about that. */
  readonly clockStart?: number;
  readonly toldStart?: number;
}

export function virtualWorker(game: AnySimulation, options: VirtualOptions = {}): VirtualWorker {
  const { latency = 0.2, clockStart = 0, toldStart = clockStart, ...run } = options;
  const time = new VirtualTime();
  const now = () => time.now() - clockStart;
  const send = (isToWorker: boolean, receive: (data: unknown) => void) => {
    let last = 0;
    return (data: unknown): void => {
      last = Math.max(last, time.now() + (typeof latency === "number" ? latency : latency()));
      time.after(last - time.now(), isToWorker, () => receive(data));
    };
  };
  const page: VirtualPort = new VirtualPort(send(true, (data) => own.receive(data)));
  const own: VirtualPort = new VirtualPort(
    send(false, (data) => {
      if (!page.isClosed) page.receive(data);
    }),
  );
  const worker: VirtualWorker = { time, port: page, lateness: () => 0 };
  const timer: typeof stepTimer = ({ due, onError }) => {
    let frame: ((timestamp: number) => void) | undefined;
    let cancel = () => {};
    const wake = () => {
      try {
        frame?.(now());
      } catch (error) {
        onError(error);
      }
      cancel();
      if (!frame) return;
      // Not at once: times are rounded, and a step may be due only a little later.
      const left = Math.min(100, Math.max(1e-6, due() - now())) + worker.lateness();
      cancel = time.after(left, true, wake);
    };
    const driver = new StampDriver({
      now,
      begin(onFrame) {
        frame = onFrame;
        wake();
        return () => {
          frame = undefined;
          cancel();
        };
      },
    });
    return Object.assign(driver, { wake });
  };
  const timeOrigin = performance.timeOrigin + toldStart;
  time.inWorker(() => void new WorkerHost("test", game, own, { now, timeOrigin, timer }, run));
  return worker;
}
