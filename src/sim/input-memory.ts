import type { InputColumns } from "./inputs.js";
import { wordName } from "./inputs.js";
import type { Packing, Slot } from "../input/index.js";
import { isDown } from "../input/packing.js";

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
