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
function inputsOf<I extends InputFields>(
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

/** Players from which their inputs share getters. With getters of their own, each takes kilobytes. */
const MANY = 64;

/** Where the inputs of all players of a run are. */
interface InputPlace {
  readonly words: Uint32Array;
  readonly columns: InputColumns;
  readonly absent: Uint8Array;
}

/** One player, as the shared getters know it. */
class PlayerPlace {
  readonly #place: InputPlace;
  readonly #player: number;

  constructor(place: InputPlace, player: number) {
    this.#place = place;
    this.#player = player;
  }

  static place(of: PlayerPlace): InputPlace {
    return of.#place;
  }

  static player(of: PlayerPlace): number {
    return of.#player;
  }
}

type PlayerClass = new (place: InputPlace, player: number) => PlayerPlace;

/** The classes of inputs by packing, so that all runs of a simulation have the same. */
const classes = new WeakMap<Packing, PlayerClass>();

/** Returns a class whose objects have these getters, all on the prototype. */
function classOf(getters: readonly (readonly [string, (of: PlayerPlace) => unknown])[]): PlayerClass {
  const shared = class extends PlayerPlace {};
  for (const [name, get] of getters)
    Object.defineProperty(shared.prototype, name, {
      get(this: PlayerPlace) {
        return get(this);
      },
      enumerable: true,
    });
  return shared;
}

function sharedClass(packing: Packing): PlayerClass {
  const known = classes.get(packing);
  if (known) return known;
  const { slots, buttons, words: width } = packing;
  const { place, player } = PlayerPlace;
  const isNow = (slot: Slot, of: PlayerPlace) => isDown(slot, place(of).words, player(of) * width);
  const wasDown = ({ word, mask }: Slot, of: PlayerPlace) =>
    (place(of).columns.before[wordName(word)]![player(of)]! & mask) !== 0;
  const ofButtons = (get: (slot: Slot, of: PlayerPlace) => unknown) => {
    const part = classOf(buttons.map((slot) => [slot.name, (of) => get(slot, of)] as const));
    return (of: PlayerPlace) => new part(place(of), player(of));
  };
  const shared = classOf([
    ...slots.map((slot) => {
      const get = (of: PlayerPlace) => readNumber(slot, place(of).words, player(of) * width);
      return [slot.name, slot.field.kind === "button" ? (of: PlayerPlace) => isNow(slot, of) : get] as const;
    }),
    ["pressed", ofButtons((slot, of) => isNow(slot, of) && !wasDown(slot, of))],
    ["released", ofButtons((slot, of) => !isNow(slot, of) && wasDown(slot, of))],
    ["held", ofButtons(({ name }, of) => place(of).columns.held[name]![player(of)]!)],
    ["absent", (of) => place(of).absent[player(of)] !== 0],
  ]);
  classes.set(packing, shared);
  return shared;
}

/** Returns the inputs of all players, read from `words`. */
export function allInputsOf(
  packing: Packing,
  players: number,
  words: Uint32Array,
  columns: InputColumns,
  absent: Uint8Array,
): readonly object[] {
  if (players <= MANY)
    return Array.from({ length: players }, (_, player) =>
      inputsOf(packing, words, player * packing.words, columns, player, absent),
    );
  const shared = sharedClass(packing);
  const place = { words, columns, absent };
  return Array.from({ length: players }, (_, player) => Object.freeze(new shared(place, player)));
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
