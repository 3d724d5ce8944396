// The messages between a page and its worker. All are plain data. States travel besides: in shared memory, or as transferred buffers.
import type { AnyEffect } from "../sim/effects.js";
import type { HistoryOptions, PackedCommand, Present } from "../sim/index.js";
import type { SharedMemory } from "../state/memory.js";

/** Increases when the messages change. */
export const PROTOCOL = 1;

/** Names the messages of this protocol among others that a worker may send and get. */
const MARK = "tickwise";

/** What a worker says when it serves a simulation, and when it is asked. */
export interface Hello {
  readonly kind: "hello";
  readonly protocol: number;
  readonly name: string;
  readonly version: number;
  readonly fingerprint: string;
  /** `performance.timeOrigin` of the worker. */
  readonly timeOrigin: number;
}

/** Begins a session in the worker. Nothing is stepped until the loop runs. */
export interface Start {
  readonly kind: "start";
  /** Counts the starts of a page's session. Messages of an earlier one are ignored. */
  readonly start: number;
  readonly seed: number | string;
  readonly history: HistoryOptions | undefined;
  readonly kernels: "auto" | "wasm" | "js";
  readonly present: Present;
  /** The states and the ring, if memory is shared. */
  readonly shared:
    | { readonly memory: SharedMemory; readonly control: SharedArrayBuffer; readonly slots: number }
    | undefined;
  /** By player: the latch to create, if the page has one. */
  readonly latches: readonly (LatchStart | undefined)[];
  /** The packed inputs of all players, as functions and other sources wrote them last. */
  readonly words: Uint32Array;
  readonly settings: LoopState;
  /** A state to begin with, as `bytes()` returned it. */
  readonly from: Uint8Array | undefined;
  readonly wants: Wants;
  /** Seconds between two saves that the worker sends, to restart from. 0 for none. */
  readonly saveEvery: number;
}

/** How the page's loop is set. */
export interface LoopState {
  readonly isPaused: boolean;
  readonly timeScale: number;
  readonly maxFrameTime: number;
  readonly maxSteps: number;
}

export interface LatchStart {
  readonly fractions: object | undefined;
  /** How often each button is held, and the bits of each axis and int, by slot. */
  readonly holders: readonly number[];
  readonly values: readonly number[];
}

/** What the page listens to. */
export interface Wants {
  readonly effects: boolean;
  readonly confirmed: boolean;
  /** States whose tick is a multiple come with their hash, or as bytes. 0 for none. */
  readonly hashEvery: number;
  readonly bytesEvery: number;
  /** The first confirmed tick comes with its state. */
  readonly needsState: boolean;
}

/** The kinds of events of a latch, as they are sent. */
export const LATCH_KINDS = ["press", "release", "set", "releaseAll", "forget"] as const;

/** What the page asks of the worker and waits for. */
export type Call =
  | { readonly name: "seek"; readonly tick: number }
  | { readonly name: "load"; readonly bytes: Uint8Array }
  | { readonly name: "rewind"; readonly speed: number }
  | { readonly name: "endRewind" }
  | { readonly name: "save" }
  | { readonly name: "hash" }
  | { readonly name: "stats" }
  | { readonly name: "syncTest"; readonly options: object };

/** From the page to the worker. A plain ArrayBuffer is one that the worker gets back. */
export type ToWorker =
  | { readonly kind: "greet" }
  | Start
  | { readonly kind: "stop" }
  | { readonly kind: "settings"; readonly settings: LoopState }
  | { readonly kind: "hitStop"; readonly seconds: number }
  | { readonly kind: "runSteps"; readonly count: number }
  | { readonly kind: "wants"; readonly wants: Wants }
  /** Events of latches: player, index of the kind, slot, bits and timestamp, one after the other. */
  | { readonly kind: "inputs"; readonly events: Float64Array }
  | { readonly kind: "words"; readonly words: Uint32Array }
  | {
      readonly kind: "sources";
      readonly latches: readonly (LatchStart | undefined)[];
      readonly words: Uint32Array;
    }
  | { readonly kind: "command"; readonly command: PackedCommand }
  | { readonly kind: "call"; readonly id: number; readonly call: Call }
  | { readonly kind: "ping"; readonly sent: number };

/** An error, as it crosses threads. */
export interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code: string | undefined;
}

/** What a step brought, besides its state. */
export interface Report {
  readonly kind: "report";
  readonly start: number;
  readonly jumps: number;
  readonly tick: number;
  readonly effects: readonly AnyEffect[] | undefined;
  readonly confirmed:
    | {
        readonly words: Uint32Array;
        readonly commands: readonly PackedCommand[];
        readonly absent: Uint8Array;
        readonly hash: readonly [number, number] | undefined;
        readonly bytes: Uint8Array | undefined;
      }
    | undefined;
}

/** From the worker to the page. A plain ArrayBuffer is a state. */
export type ToPage =
  | Hello
  | Report
  | { readonly kind: "ready"; readonly start: number }
  | { readonly kind: "load"; readonly start: number; readonly jumps: number; readonly tick: number }
  | { readonly kind: "saved"; readonly start: number; readonly tick: number; readonly bytes: Uint8Array }
  | {
      readonly kind: "result";
      readonly start: number;
      readonly id: number;
      readonly value: unknown;
      readonly error: ErrorData | undefined;
    }
  | { readonly kind: "overload"; readonly start: number; readonly lost: number; readonly tick: number }
  | { readonly kind: "failed"; readonly start: number; readonly tick: number; readonly error: ErrorData }
  | { readonly kind: "pong"; readonly sent: number; readonly answered: number };

export type Marked<M> = M & { readonly [MARK]: number };

/** Marks a message, so that the other side knows it among messages of the game itself. */
export const marked = <M extends object>(message: M): Marked<M> => ({ [MARK]: PROTOCOL, ...message });

/** Whether a message is one of this protocol. */
export const isMarked = (message: unknown): message is Marked<object> =>
  typeof message === "object" && message !== null && MARK in message;

/** Returns an error as data. */
export function dataOf(error: unknown): ErrorData {
  const { name, message, stack, code } = (
    typeof error === "object" && error !== null ? error : { message: String(error) }
  ) as { name?: unknown; message?: unknown; stack?: unknown; code?: unknown };
  return {
    name: String(name ?? "Error"),
    message: String(message ?? ""),
    stack: String(stack ?? ""),
    code: typeof code === "string" ? code : undefined,
  };
}
