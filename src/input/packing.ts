import { badValue } from "../errors/index.js";
import { InputField, type InputFields, type InputValues } from "./fields.js";

/** Where a field lies in a player's words. No field lies in two. */
export interface Slot {
  readonly name: string;
  readonly field: InputField<boolean> | InputField<number>;
  readonly word: number;
  readonly shift: number;
  readonly mask: number;
}

const OWN_NAMES = ["pressed", "released", "held"];
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** What the inputs of a simulation are packed into: so many words a player. */
export class Packing<I extends InputFields = InputFields> {
  readonly slots: readonly Slot[];
  readonly buttons: readonly Slot[];
  /** Words of 32 bits that one player's inputs take. */
  readonly words: number;

  constructor(fields: I) {
    const slots: Slot[] = [];
    const free: number[] = [];
    for (const [name, field] of Object.entries(fields)) {
      if (!(field instanceof InputField))
        badValue(
          `simulation: input.${name}`,
          "button, axis(bits), int(least, most) or fraction(bits)",
          field,
          "button",
        );
      if (!NAME.test(name) || name in Object.prototype || OWN_NAMES.includes(name))
        badValue(
          "simulation: an input's name",
          `letters, digits and _, and not ${OWN_NAMES.join(", ")}`,
          name,
          "jump",
        );
      let word = free.findIndex((bits) => bits >= field.bits);
      if (word < 0) word = free.push(32) - 1;
      const shift = 32 - free[word]!;
      free[word]! -= field.bits;
      slots.push({ name, field, word, shift, mask: (2 ** field.bits - 1) << shift });
    }
    this.slots = slots;
    this.buttons = slots.filter(({ field }) => field.kind === "button");
    this.words = free.length;
  }

  /** @internal Names, kinds and places: two that have the same one can read each other's words. */
  get title(): string {
    return this.slots
      .map(
        ({ name, field, word, shift }) => `${name}:${field.kind}${field.bits},${field.base}@${word}.${shift}`,
      )
      .join();
  }

  /** Writes what a player does into words. What is left out is not done. */
  pack(values: Partial<InputValues<I>>, words = new Uint32Array(this.words), at = 0): Uint32Array {
    words.fill(0, at, at + this.words);
    for (const name of Object.keys(values)) {
      const slot = this.slots.find((other) => other.name === name);
      if (!slot)
        badValue(
          `pack: ${name}`,
          `one of ${this.slots.map((other) => other.name).join(", ")}`,
          name,
          "a declared input",
        );
      const value = values[name];
      if (value !== undefined) write(slot, words, at, value);
    }
    return words;
  }

  /** Reads what a player does. */
  unpack(words: ArrayLike<number>, at = 0): InputValues<I> {
    return Object.fromEntries(this.slots.map((slot) => [slot.name, read(slot, words, at)])) as InputValues<I>;
  }
}

/** The value of a field. */
export function read(slot: Slot, words: ArrayLike<number>, at: number): boolean | number {
  const { field } = slot;
  return field.kind === "button" ? isDown(slot, words, at) : readNumber(slot, words, at);
}

export function isDown({ word, mask }: Slot, words: ArrayLike<number>, at: number): boolean {
  return (words[at + word]! & mask) !== 0;
}

export function readNumber({ field, word, shift, mask }: Slot, words: ArrayLike<number>, at: number): number {
  const bits = (words[at + word]! & mask) >>> shift;
  if (field.kind === "fraction") return bits / field.base;
  if (field.kind === "int") return field.base + (bits > field.most ? field.most : bits);
  // Two's complement; the one number that has no opposite counts as its neighbour.
  const steps = bits > field.base ? bits - field.most - 1 : bits;
  return (steps < -field.base ? -field.base : steps) / field.base;
}

/** Writes a field. An axis is cut to -1 and 1, a fraction to its ends, a whole number must be one that there is. */
export function write(slot: Slot, words: Uint32Array, at: number, value: unknown): void {
  writeBits(slot, words, at, bitsOf(slot, value));
}

export function writeBits({ word, shift, mask }: Slot, words: Uint32Array, at: number, bits: number): void {
  words[at + word] = (words[at + word]! & ~mask) | ((bits << shift) & mask);
}

/** The bits of a value, from the lowest on. */
export function bitsOf({ name, field }: Slot, value: unknown): number {
  if (field.kind === "button") {
    if (typeof value !== "boolean") badValue(`input.${name}`, "true or false", value, true);
    return value ? 1 : 0;
  }
  if (field.kind === "int") {
    const bits = Number.isSafeInteger(value) ? (value as number) - field.base : -1;
    if (bits >= 0 && bits <= field.most) return bits;
    const last = field.base + field.most;
    return badValue(`input.${name}`, `a whole number from ${field.base} to ${last}`, value, field.base);
  }
  const least = field.kind === "axis" ? -1 : 0;
  if (!(typeof value === "number" && value === value))
    badValue(`input.${name}`, `a number from ${least} to 1`, value, 0);
  const steps = Math.max(least, Math.min(1, value)) * field.base;
  return field.kind === "axis"
    ? Math.sign(steps) * Math.round(Math.abs(steps))
    : Math.min(field.most, Math.floor(steps));
}
