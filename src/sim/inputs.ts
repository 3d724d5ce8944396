// What a step sees of a player, and what a session writes for one.
import type { ButtonNames, InputFields, InputValues, Packing, Slot } from "../input/index.js";
import { isDown, read, readNumber, write } from "../input/packing.js";

/** A player's inputs in a tick. */
export type Inputs<I> = Readonly<InputValues<I>> & {
  /** Down now, and up in the tick before. */
  readonly pressed: { readonly [K in ButtonNames<I>]: boolean };
  /** Up now, and down in the tick before. */
  readonly released: { readonly [K in ButtonNames<I>]: boolean };
  /** Ticks for which it has been down, this one included; 0 if it is up. */
  readonly held: { readonly [K in ButtonNames<I>]: number };
};

/** Each player's words of the tick before and the ticks that buttons were held, as the state has them: a column each. */
export interface InputColumns {
  readonly before: Readonly<Record<string, Uint32Array>>;
  readonly held: Readonly<Record<string, Uint32Array>>;
}

/** The column of a player's word. */
export const wordName = (word: number) => `word${word}`;

/** Properties that are reckoned when they are read. */
function withGetters<T>(slots: readonly Slot[], get: (slot: Slot) => T): Record<string, T> {
  const object: Record<string, T> = {};
  for (const slot of slots)
    Object.defineProperty(object, slot.name, { get: () => get(slot), enumerable: true });
  return object;
}

/** What a step sees of a player whose words of this tick lie in `words` from `at` on. */
export function inputsOf<I extends InputFields>(
  packing: Packing<I>,
  words: Uint32Array,
  at: number,
  { before, held }: InputColumns,
  player: number,
): Inputs<I> {
  const { slots, buttons } = packing;
  const wasDown = ({ word, mask }: Slot) => (before[wordName(word)]![player]! & mask) !== 0;
  const now = (slot: Slot) =>
    slot.field.kind === "button" ? isDown(slot, words, at) : readNumber(slot, words, at);
  return Object.freeze(
    Object.defineProperties(withGetters(slots, now), {
      pressed: { value: withGetters(buttons, (slot) => isDown(slot, words, at) && !wasDown(slot)) },
      released: { value: withGetters(buttons, (slot) => !isDown(slot, words, at) && wasDown(slot)) },
      held: { value: withGetters(buttons, ({ name }) => held[name]![player]!) },
    }),
  ) as unknown as Inputs<I>;
}

/** The words of all players, to be written by name. */
export function writersOf<I extends InputFields>(
  packing: Packing<I>,
  players: number,
  words: Uint32Array,
): readonly InputValues<I>[] {
  return Array.from({ length: players }, (_, player) => writerOf(packing, words, player * packing.words));
}

function writerOf<I extends InputFields>(
  packing: Packing<I>,
  words: Uint32Array,
  at: number,
): InputValues<I> {
  const object = {};
  for (const slot of packing.slots)
    Object.defineProperty(object, slot.name, {
      get: () => read(slot, words, at),
      set(value: unknown) {
        write(slot, words, at, value);
      },
      enumerable: true,
    });
  return Object.freeze(object) as InputValues<I>;
}
