import { badValue, requireArguments, requireType, requireWhole, unknownName } from "../errors/index.js";
import { InputField, type InputFields, type InputValues } from "./fields.js";

/** The bits of one field within a player's words. A field never spans two words. */
export interface Slot {
  readonly name: string;
  readonly field: InputField<boolean> | InputField<number>;
  readonly word: number;
  readonly shift: number;
  readonly mask: number;
}

const RESERVED_NAMES = ["pressed", "released", "held", "absent"];
const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** How the inputs of a simulation are packed into 32-bit words. */
export class Packing<I extends InputFields = InputFields> {
  readonly slots: readonly Slot[];
  readonly buttons: readonly Slot[];
  /** Number of 32-bit words that one player's inputs take. */
  readonly words: number;

  constructor(fields: I) {
    requireArguments("Packing", arguments.length, 1);
    requireType("Packing: fields", fields, "object", "{ jump: button }");
    const slots: Slot[] = [];
    const free: number[] = [];
    for (const [name, field] of Object.entries(fields)) {
      if (!(field instanceof InputField))
        badValue(
          `simulation: input.${name}`,
          "button, axis(bits), int(min, max) or fraction(bits)",
          field,
          "button",
        );
      if (!NAME.test(name) || name in Object.prototype || RESERVED_NAMES.includes(name))
        badValue(
          "simulation: an input's name",
          `letters, digits and _, and not ${RESERVED_NAMES.join(", ")}`,
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

  /** @internal Names, kinds and bit positions. Packings with equal titles can read each other's words. */
  get title(): string {
    return this.slots
      .map(
        ({ name, field, word, shift }) => `${name}:${field.kind}${field.bits},${field.base}@${word}.${shift}`,
      )
      .join();
  }

  /** Writes a player's inputs into `words`, from index `offset` on. Inputs that are left out become 0. */
  pack(
    values: Partial<InputValues<I>>,
    words: Uint32Array = new Uint32Array(this.words),
    offset = 0,
  ): Uint32Array {
    requireArguments("Packing.pack", arguments.length, 3);
    requireType("Packing.pack: values", values, "object", "{ jump: true }");
    if (!(words instanceof Uint32Array))
      badValue("Packing.pack: words", "a Uint32Array", words, `new Uint32Array(${this.words})`);
    this.#requireRoom("Packing.pack", words, offset);
    words.fill(0, offset, offset + this.words);
    for (const name of Object.keys(values)) {
      const slot = this.slots.find((other) => other.name === name);
      if (!slot)
        unknownName(
          "Packing.pack",
          "input",
          name,
          this.slots.map((other) => other.name),
        );
      const value = values[name];
      if (value !== undefined) writeBits(slot, words, offset, bitsOf(slot, value, "Packing.pack"));
    }
    return words;
  }

  /** Reads a player's inputs from `words`, from index `offset` on. */
  unpack(words: ArrayLike<number>, offset = 0): InputValues<I> {
    requireArguments("Packing.unpack", arguments.length, 2);
    requireType("Packing.unpack: words", words, "object", `new Uint32Array(${this.words})`);
    this.#requireRoom("Packing.unpack", words, offset);
    return Object.fromEntries(
      this.slots.map((slot) => [slot.name, read(slot, words, offset)]),
    ) as InputValues<I>;
  }

  #requireRoom(call: string, words: ArrayLike<number>, offset: number): void {
    requireWhole(`${call}: offset`, offset, 0, 0);
    const min = offset + this.words;
    if (!(words.length >= min))
      badValue(`${call}: words.length`, `${min} or more`, words.length, `new Uint32Array(${min})`);
  }
}

/** Reads the value of a field. */
export function read(slot: Slot, words: ArrayLike<number>, offset: number): boolean | number {
  const { field } = slot;
  return field.kind === "button" ? isDown(slot, words, offset) : readNumber(slot, words, offset);
}

export function isDown({ word, mask }: Slot, words: ArrayLike<number>, offset: number): boolean {
  return (words[offset + word]! & mask) !== 0;
}

export function readNumber(
  { field, word, shift, mask }: Slot,
  words: ArrayLike<number>,
  offset: number,
): number {
  const bits = (words[offset + word]! & mask) >>> shift;
  if (field.kind === "fraction") return bits / field.base;
  if (field.kind === "int") return field.base + (bits > field.max ? field.max : bits);
  // Two's complement. The lowest number has no positive counterpart and reads as -1.
  const steps = bits > field.base ? bits - field.max - 1 : bits;
  return (steps < -field.base ? -field.base : steps) / field.base;
}

/** Writes a field. An axis or a fraction is clamped to its range; an int outside its range throws. */
export function write(slot: Slot, words: Uint32Array, offset: number, value: unknown): void {
  writeBits(slot, words, offset, bitsOf(slot, value));
}

export function writeBits(
  { word, shift, mask }: Slot,
  words: Uint32Array,
  offset: number,
  bits: number,
): void {
  words[offset + word] = (words[offset + word]! & ~mask) | ((bits << shift) & mask);
}

/** Encodes a value. The bits start at bit 0. */
export function bitsOf({ name, field }: Slot, value: unknown, call = "inputs"): number {
  if (field.kind === "button") {
    if (typeof value !== "boolean") badValue(`${call}: ${name}`, "true or false", value, true);
    return value ? 1 : 0;
  }
  if (field.kind === "int") {
    const bits = Number.isSafeInteger(value) ? (value as number) - field.base : -1;
    if (bits >= 0 && bits <= field.max) return bits;
    const max = field.base + field.max;
    return badValue(`${call}: ${name}`, `a whole number from ${field.base} to ${max}`, value, field.base);
  }
  const min = field.kind === "axis" ? -1 : 0;
  if (!(typeof value === "number" && value === value))
    badValue(`${call}: ${name}`, `a number from ${min} to 1`, value, 0);
  const steps = Math.max(min, Math.min(1, value)) * field.base;
  return field.kind === "axis"
    ? Math.sign(steps) * Math.round(Math.abs(steps))
    : Math.min(field.max, Math.floor(steps));
}
