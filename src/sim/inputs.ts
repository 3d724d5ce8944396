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

/** Where the inputs of all players of a run are. */
interface InputPlace {
  readonly words: Uint32Array;
  readonly columns: InputColumns;
  readonly absent: Uint8Array;
}

// Properties rather than private fields, so that an object that inherits from inputs has them, too.
const PLACE = Symbol("place");
const PLAYER = Symbol("player");

/** One player, as the getters of its inputs know it. */
interface PlayerPlace {
  readonly [PLACE]: InputPlace;
  readonly [PLAYER]: number;
}

/** The getters of a player's inputs. */
interface Getters {
  readonly inputs: PropertyDescriptorMap;
  readonly pressed: PropertyDescriptorMap;
  readonly released: PropertyDescriptorMap;
  readonly held: PropertyDescriptorMap;
}

/**
 * The getters by packing. All players of all runs have the same functions, so that a step is optimized once however many rooms a
 * process hosts; with functions of their own, it was half as fast, and each player took kilobytes.
 */
const getters = new WeakMap<Packing, Getters>();

function gettersOf(packing: Packing): Getters {
  const known = getters.get(packing);
  if (known) return known;
  const { slots, buttons, words: width } = packing;
  const forAll = (some: readonly Slot[], getterOf: (slot: Slot) => (of: PlayerPlace) => unknown) =>
    Object.fromEntries(
      some.map((slot) => {
        const get = getterOf(slot);
        const descriptor: PropertyDescriptor = {
          get(this: PlayerPlace) {
            return get(this);
          },
          enumerable: true,
        };
        return [slot.name, descriptor];
      }),
    );
  const isNow = (slot: Slot, of: PlayerPlace) => isDown(slot, of[PLACE].words, of[PLAYER] * width);
  const wasDown = ({ word, mask }: Slot, of: PlayerPlace) =>
    (of[PLACE].columns.before[wordName(word)]![of[PLAYER]]! & mask) !== 0;
  const made: Getters = {
    inputs: {
      ...forAll(slots, (slot) =>
        slot.field.kind === "button"
          ? (of) => isNow(slot, of)
          : (of) => readNumber(slot, of[PLACE].words, of[PLAYER] * width),
      ),
      absent: {
        get(this: PlayerPlace) {
          return this[PLACE].absent[this[PLAYER]] !== 0;
        },
      },
    },
    pressed: forAll(buttons, (slot) => (of) => isNow(slot, of) && !wasDown(slot, of)),
    released: forAll(buttons, (slot) => (of) => !isNow(slot, of) && wasDown(slot, of)),
    held: forAll(
      buttons,
      ({ name }) =>
        (of) =>
          of[PLACE].columns.held[name]![of[PLAYER]]!,
    ),
  };
  getters.set(packing, made);
  return made;
}

/** Returns the inputs of all players, read from `words`. */
export function allInputsOf(
  packing: Packing,
  players: number,
  words: Uint32Array,
  columns: InputColumns,
  absent: Uint8Array,
): readonly object[] {
  const { inputs, pressed, released, held } = gettersOf(packing);
  const place = { words, columns, absent };
  return Array.from({ length: players }, (_, player) => {
    const own = { [PLACE]: { value: place }, [PLAYER]: { value: player } };
    const part = (all: PropertyDescriptorMap) => ({ value: Object.defineProperties({}, { ...own, ...all }) });
    return Object.freeze(
      Object.defineProperties(
        {},
        {
          ...own,
          ...inputs,
          pressed: part(pressed),
          released: part(released),
          held: part(held),
        },
      ),
    );
  });
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
