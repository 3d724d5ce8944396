import { isMainThread, Worker } from "node:worker_threads";

/** Milliseconds between two checks by the thread. */
const EVERY = 50;
/** Indices of the shared cells: the number of the call that runs, or 0; how often it may be seen; whether the thread runs. */
const CALL = 0;
const LOOKS = 1;
const READY = 2;

/**
 * What the thread does. It counts how often it sees the same call, not the time, so that a suspended process does not look like a hanging
 * call. It claims a call by negating its number: a call that returns at that moment waits until it is ended, so nothing else is.
 */
const PROGRAM = `
const { Session } = require("node:inspector");
const cells = new Int32Array(require("node:worker_threads").workerData);
let seen = 0;
let looks = 0;
setInterval(() => {
  const call = Atomics.load(cells, ${CALL});
  looks = call === seen ? looks + 1 : 0;
  seen = call;
  if (call <= 0 || looks < Atomics.load(cells, ${LOOKS})) return;
  if (Atomics.compareExchange(cells, ${CALL}, call, -call) !== call) return;
  const session = new Session();
  session.connectToMainThread();
  session.post("Runtime.terminateExecution", () => session.disconnect());
}, ${EVERY});
Atomics.store(cells, ${READY}, 1);
`;

/** A thread that ends calls of the main thread that do not return. A call only writes two numbers to shared memory. */
export class WatchThread {
  readonly #cells = new Int32Array(new SharedArrayBuffer(12));
  #calls = 0;

  /** Starts the thread. It does not keep the process alive. */
  constructor() {
    const worker = new Worker(PROGRAM, {
      eval: true,
      workerData: this.#cells.buffer,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 },
    });
    worker.unref();
    worker.on("error", () => this.#stopped());
    worker.on("exit", () => this.#stopped());
  }

  /** Whether a thread can end calls of this one: only those of the main thread. */
  static get isPossible(): boolean {
    return isMainThread;
  }

  /** Whether the thread runs. */
  get isReady(): boolean {
    return Atomics.load(this.#cells, READY) === 1;
  }

  #stopped(): void {
    Atomics.store(this.#cells, READY, 0);
  }

  /** Begins to watch a call that may take `limit` milliseconds. */
  begin(limit: number): void {
    this.#calls = (this.#calls % 0x7fff_ffff) + 1;
    Atomics.store(this.#cells, LOOKS, Math.ceil(limit / EVERY));
    Atomics.store(this.#cells, CALL, this.#calls);
  }

  /** The call has returned. If the thread has already claimed it, waits to be ended. */
  returned(): void {
    while (Atomics.compareExchange(this.#cells, CALL, this.#calls, 0) !== this.#calls);
  }

  /** The call was ended. */
  ended(): void {
    Atomics.store(this.#cells, CALL, 0);
  }
}
