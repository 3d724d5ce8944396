import { systemTimeOrigin } from "../platform/index.js";
import type { AnySimulation } from "../sim/index.js";
import { ClockOffset } from "./clock-offset.js";
import { Port, type WorkerLike } from "./port.js";
import {
  isMarked,
  marked,
  PROTOCOL,
  type Call,
  type ErrorData,
  type Hello,
  type ToPage,
  type ToWorker,
} from "./protocol.js";
import { errorOf, type WorkerFailureReason } from "./worker-failure.js";

/** Milliseconds between two questions for the worker's time. */
const PING_EVERY = 1000;
/** Questions that follow each other at once in the beginning. */
const FIRST_PINGS = 5;
/** How many milliseconds a worker has to load, at least: that depends on the network, and says nothing about its steps. */
const LOADING = 30_000;
/** The page itself stood still if it did not look for so many milliseconds: the worker had no chance to answer. */
const PAUSE = 1000;

/** What a link tells its session. */
export interface LinkHost {
  /** The worker serves the simulation: send it the start. */
  onHello(): void;
  onMessage(message: ToPage): void;
  onBuffer(buffer: ArrayBuffer): void;
  onFailure(reason: WorkerFailureReason, error: Error): void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The line to one worker: messages, calls that are answered, the clocks, and signs of life. */
export class WorkerLink {
  readonly clock = new ClockOffset();
  readonly #simulation: AnySimulation;
  readonly #port: Port;
  readonly #host: LinkHost;
  readonly #now: () => number;
  readonly #timeout: number;
  readonly #waiting = new Map<number, Waiting>();
  #lastCall = 0;
  #pings = 0;
  #hasGreeted = false;
  #isOver = false;
  /** When the worker was heard, asked, and looked for. In an array, as fields would allocate each new number. */
  readonly #times: Float64Array;

  constructor(
    call: string,
    worker: WorkerLike,
    simulation: AnySimulation,
    host: LinkHost,
    now: () => number,
    timeout: number,
  ) {
    this.worker = worker;
    this.#simulation = simulation;
    this.#host = host;
    this.#now = now;
    this.#timeout = 1000 * timeout;
    this.#times = new Float64Array(3).fill(now());
    this.#port = new Port(call, worker, {
      onMessage: (data) => this.#onMessage(data),
      onError: (error) => this.#fail(this.#hasGreeted ? "error" : "load", toError(error)),
      onExit: (code) => this.#fail("exit", new Error(`exit code ${code}`)),
    });
    // It may be served already, and its greeting was missed.
    this.post({ kind: "greet" });
  }

  post(message: ToWorker): void {
    if (!this.#isOver) this.#port.post(marked(message));
  }

  /** Gives a buffer back to the worker. */
  giveBack(buffer: ArrayBuffer): void {
    if (!this.#isOver) this.#port.post(buffer, [buffer]);
  }

  /** Asks for something, and waits for the answer. */
  ask(call: Call): Promise<unknown> {
    const id = ++this.#lastCall;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.post({ kind: "call", id, call });
    });
  }

  /** The worker has shown that it is alive, by the last `poll`. */
  hear(): void {
    this.#times[HEARD] = this.#times[LOOKED]!;
  }

  /** Asks for the time now and then, and notices if the worker is silent. The time is `at[0]`. */
  poll(at: Float64Array): void {
    const times = this.#times;
    const now = at[0]!;
    if (this.#isOver) return;
    if (now - times[LOOKED]! > PAUSE) times[HEARD] = now;
    times[LOOKED] = now;
    if (this.#hasGreeted && now - times[ASKED]! >= PING_EVERY) this.#ping(now);
    if (now - times[HEARD]! > this.#patience) this.#failSilent();
  }

  /** How many milliseconds the worker may be silent. */
  get #patience(): number {
    return this.#hasGreeted ? this.#timeout : Math.max(this.#timeout, LOADING);
  }

  #failSilent(): void {
    this.#fail("silent", new Error(`nothing was heard for ${this.#patience / 1000} s`));
  }

  #ping(now: number): void {
    this.#times[ASKED] = now;
    this.#pings++;
    this.post({ kind: "ping", sent: now });
  }

  #onMessage(data: unknown): void {
    if (this.#isOver) return;
    const now = this.#now();
    if (data instanceof ArrayBuffer) {
      this.#times[HEARD] = now;
      this.#host.onBuffer(data);
    } else if (isMarked(data)) {
      this.#times[HEARD] = now;
      this.#handle(data as unknown as ToPage, now);
    }
  }

  #handle(message: ToPage, now: number): void {
    if (message.kind === "hello") return this.#onHello(message, now);
    if (message.kind === "pong") {
      this.clock.roundTrip(message.sent, message.answered, now);
      if (this.#pings < FIRST_PINGS) this.#ping(now);
      return;
    }
    if (message.kind === "result") return this.#onResult(message);
    this.#host.onMessage(message);
  }

  #onHello(hello: Hello, now: number): void {
    const { name, version, fingerprint } = this.#simulation;
    if (this.#hasGreeted) return;
    this.#hasGreeted = true;
    this.clock.tell(systemTimeOrigin(), hello.timeOrigin);
    const problem =
      hello.protocol !== PROTOCOL
        ? "the page and the worker have different versions of tickwise"
        : hello.name !== name || hello.version !== version
          ? `the worker serves version ${hello.version} of ${JSON.stringify(hello.name)}, not version ${version} of ${JSON.stringify(name)}`
          : hello.fingerprint !== fingerprint
            ? `the state or inputs of ${JSON.stringify(name)} differ between page and worker: one of them is an older build`
            : undefined;
    if (problem !== undefined) return this.#fail("start", new Error(problem));
    this.#ping(now);
    this.#host.onHello();
  }

  #onResult({ id, value, error }: { id: number; value: unknown; error: ErrorData | undefined }): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(errorOf(error));
    else waiting?.resolve(value);
  }

  #fail(reason: WorkerFailureReason, error: Error): void {
    if (this.#isOver) return;
    this.#host.onFailure(reason, error);
  }

  /** Rejects what nobody will answer any more. */
  rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  /** The worker, for another link to it. */
  readonly worker: WorkerLike;

  /** Stops listening, and leaves the worker as it is. */
  leave(): void {
    this.#isOver = true;
    this.#port.leave();
  }

  /** Stops listening. Ends the worker, or lets it wait for another session. */
  end(keepsWorker: boolean): void {
    if (this.#isOver) return;
    this.post({ kind: "stop" });
    this.#isOver = true;
    if (keepsWorker) this.#port.leave();
    else this.#port.end();
  }
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const HEARD = 0;
const ASKED = 1;
const LOOKED = 2;
