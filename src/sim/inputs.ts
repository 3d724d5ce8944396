// The inputs of a player, as a step reads them and as a session writes them.
import { unknownName } from "../errors/index.js";
import type { ButtonNames, InputFields, InputValues, Packing, Slot } from "../input/index.js";
import { isDown, read, readNumber, write } from "../input/packing.js";
import { wordName, type InputColumns } from "./input-memory.js";

/** The inputs of a player in a tick. */
export type Inputs<I> = Readonly<InputValues<I>> & {
  /** Whether the button went down in this tick. */
  readonly pressed: { readonly [K in ButtonNames<I>]: boolean };
  /** Whether the button went up in this tick. */
  readonly released: { readonly [K in ButtonNames<I>]: boolean };
  /** For how many ticks the button has been down, including this one; 0 if it is up. */
  readonly held: { readonly [K in ButtonNames<I>]: number };
  /** Whether the player's seat is absent. Its inputs are then those that `simulation({ absent })` declares. */
  readonly absent: boolean;
};

/** Returns an object with a getter for each slot. */
function withGetters<T>(slots: readonly Slot[], get: (slot: Slot) => T): Record<string, T> {
  const object: Record<string, T> = {};
  for (const slot of slots)
    Object.defineProperty(object, slot.name, { get: () => get(slot), enumerable: true });
  return object;
}

/** Returns the inputs of a player, read from `words` from `at` on. */
export function inputsOf<I extends InputFields>(
  packing: Packing<I>,
  words: Uint32Array,
  at: number,
  { before, held }: InputColumns,
  player: number,
  absent: Uint8Array,
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
      absent: { get: () => absent[player] !== 0 },
    }),
  ) as unknown as Inputs<I>;
}

/**
 * Returns a prototype that rejects writes to undeclared inputs. Declared ones are properties of the object itself, so reading
 * and writing them never gets here.
 */
function rejectUnknown({ slots }: Packing): object {
  return new Proxy(Object.prototype, {
    set: (_, name) =>
      unknownName(
        "inputs",
        "input",
        name,
        slots.map((slot) => slot.name),
      ),
  });
}

/** Returns an object for each player whose setters write into `words`. */
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
  const object = Object.create(rejectUnknown(packing)) as object;
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
