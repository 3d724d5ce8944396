import { hashText, type Difference, type Hash } from "../state/index.js";

/**
 * Part of the state that cannot be stored in the buffer, such as a physics engine's world. After a `load`, it must behave
 * exactly as it did after the `save`. `syncTest` checks that.
 */
export interface ExternalState {
  /** Returns its complete state as bytes. Do not change them afterwards. */
  save(): Uint8Array;
  /** Restores a saved state. The world has already been loaded, so the bytes need not contain anything that can be derived from it. */
  load(bytes: Uint8Array): void;
  /**
   * Rebuilds it from the world, which was just loaded without it. A client needs that if its server sends states: they contain the world
   * only.
   */
  rebuild?(): void;
  /** Hashes everything that can affect later steps. */
  hash(): Hash;
  /** Frees its resources. */
  dispose?(): void;
}

/** External states, by name. */
export interface ExternalStates {
  readonly [name: string]: ExternalState;
}

/**
 * A function for each external state that creates it. Every run of the simulation has its own.
 *
 * A generic helper that returns such a function, as `rapier` does, should declare `(() => T) & object`: TypeScript infers from
 * calls that return plain function types only after it has typed `init` and `step`.
 */
export type ExternalMakers<X extends ExternalStates> = { readonly [K in keyof X]: () => X[K] };

/** Lists the external states whose hashes differ. */
export function externalDifferences(
  before: readonly (readonly [string, Hash])[],
  now: readonly (readonly [string, Hash])[],
): Difference[] {
  return before.flatMap(([name, hash], i) => {
    const [a, b] = [hashText(hash), hashText(now[i]![1])];
    return a === b ? [] : [{ path: `external.${name}`, a, b }];
  });
}
