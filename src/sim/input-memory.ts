import type { Packing, Slot } from "../input/index.js";
import { isDown } from "../input/packing.js";
import { list, u32, type Fields } from "../state/index.js";

/** The columns of the state that remember inputs. Each has one number per player. */
export interface InputColumns {
  /** The words of the previous tick. */
  readonly before: Readonly<Record<string, Uint32Array>>;
  /** For how many ticks each button has been held. */
  readonly held: Readonly<Record<string, Uint32Array>>;
}

/** Returns the name of the column of a word. */
export const wordName = (word: number) => `word${word}`;

/** Returns the fields that a state needs beside the world to remember inputs; undefined if there are no inputs. */
export function rememberedFields({ words, buttons }: Packing, players: number): Fields | undefined {
  if (words === 0) return undefined;
  const before = Object.fromEntries(Array.from({ length: words }, (_, word) => [wordName(word), u32]));
  const held = Object.fromEntries(buttons.map(({ name }) => [name, u32]));
  return { inputs: list(players, buttons.length > 0 ? { before, held } : { before }) };
}

/** Returns the columns of these fields. */
export function columnsOf(beside: object | undefined): InputColumns {
  const { inputs } = (beside ?? {}) as { inputs?: InputColumns };
  return inputs ?? { before: {}, held: {} };
}

/** Remembers the inputs of earlier ticks in the state, so that `pressed` and `held` are right after a rollback too. */
export class InputMemory {
  readonly #words: Uint32Array;
  readonly #width: number;
  readonly #players: number;
  readonly #buttons: readonly Slot[];
  /** One column per button. */
  readonly #held: readonly Uint32Array[];
  /** One column per word. */
  readonly #before: readonly Uint32Array[];

  constructor(
    { buttons, words: width }: Packing,
    players: number,
    words: Uint32Array,
    columns: InputColumns,
  ) {
    this.#words = words;
    this.#width = width;
    this.#players = players;
    this.#buttons = buttons;
    this.#held = buttons.map(({ name }) => columns.held[name]!);
    this.#before = Array.from({ length: width }, (_, word) => columns.before[wordName(word)]!);
  }

  /** Counts for how long buttons have been held. Call it before a step. */
  enter(): void {
    for (let i = 0; i < this.#buttons.length; i++) {
      const held = this.#held[i]!;
      for (let player = 0; player < this.#players; player++)
        held[player] = isDown(this.#buttons[i]!, this.#words, player * this.#width) ? held[player]! + 1 : 0;
    }
  }

  /** Remembers the words of this tick as those of the previous one. Call it after a step. */
  leave(): void {
    for (let word = 0; word < this.#width; word++) {
      const before = this.#before[word]!;
      for (let player = 0; player < this.#players; player++)
        before[player] = this.#words[player * this.#width + word]!;
    }
  }
}
