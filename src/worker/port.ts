import { badValue, misuse } from "../errors/index.js";

/** A worker of a browser or of Node, or the end of a MessageChannel to it. */
export interface WorkerLike {
  // oxlint-disable-next-line typescript/no-explicit-any -- Browsers and Node declare their own types of transferable objects.
  postMessage(message: any, transfer?: any): void;
}

/** What the two kinds of workers and ports offer, besides `postMessage`. */
interface AnyPort extends WorkerLike {
  on?(event: string, listener: (value: never) => void): unknown;
  off?(event: string, listener: (value: never) => void): unknown;
  addEventListener?(event: string, listener: (event: never) => void): void;
  removeEventListener?(event: string, listener: (event: never) => void): void;
  start?(): void;
  terminate?(): unknown;
  close?(): void;
}

/** What happens at a port. */
export interface PortListeners {
  onMessage(data: unknown): void;
  /** An uncaught error in the worker, or a worker that could not be loaded. */
  onError?(error: unknown): void;
  /** The worker has ended. Only Node reports it. */
  onExit?(code: number): void;
}

/** One end of the line between a page and its worker. */
export class Port {
  readonly #port: AnyPort;
  readonly #off: (() => void)[] = [];

  /** Errors name `call`. */
  constructor(call: string, port: WorkerLike, { onMessage, onError, onExit }: PortListeners) {
    const any = port as AnyPort;
    if (
      typeof any?.postMessage !== "function" ||
      (typeof any.on !== "function" && typeof any.addEventListener !== "function")
    )
      badValue(
        call,
        "a Worker or a MessagePort",
        port,
        'new Worker(new URL("./game.worker.js", import.meta.url), { type: "module" })',
      );
    this.#port = any;
    if (typeof any.on === "function") {
      this.#listen("message", onMessage);
      if (onError) this.#listen("error", onError);
      if (onError) this.#listen("messageerror", onError);
      if (onExit) this.#listen("exit", onExit);
      return;
    }
    this.#listen("message", (event: { readonly data: unknown }) => onMessage(event.data));
    if (onError) {
      this.#listen("error", (event: ErrorEvent) => onError(event.error ?? errorOf(event)));
      this.#listen("messageerror", () => onError(new Error("a message could not be read")));
    }
    // Ports wait for this; workers do not have it.
    any.start?.();
  }

  #listen<T>(event: string, listener: (value: T) => void): void {
    const port = this.#port;
    if (typeof port.on === "function") {
      port.on(event, listener);
      this.#off.push(() => port.off?.(event, listener));
    } else {
      port.addEventListener!(event, listener);
      this.#off.push(() => port.removeEventListener!(event, listener));
    }
  }

  /** Sends a message. Buffers in `transfer` change hands. */
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void {
    if (transfer) this.#port.postMessage(message, transfer);
    else this.#port.postMessage(message);
  }

  /** Stops listening. */
  leave(): void {
    for (const off of this.#off.splice(0)) off();
  }

  /** Stops listening, and ends the worker or closes the port. */
  end(): void {
    this.leave();
    const ended = this.#port.terminate ? this.#port.terminate() : this.#port.close?.();
    // Node says when the worker has ended; nobody waits for it.
    if (ended instanceof Promise) ended.catch(() => {});
  }
}

/** Browsers say little about a worker whose module cannot be loaded. */
function errorOf({ message, filename, lineno, colno }: ErrorEvent): Error {
  const error = new Error(message || "the module of the worker could not be loaded");
  error.stack = filename ? `${error.message}\n    at ${filename}:${lineno}:${colno}` : error.message;
  return error;
}

interface NodeProcess {
  getBuiltinModule?(name: "node:worker_threads"): { readonly parentPort: WorkerLike | null };
}

/** Returns the port from this worker to the program that started it. */
export function ownPort(call: string): WorkerLike {
  // Not an import, so that bundles for browsers have none of Node's modules.
  const { process } = globalThis as { process?: NodeProcess };
  const parentPort = process?.getBuiltinModule?.("node:worker_threads").parentPort;
  if (parentPort) return parentPort;
  const scope = globalThis as unknown as WorkerLike & { document?: unknown; importScripts?: unknown };
  if (typeof scope.postMessage === "function" && typeof scope.importScripts === "function") return scope;
  return misuse(
    "unsupported",
    call,
    "this is not a worker",
    "Call it in the module of a worker, or pass the port: serveSimulation(game, { port: parentPort })",
  );
}
