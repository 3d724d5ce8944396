import { hashText, type Difference, type Hash } from "../state/index.js";

/**
 * What of a simulation cannot lie in its buffer, such as a physics engine's own world. What follows a `load` must
 * be what followed the `save`, to the bit: `syncTest` finds out.
 */
export interface ExternalState {
  /** All of it, as bytes that are not changed afterwards. */
  save(): Uint8Array;
  /** The state has been loaded before: what follows from it need not be in the bytes. */
  load(bytes: Uint8Array): void;
  /** Of all that can make a difference later. */
  hash(): Hash;
  /** Frees what it holds. */
  dispose?(): void;
}

/** Each is made anew for every copy of the simulation that runs. */
export interface ExternalStates {
  readonly [name: string]: () => ExternalState;
}

/** What a step gets as `context.outside`: each declared object under its name. */
export type ExternalOf<O extends ExternalStates> = { readonly [K in keyof O]: ReturnType<O[K]> };

/** Those whose hashes differ, by name. */
export function externalDifferences(
  before: readonly (readonly [string, Hash])[],
  now: readonly (readonly [string, Hash])[],
): Difference[] {
  return before.flatMap(([name, hash], i) => {
    const [a, b] = [hashText(hash), hashText(now[i]![1])];
    return a === b ? [] : [{ path: `external.${name}`, a, b }];
  });
}
