import type { Hash } from "../state/index.js";
import { NO_COMMANDS } from "./commands.js";
import type { Run } from "./run.js";
import type { ConfirmedTick } from "./session.js";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Reads the current state of a session. */
interface StateReader {
  hash(out?: [number, number]): Hash;
  bytes(): Uint8Array;
}

/**
 * Emits the `confirmed` event of a session that confirms each tick right after its step. All listeners get the same inputs,
 * hash and bytes, even if one of them makes the session leave that state.
 */
export class ConfirmedEvent {
  readonly #session: StateReader;
  readonly #emit: (confirmed: ConfirmedTick) => void;
  readonly #info: Mutable<ConfirmedTick>;
  #isEmitting = false;
  /** The confirmed state, once a listener has made the session leave it. */
  #leftState: { readonly hash: Hash; readonly bytes: Uint8Array } | undefined;

  constructor(run: Run, session: StateReader, emit: (confirmed: ConfirmedTick) => void) {
    this.#session = session;
    this.#emit = emit;
    this.#info = {
      tick: 0,
      words: new Uint32Array(run.words.length),
      commands: NO_COMMANDS,
      absent: new Uint8Array(run.absent.length),
      hash: (out = [0, 0]) => {
        if (!this.#leftState) return session.hash(out);
        [out[0], out[1]] = this.#leftState.hash;
        return out;
      },
      bytes: () => this.#leftState?.bytes.slice() ?? session.bytes(),
    };
  }

  /** Whether listeners are being called: the session must not step now. */
  get isEmitting(): boolean {
    return this.#isEmitting;
  }

  /** Emits the step that the run has just taken. */
  emit(tick: number, { words, commands, absent }: Run): void {
    const info = this.#info;
    info.tick = tick;
    // Copies, as a listener may seek or speculate, which overwrites the run's own.
    info.words.set(words);
    info.commands = commands;
    info.absent.set(absent);
    this.#isEmitting = true;
    try {
      this.#emit(this.#info);
    } finally {
      this.#isEmitting = false;
      this.#leftState = undefined;
    }
  }

  /** Keeps the confirmed state for the remaining listeners. Call it before the session leaves its current state. */
  keepState(): void {
    if (this.#isEmitting) this.#leftState ??= { hash: this.#session.hash(), bytes: this.#session.bytes() };
  }
}
