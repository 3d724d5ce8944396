import type { Hash } from "../state/index.js";
import type { AnyEffect } from "./effects.js";

/** What supplies each tick's inputs and decides what to save, load and step. */
export interface Session<W, F extends { readonly name: string; readonly tick: number } = AnyEffect> {
  /** The next step's number. */
  readonly tick: number;
  /** The state at `tick`. */
  readonly world: W;
  /** One step, with whatever saving, loading and stepping again it takes. */
  advance(): void;
  /** The blended state to draw, never the real one; it tells the effects that it shows. */
  view(alpha: number): W;
  hash(): Hash;
  /** Listens to an event; returns the function that ends it. */
  on<N extends keyof SessionEvents<F>>(event: N, listener: (info: SessionEvents<F>[N]) => void): () => void;
  dispose(): void;
}

/** Events and what their listeners are told. */
export interface SessionEvents<F> {
  /** An effect, once the state after its tick is shown. */
  effect: F;
  /** An effect that was told and then did not happen, as its tick was only predicted. */
  withdrawn: F;
  /** A live step was taken: its number, and what all players did in it. One object: copy what you keep. Listeners take no step. */
  step: StepTaken;
  /** Another state was loaded, that of `tick`: what comes does not follow from what was. */
  load: { readonly tick: number };
}

/** A step that a session ran: its tick, and the packed inputs of all players. */
export interface StepTaken {
  readonly tick: number;
  readonly words: Uint32Array;
}
