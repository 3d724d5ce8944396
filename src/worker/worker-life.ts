import { misuse, onBehalfOf } from "../errors/index.js";
import type { AnySimulation } from "../sim/simulation.js";
import type { Fields } from "../state/index.js";
import { NewestState } from "./newest-state.js";
import { PageStates, type MemoryMode } from "./page-states.js";
import type { WorkerLike } from "./port.js";
import type { Call, Start, ToPage, ToWorker } from "./protocol.js";
import { errorOf, rejectFailure, type WorkerFailure, type WorkerFailureReason } from "./worker-failure.js";
import { WorkerLink } from "./worker-link.js";

/** What the life of a worker tells its session. */
export interface LifeHost {
  /** Returns what the worker needs to begin, besides its memory and its first state. */
  startOf(): Omit<Start, "kind" | "start" | "shared" | "from">;
  onMessage(message: ToPage): void;
  onFailure(failure: WorkerFailure): void;
  /** Another worker will simulate from the last state on. */
  onRestart(): void;
}

/** What a life needs to know about its session. */
export interface LifeOptions<S extends Fields> {
  readonly call: string;
  readonly simulation: AnySimulation<S>;
  readonly memory: MemoryMode;
  readonly kernels: "auto" | "wasm" | "js" | undefined;
  readonly now: () => number;
  /** The state to begin with. */
  readonly from: Uint8Array | undefined;
  readonly timeout: number | undefined;
}

/** The life of a session's worker: its start, its failure, its successor after a restart, and its end. */
export class WorkerLife<S extends Fields> {
  readonly newest: NewestState<S>;
  readonly #options: LifeOptions<S>;
  readonly #host: LifeHost;
  #link!: WorkerLink;
  /** The states of a worker that has not begun yet; those that are shown otherwise. */
  #incoming: PageStates<S>;
  /** Counts the starts: messages of an earlier one are ignored. */
  #start = 1;
  /** The last start that the worker was told. */
  #startedAs = 0;
  #isReady = false;
  #ready!: Promise<void>;
  #resolveReady!: () => void;
  #rejectReady!: (error: Error) => void;
  #failure: WorkerFailure | undefined;
  #from: Uint8Array | undefined;
  /** The newest state with external state that the worker has sent. */
  #saved: Uint8Array | undefined;
  #isDisposed = false;

  constructor(options: LifeOptions<S>, host: LifeHost) {
    this.#options = options;
    this.#host = host;
    this.#from = options.from;
    this.#incoming = this.#newStates();
    this.newest = new NewestState(options.simulation, this.#incoming);
    this.#prepareReady();
  }

  /** Connects the first worker. */
  open(worker: WorkerLike): void {
    this.#link = this.#newLink(`${this.#options.call}: worker`, worker);
  }

  get link(): WorkerLink {
    return this.#link;
  }
  get ready(): Promise<void> {
    return this.#ready;
  }
  get failure(): WorkerFailure | undefined {
    return this.#failure;
  }
  get isDisposed(): boolean {
    return this.#isDisposed;
  }
  /** Whether the worker was told to begin. */
  get isStarted(): boolean {
    return this.#startedAs === this.#start;
  }

  #newStates(): PageStates<S> {
    const { call, simulation, memory, kernels } = this.#options;
    return onBehalfOf(call, ["Layout.allocate"], () => new PageStates<S>(simulation, memory, kernels));
  }

