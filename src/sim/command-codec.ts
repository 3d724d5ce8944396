// How the fields of commands are written and read. Each value has one encoding, so equal commands have equal bytes.
import { badValue } from "../errors/index.js";
import {
  bool,
  f32,
  f64,
  Field,
  i16,
  i32,
  i8,
  Layout,
  oneOf,
  u16,
  u32,
  u8,
  type Column,
} from "../state/index.js";
import { bytes, CommandField, many, text } from "./command-fields.js";
import { decodeText } from "./utf8.js";

/** A field of a command: a number, a boolean, a choice, or one whose size varies. */
export type CommandPart =
  | Field<number | boolean, Column>
  | CommandField<string>
  | CommandField<Uint8Array>
  | CommandField<readonly (number | boolean)[], ArrayLike<number | boolean>>;

/** The kind of a field as plain values, such as `["many", 100, "u16"]`. */
export type FieldKind = readonly (string | number)[];

/** A position in bytes. */
export class ByteCursor {
  at = 0;
  readonly view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get left(): number {
    return this.bytes.length - this.at;
  }

  /** Moves on by `size` bytes. Returns the position before. */
  skip(size: number): number {
    const { at } = this;
    this.at = at + size;
    return at;
  }
}

/** Writes and reads the values of one field. */
export interface FieldCodec {
  readonly kind: FieldKind;
  readonly minBytes: number;
  readonly maxBytes: number;
  /** Writes a value. Throws an error about `subject` if it is not valid. */
  write(subject: string, value: unknown, to: ByteCursor): void;
  /** Reads a value; undefined if the bytes are not valid. At least `minBytes` bytes must be left. */
  read(from: ByteCursor): unknown;
}

/** Returns the codec of a declared field. Throws an error about `subject` for anything else. */
export function codecOf(subject: string, field: unknown): FieldCodec {
  if (!(field instanceof CommandField)) return numberCodec(subject, field);
  const { kind, max, element } = field;
  if (kind === "text") return textCodec(max);
  if (kind === "bytes") return bytesCodec(max);
  return manyCodec(max, numberCodec(`${subject}, the field of its list,`, element));
}

function numberCodec(subject: string, field: unknown): FieldCodec {
  const node = field instanceof Field ? new Layout({ field }).root.children["field"] : undefined;
  if (node?.kind !== "leaf" || node.leaf.width !== 1)
    badValue(subject, "a field of a single number, or text, bytes or many", field, "u16");
  const { type, form, names } = node.leaf;
  if (form === "boolean") return booleanCodec;
  if (form === "choice") return choiceCodec(names!);
  return type === "f64" || type === "f32" ? floatCodec(type) : wholeCodec(type);
}

/** Bytes, and the smallest and the largest value, of each type of whole numbers. */
const WHOLE = {
  i32: [4, -(2 ** 31), 2 ** 31 - 1],
  u32: [4, 0, 2 ** 32 - 1],
  i16: [2, -(2 ** 15), 2 ** 15 - 1],
  u16: [2, 0, 2 ** 16 - 1],
  i8: [1, -128, 127],
  u8: [1, 0, 255],
} as const;

function wholeCodec(type: keyof typeof WHOLE): FieldCodec {
  const [size, min, max] = WHOLE[type];
  return {
    kind: [type],
    minBytes: size,
    maxBytes: size,
    write(subject, value, to) {
      writeWhole(to, size, wholeOf(subject, value, min, max));
    },
    read(from) {
      const whole = readWhole(from, size);
      return whole > max ? whole - 2 ** (8 * size) : whole;
    },
  };
}

function wholeOf(subject: string, value: unknown, min: number, max: number): number {
  if (!(Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max))
    badValue(subject, `a whole number from ${min} to ${max}`, value, Math.max(0, min));
  return value as number;
}

function writeWhole(to: ByteCursor, size: number, value: number): void {
  for (let i = 0; i < size; i++) to.bytes[to.at++] = value >>> (8 * i);
}

/** Reads an unsigned number. */
function readWhole(from: ByteCursor, size: number): number {
  let value = 0;
  for (let i = 0; i < size; i++) value += from.bytes[from.at++]! * 2 ** (8 * i);
  return value;
}

function floatCodec(type: "f64" | "f32"): FieldCodec {
  const size = type === "f64" ? 8 : 4;
  return {
    kind: [type],
    minBytes: size,
    maxBytes: size,
    write(subject, value, to) {
      if (!(typeof value === "number" && Number.isFinite(type === "f64" ? value : Math.fround(value))))
        badValue(subject, `a finite number${type === "f32" ? " of 32 bits" : ""}`, value, 0);
      if (type === "f64") to.view.setFloat64(to.skip(size), value, true);
      else to.view.setFloat32(to.skip(size), value, true);
    },
    read(from) {
      const at = from.skip(size);
      const value = type === "f64" ? from.view.getFloat64(at, true) : from.view.getFloat32(at, true);
      return Number.isFinite(value) ? value : undefined;
    },
  };
}

