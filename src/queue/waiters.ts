import { misuse, TickwiseError } from "../errors/index.js";
import type { VerdictStore } from "./verdict-store.js";
import type { Verdict } from "./verdict.js";

/** Milliseconds between two looks for verdicts. */
const PERIOD = 50;

/** Looks between two checks that the jobs still exist. */
const CHECK = 100;

/** Checks at the same time. */
const BATCH = 100;

/** What is used of an `AbortSignal`, whose type is not known without a page or Node. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

interface Waiter {
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Waits for verdicts. It asks for all of them together, instead of listening to events: an answer cannot be missed while Redis
 * restarts, and one command serves hundreds of replays.
 */
export class Waiters {
  readonly #store: VerdictStore;
  readonly #check: (id: string, bytes: Uint8Array) => Promise<void>;
  readonly #waiting = new Map<string, { readonly bytes: Uint8Array; readonly all: Set<Waiter> }>();
  #isPolling = false;
  #isClosed = false;

  /** `check` is called now and then for each replay that still waits. */
  constructor(store: VerdictStore, check: (id: string, bytes: Uint8Array) => Promise<void>) {
    this.#store = store;
    this.#check = check;
  }

  wait(id: string, bytes: Uint8Array, signal?: StopSignal): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      const stop = () => waiter.reject(signal!.reason);
      const end = () => {
        signal?.removeEventListener("abort", stop);
        one.all.delete(waiter);
        if (one.all.size === 0) this.#waiting.delete(id);
      };
      const waiter: Waiter = {
        resolve(verdict) {
          end();
          resolve(verdict);
        },
        reject(reason) {
          end();
          reject(reason);
        },
      };
      const one = this.#waiting.get(id) ?? { bytes, all: new Set() };
      one.all.add(waiter);
      this.#waiting.set(id, one);
      if (this.#isClosed) return waiter.reject(closedError());
      if (signal?.aborted) return stop();
      signal?.addEventListener("abort", stop);
      void this.#poll();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#rejectAll(closedError());
  }

  /** Runs while something waits. */
  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    for (let round = 1; this.#waiting.size > 0; round++) {
      try {
        const ids = [...this.#waiting.keys()];
        const verdicts = await this.#store.get(ids);
        ids.forEach((id, i) => {
          const verdict = verdicts[i];
          if (verdict) for (const { resolve } of this.#waiting.get(id)?.all ?? []) resolve(verdict);
        });
        if (round % CHECK === 0) await this.#checkAll();
      } catch (error) {
        // A refusal while Redis is full or restarts: the next round tries again. Anything else is a bug, or a closed connection.
        if (!this.#isClosed && !isTemporary(error)) this.#rejectAll(error);
      }
      if (this.#waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, PERIOD));
    }
    this.#isPolling = false;
  }

  async #checkAll(): Promise<void> {
    const all = [...this.#waiting];
    for (let at = 0; at < all.length && !this.#isClosed; at += BATCH)
      await Promise.all(all.slice(at, at + BATCH).map(([id, { bytes }]) => this.#check(id, bytes)));
  }

  #rejectAll(reason: unknown): void {
    for (const { all } of this.#waiting.values()) for (const { reject } of all) reject(reason);
  }
}

/** Whether Redis will take the command later: it is full, loads its data, or the connection was lost meanwhile. */
function isTemporary(error: unknown): boolean {
  if (error instanceof TickwiseError) return error.code === "refused";
  return /^(LOADING|OOM|READONLY|BUSY|MASTERDOWN|TRYAGAIN|CLUSTERDOWN)|Connection is closed|ECONN|EPIPE/.test(
    (error as Error).message,
  );
}

function closedError(): unknown {
  try {
    return misuse("disposed", "VerifyQueue.submit", "the queue was closed", "Create a new one");
  } catch (error) {
    return error;
  }
}