  #newLink(call: string, worker: WorkerLike): WorkerLink {
    const { simulation, now, timeout = 10 } = this.#options;
    const start = this.#start;
    const isMine = () => start === this.#start && !this.#isDisposed;
    const link: WorkerLink = new WorkerLink(
      call,
      worker,
      simulation as AnySimulation,
      {
        onHello: () => isMine() && this.#begin(),
        onMessage: (message) => {
          if (isMine() && (!("start" in message) || message.start === start)) this.#onMessage(message);
        },
        onBuffer: (buffer) => {
          if (!isMine()) return;
          const at = now() + link.clock.value;
          if (this.#incoming.isState(buffer, start)) {
            this.#incoming.take(buffer, at);
            link.giveBack(buffer);
          }
        },
        onFailure: (reason, error) => isMine() && this.#fail(reason, undefined, error),
      },
      now,
      timeout,
    );
    return link;
  }

  #prepareReady(): void {
    this.#isReady = false;
    this.#ready = new Promise((resolve, reject) => {
      this.#resolveReady = resolve;
      this.#rejectReady = reject;
    });
    // A failure is an event, too, and `advance` throws it.
    this.#ready.catch(() => {});
  }

  /** Sends the worker everything that it needs to begin. */
  #begin(): void {
    this.#startedAs = this.#start;
    this.#link.post({
      kind: "start",
      start: this.#start,
      shared: this.#incoming.shared,
      from: this.#from,
      ...this.#host.startOf(),
    });
  }

  #onMessage(message: ToPage): void {
    switch (message.kind) {
      case "ready":
        this.newest.states = this.#incoming;
        this.#incoming.ring.claimNewest();
        this.#isReady = true;
        return this.#resolveReady();
      case "saved":
        this.#saved = message.bytes;
        return;
      case "failed":
        return this.#fail(this.#isReady ? "step" : "start", message.tick, errorOf(message.error));
      default:
        this.#host.onMessage(message);
    }
  }

  /** Without `tick`, it is that of the newest state. */
  #fail(reason: WorkerFailureReason, tick: number | undefined, error: Error): void {
    if (this.#failure || this.#isDisposed) return;
    // The worker may have stepped on since the last frame. A restart must not continue from a later state than `tick` says.
    this.newest.states.ring.claimNewest();
    const failure = { reason, tick: tick ?? this.newest.tick, error };
    this.#failure = failure;
    this.#link.rejectAll(error);
    this.#rejectReady(error);
    this.#host.onFailure(failure);
  }

  /** Sends a message, if the worker has begun. What comes before is part of its start. */
  readonly post = (message: ToWorker): void => {
    if (this.isStarted && !this.#isDisposed) this.#link.post(message);
  };

  /** Asks the worker for something as soon as it is ready, and waits for the answer. */
  async ask(call: Call): Promise<unknown> {
    this.requireAlive();
    if (this.#failure) rejectFailure(this.#failure);
    if (!this.#isReady) await this.#ready;
    this.requireAlive();
    return this.#link.ask(call);
  }

  /** Returns the worker's current state as bytes, external state included. A restart continues from there. */
  async save(): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = (await this.ask({ name: "save" })) as Uint8Array<ArrayBuffer>;
    if (this.newest.hasExternal) this.#saved = bytes;
    return bytes;
  }

  /** Continues from the last state, in the same worker or in a new one. */
  restart(worker: WorkerLike | undefined): Promise<void> {
    this.requireAlive();
    const failure = this.#failure;
    const isDead = failure !== undefined && failure.reason !== "step" && failure.reason !== "start";
    if (worker === undefined && isDead)
      misuse(
        "not-ready",
        "Session.restart",
        "the worker is dead",
        'Pass a new one: restart(new Worker(new URL("./game.worker.js", import.meta.url), { type: "module" }))',
      );
    this.#from = this.#lastBytes();
    this.#failure = undefined;
    this.#rejectReady(new Error("the session was restarted"));
    this.#prepareReady();
    this.#link.rejectAll(new Error("the session was restarted"));
    this.#start++;
    this.#incoming = this.#newStates();
    this.#host.onRestart();
    const old = this.#link;
    if (worker !== undefined) {
      this.#link = this.#newLink("Session.restart: worker", worker);
      old.end(false);
    } else {
      this.#link = this.#newLink("Session.restart: worker", old.worker);
      old.leave();
    }
    return this.#ready;
  }

  #lastBytes(): Uint8Array | undefined {
    const { newest } = this;
    const { from } = this.#options;
    if (newest.hasExternal) return this.#saved ?? from;
    if (!newest.states.hasState) return from;
    newest.states.ring.claimNewest();
    return newest.bytes();
  }

  /** Ends the worker, or lets it wait for another session. */
  dispose(keepsWorker: boolean): void {
    this.#isDisposed = true;
    this.#link.rejectAll(new Error("the session was disposed"));
    this.#rejectReady(new Error("the session was disposed"));
    this.#link.end(keepsWorker);
    this.newest.states.ring.release();
  }

  requireAlive(): void {
    if (this.#isDisposed) misuse("disposed", "Session", "already disposed", "Create a new one");
  }
}