const booleanCodec: FieldCodec = {
  kind: ["bool"],
  minBytes: 1,
  maxBytes: 1,
  write(subject, value, to) {
    if (typeof value !== "boolean") badValue(subject, "true or false", value, true);
    writeWhole(to, 1, value ? 1 : 0);
  },
  read(from) {
    const byte = readWhole(from, 1);
    return byte > 1 ? undefined : byte === 1;
  },
};

function choiceCodec(names: readonly string[]): FieldCodec {
  return {
    kind: ["oneOf", ...names],
    minBytes: 1,
    maxBytes: 1,
    write(subject, value, to) {
      writeWhole(to, 1, wholeOf(subject, value, 0, names.length - 1));
    },
    read(from) {
      const byte = readWhole(from, 1);
      return byte < names.length ? byte : undefined;
    },
  };
}

/** Bytes of a length: as few as the largest length needs. */
const lengthBytes = (max: number) => (max < 256 ? 1 : 2);

function textCodec(max: number): FieldCodec {
  const head = lengthBytes(max);
  return {
    kind: ["text", max],
    minBytes: head,
    maxBytes: head + max,
    write(subject, value, to) {
      if (typeof value !== "string") badValue(subject, "a text", value, '"hello"');
      // Each unit takes a byte or more.
      const encoded = value.length <= max ? new TextEncoder().encode(value) : undefined;
      if (!encoded || encoded.length > max)
        badValue(subject, `a text of at most ${max} bytes`, value, "a shorter one");
      writeWhole(to, head, encoded.length);
      to.bytes.set(encoded, to.skip(encoded.length));
    },
    read(from) {
      const part = readPart(from, head, max);
      return part && decodeText(part);
    },
  };
}

function bytesCodec(max: number): FieldCodec {
  const head = lengthBytes(max);
  return {
    kind: ["bytes", max],
    minBytes: head,
    maxBytes: head + max,
    write(subject, value, to) {
      if (!(value instanceof Uint8Array && value.length <= max))
        badValue(subject, `a Uint8Array of at most ${max} bytes`, value, `new Uint8Array(${max})`);
      writeWhole(to, head, value.length);
      to.bytes.set(value, to.skip(value.length));
    },
    read: (from) => readPart(from, head, max),
  };
}

/** Reads a length and that many bytes, as a copy. */
function readPart(from: ByteCursor, head: number, max: number): Uint8Array | undefined {
  const length = readWhole(from, head);
  if (length > max || length > from.left) return undefined;
  const at = from.skip(length);
  return new Uint8Array(from.bytes.subarray(at, at + length));
}

function manyCodec(max: number, element: FieldCodec): FieldCodec {
  const head = lengthBytes(max);
  const size = element.maxBytes;
  return {
    kind: ["many", max, ...element.kind],
    minBytes: head,
    maxBytes: head + max * size,
    write(subject, value, to) {
      const { length } = (value ?? {}) as ArrayLike<unknown>;
      const isList = typeof value === "object" && Number.isSafeInteger(length) && length >= 0;
      if (!isList || length > max) badValue(subject, `a list of at most ${max} values`, value, "[]");
      writeWhole(to, head, length);
      for (let i = 0; i < length; i++)
        element.write(`${subject}[${i}]`, (value as ArrayLike<unknown>)[i], to);
    },
    read(from) {
      const length = readWhole(from, head);
      if (length > max || length * size > from.left) return undefined;
      const values: unknown[] = [];
      for (let i = 0; i < length; i++) {
        const value = element.read(from);
        if (value === undefined) return undefined;
        values.push(value);
      }
      return Object.freeze(values);
    },
  };
}

const NUMBERS = { f64, f32, i32, u32, i16, u16, i8, u8, bool };

/** Returns the field of a kind, as a file describes it. Throws if there is no such kind. */
export function fieldOfKind([kind, max, ...element]: FieldKind): CommandPart {
  if (kind === "text") return text(max as number);
  if (kind === "bytes") return bytes(max as number);
  return kind === "many"
    ? many(max as number, numberOfKind(element))
    : numberOfKind([kind!, max!, ...element]);
}

function numberOfKind([kind, ...names]: FieldKind): Field<number | boolean, Column> {
  if (kind === "oneOf") return oneOf(...(names as [string]));
  if (typeof kind !== "string" || !Object.hasOwn(NUMBERS, kind))
    throw new Error(`a field of unknown kind ${JSON.stringify(kind)}`);
  return NUMBERS[kind as keyof typeof NUMBERS];
}
