import type { StepTiming } from "../input/index.js";
import type { Loop } from "../loop/index.js";
import type { Hash } from "../state/index.js";
import type { PackedCommand } from "./commands.js";
import type { AnyEffect } from "./effects.js";
import type { Present } from "./presenter.js";
import type { AnySimulation } from "./simulation.js";

/**
 * What `advance` did:
 *
 * - `"stepped"`: the session has a newer state, that of `tick`.
 * - `"rewound"`: it went back in its history.
 * - `"stalled"`: it did not step, as inputs of other players are missing. The picture stands still.
 * - `"waiting"`: it did not step, as its states are simulated elsewhere and no newer one has arrived.
 * - `"ended"`: it did not step, as its recording is over, or it was disposed meanwhile.
 */
export type Advance = "stepped" | "rewound" | "stalled" | "waiting" | "ended";

/**
 * Supplies each tick's inputs, and decides when to save, load and step. `drive` runs any session with a loop, `record` records
 * any session, and the HUD shows any session.
 *
 * A session may simulate elsewhere, in a worker or on a server. Then `tick`, `world`, `hash()` and `bytes()` are those of the
 * newest state that has arrived, and `advance()` takes over what has arrived since.
 */
export interface Session<W, F extends { readonly name: string; readonly tick: number } = AnyEffect> {
  readonly simulation: AnySimulation;
  /** The seed of the random generator. */
  readonly seed: number | string;
  /** The number of the newest state, which the next step starts from. */
  readonly tick: number;
  /**
   * The number of the newest state that is certain: at most `tick`. Later states are predictions and may be corrected. The
   * `confirmed` event has the number of the step that led to a state, which is one less.
   */
  readonly confirmed: number;
  /** The factor, near 1, by which the session wants to run faster or slower, to stay in step with others. */
  readonly pace: number;
  /** What `view` shows, or `"none"` for a headless session. */
  readonly present: Present;
  /** The names of those who sit in the seats, "" for an unknown one. Recorders store them. */
  readonly seatNames?: readonly string[] | undefined;
  /** Why nobody can record the session, if so: it does not know the inputs. */
  readonly notRecordable?: string | undefined;
  /** The state at `tick`. */
  readonly world: W;
  /** Takes one step, with all the saving, loading and resimulating that it needs; or says why it did not. */
  advance(timing?: StepTiming): Advance;
  /** Blends the state to draw. It is never the real one. Delivers the effects that it shows. */
  view(alpha: number): W;
  /** Hashes the state at `tick`, external state included. */
  hash(out?: [number, number]): Hash;
  /** Returns the state at `tick` as bytes, external state included. */
  bytes(): Uint8Array;
  /** Adds a listener. Returns the function that removes it. */
  on<N extends keyof SessionEvents<F>>(event: N, listener: (info: SessionEvents<F>[N]) => void): () => void;
  /** Frees what the session holds. */
  dispose(): void;
  /** @internal Attaches the session to the loop that draws it, if it simulates elsewhere. Returns the function that detaches it. */
  attach?(loop: Loop): () => void;
  /**
   * @internal Called by a recorder before it begins, if the session does not have every state at hand. Returns whether the recording
   * must begin with the next confirmed tick, instead of the current state.
   */
  prepareRecording?(needs: RecordingNeeds): boolean;
}

/** @internal Which states a recorder stores: those whose tick is a multiple. 0 for none. */
export interface RecordingNeeds {
  readonly hashEvery: number;
  readonly bytesEvery: number;
}

/** The events of every session. */
export interface SessionEvents<F> {
  /** An effect, delivered once, in the first frame that shows the state after its tick. */
  effect: F;
  /** A delivered effect that did not happen after all, as its tick was predicted wrongly. */
  withdrawn: F;
  /** A step became certain, and so did the state after it. Ticks are confirmed in order, each once, until the session seeks, rewinds or loads. */
  confirmed: ConfirmedTick;
  /** Another state was loaded, that of `tick`. It does not follow from the states before. */
  load: { readonly tick: number };
}

/** The names of these events. */
export const SESSION_EVENTS: readonly (keyof SessionEvents<unknown>)[] = [
  "effect",
  "withdrawn",
  "confirmed",
  "load",
];

/** A step that is certain. The object is reused: copy what you keep. Listeners must not step the session. */
export interface ConfirmedTick {
  /** The number of the step. It led to state `tick + 1`. */
  readonly tick: number;
  /** The packed inputs of all players in this step. */
  readonly words: Uint32Array;
  /** The commands of this step: in order of the players, then of issue. Neither the list nor its commands are reused. */
  readonly commands: readonly PackedCommand[];
  /** One per player: 1 if the seat is absent in this step. */
  readonly absent: Uint8Array;
  /** Hashes the state after this step, state `tick + 1`. */
  hash(out?: [number, number]): Hash;
  /** Returns the state after this step, state `tick + 1`, as bytes. */
  bytes(): Uint8Array;
}
