import type { Packing, Slot } from "../input/index.js";
import { isDown } from "../input/packing.js";
import { list, u32, type Fields } from "../state/index.js";

/** Each player's words of the tick before and the ticks that buttons were held, as the state has them: a column each. */
export interface InputColumns {
  readonly before: Readonly<Record<string, Uint32Array>>;
  readonly held: Readonly<Record<string, Uint32Array>>;
}

/** The column of a player's word. */
export const wordName = (word: number) => `word${word}`;

/** What is declared of it, to lie beside the world; nothing, where players can do nothing. */
export function rememberedFields({ words, buttons }: Packing, players: number): Fields | undefined {
  if (words === 0) return undefined;
  const before = Object.fromEntries(Array.from({ length: words }, (_, word) => [wordName(word), u32]));
  const held = Object.fromEntries(buttons.map(({ name }) => [name, u32]));
  return { inputs: list(players, buttons.length > 0 ? { before, held } : { before }) };
}

/** Its columns, of what lies beside a world. */
export function columnsOf(beside: object | undefined): InputColumns {
  const { inputs } = (beside ?? {}) as { inputs?: InputColumns };
  return inputs ?? { before: {}, held: {} };
}

/** What the state remembers of inputs: so that "pressed" and "held for" are right after a rollback, too. */
export class InputMemory {
  readonly #words: Uint32Array;
  readonly #width: number;
  readonly #players: number;
  readonly #buttons: readonly Slot[];
  /** A column for each button, and for each word: a number a player. */
  readonly #held: readonly Uint32Array[];
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

  /** A step begins: counts for how long buttons have been held. */
  enter(): void {
    for (let i = 0; i < this.#buttons.length; i++) {
      const held = this.#held[i]!;
      for (let player = 0; player < this.#players; player++)
        held[player] = isDown(this.#buttons[i]!, this.#words, player * this.#width) ? held[player]! + 1 : 0;
    }
  }

  /** It ends: what was done in it is what was done before, in the next. */
  leave(): void {
    for (let word = 0; word < this.#width; word++) {
      const before = this.#before[word]!;
      for (let player = 0; player < this.#players; player++)
        before[player] = this.#words[player * this.#width + word]!;
    }
  }
}
