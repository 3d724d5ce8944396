import { badValue, onBehalfOf, requireSynchronous } from "../errors/index.js";
import type { InputFields, InputValues, Packing } from "../input/index.js";
import type { Random } from "../math/index.js";
import type { Fields, ReadonlyWorld } from "../state/index.js";
import { writersOf } from "./inputs.js";

/** The second argument of a bot. The object is reused: copy what you keep. */
export interface AbsentContext<S extends Fields = Fields> {
  /** The seat that the bot plays for. */
  readonly seat: number;
  /** The number of the step that follows. */
  readonly tick: number;
  /** The state before the step. A bot must not write it. */
  readonly world: ReadonlyWorld<S>;
  /** The random generator, which is part of the state. */
  readonly random: Random;
}

/**
 * Writes the inputs of an absent seat. All are at rest before. It must depend on nothing but its context, like a step: every
 * peer runs it.
 */
export type AbsentBot<S extends Fields, I extends InputFields> = {
  // A method, so that a simulation of any state fits `Simulation`.
  write(player: InputValues<I>, context: AbsentContext<S>): void;
}["write"];

/** The inputs of an absent seat: fixed values, or a bot. */
export type Absent<S extends Fields, I extends InputFields> = Partial<InputValues<I>> | AbsentBot<S, I>;

const FIX = "{ brake: true }";

/** Throws unless the value can stand for the inputs of a seat. */
export function requireAbsent(absent: unknown, packing: Packing): void {
  if (absent === undefined || typeof absent === "function") return;
  if (typeof absent !== "object" || absent === null)
    badValue("simulation: absent", "inputs or a function", absent, FIX);
  wordsOf(absent, packing);
}

const wordsOf = (values: object, packing: Packing) =>
  onBehalfOf("simulation", ["Packing.pack"], () => packing.pack(values));

/** Writes the inputs of absent seats before a step. */
export class AbsentSeats {
  /** One per player: 1 if the seat is absent. */
  readonly seats: Uint8Array;
  readonly #words: Uint32Array;
  readonly #width: number;
  readonly #fixed: Uint32Array;
  readonly #bot: AbsentBot<Fields, InputFields> | undefined;
  readonly #writers: readonly InputValues<InputFields>[];
  readonly #context: { -readonly [K in keyof AbsentContext]: AbsentContext[K] };

  constructor(
    absent: Absent<Fields, InputFields> | undefined,
    packing: Packing,
    words: Uint32Array,
    players: number,
    world: unknown,
    random: Random,
  ) {
    const isBot = typeof absent === "function";
    this.seats = new Uint8Array(players);
    this.#words = words;
    this.#width = packing.words;
    this.#bot = isBot ? absent : undefined;
    this.#fixed = isBot || !absent ? new Uint32Array(packing.words) : wordsOf(absent, packing);
    this.#writers = isBot ? writersOf(packing, players, words) : [];
    this.#context = { seat: 0, tick: 0, world: world as ReadonlyWorld<Fields>, random };
  }

  /** Writes the inputs of all absent seats. */
  write(tick: number): void {
    const { seats } = this;
    for (let seat = 0; seat < seats.length; seat++) if (seats[seat] !== 0) this.#writeSeat(seat, tick);
  }

  #writeSeat(seat: number, tick: number): void {
    const width = this.#width;
    for (let i = 0; i < width; i++) this.#words[seat * width + i] = this.#fixed[i]!;
    if (!this.#bot) return;
    const context = this.#context;
    context.seat = seat;
    context.tick = tick;
    const returned: unknown = this.#bot(this.#writers[seat]!, context);
    if (returned !== undefined)
      requireSynchronous("Simulation: absent", returned, "Remove async: a bot is part of the step");
  }
}
