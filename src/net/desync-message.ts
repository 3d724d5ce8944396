// The bytes of messages in a search for a desync.
import { ByteReader, writeVarint } from "../replay/varint.js";
import { MAX_MESSAGE } from "./link.js";

/** The first byte of each message. */
export const OPEN = 1;
export const REFINE = 2;
export const TOP = 3;
export const NODES = 4;
export const LEAVES = 5;
export const DONE = 6;
export const FAIL = 7;

/** A message that no honest peer sends: what is wrong with it. */
export class Malformed extends Error {}

export function malformed(problem: string): never {
  throw new Malformed(problem);
}

/** Writes a message. Every message of a search fits into `MAX_MESSAGE` bytes. */
export class MessageWriter {
  readonly #bytes = new Uint8Array(MAX_MESSAGE);
  #at = 0;

  constructor(kind: number) {
    this.byte(kind);
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  byte(value: number): void {
    this.#bytes[this.#at++] = value;
  }

  varint(value: number): void {
    this.#at = writeVarint(this.#bytes, this.#at, value);
  }

  /** Writes the lowest `bytes` bytes of a number. */
  word(value: number, bytes: number): void {
    for (let i = 0; i < bytes; i++) this.byte((value >>> (8 * i)) & 255);
  }

  raw(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Writes which of `count` things are in a list, as one bit each. */
  mask(list: readonly number[], count: number): void {
    for (let from = 0; from < count; from += 8)
      this.byte(list.reduce((bits, i) => (i >= from && i < from + 8 ? bits | (1 << (i - from)) : bits), 0));
  }

  /** Writes increasing numbers, after their count. */
  increasing(list: readonly number[]): void {
    this.varint(list.length);
    list.forEach((value, i) => this.varint(i === 0 ? value : value - list[i - 1]! - 1));
  }
}

/** Reads a message. Throws `Malformed` if it is too short or a number is out of range. */
export class MessageReader {
  readonly kind: number;
  readonly #reader: ByteReader;

  constructor(bytes: Uint8Array) {
    if (bytes.length > MAX_MESSAGE) malformed(`${bytes.length} bytes`);
    this.#reader = new ByteReader(bytes, 0, bytes.length);
    this.kind = this.byte();
  }

  byte(): number {
    const value = this.#reader.byte();
    return value < 0 ? malformed("truncated") : value;
  }

  varint(max: number): number {
    const value = this.#reader.varint();
    return value < 0 || value > max ? malformed("a number out of range") : value;
  }

  word(bytes: number): number {
    let value = 0;
    for (let i = 0; i < bytes; i++) value |= this.byte() << (8 * i);
    return value >>> 0;
  }

  words(count: number, bytes: number): number[] {
    return Array.from({ length: count }, () => this.word(bytes));
  }

  raw(length: number): Uint8Array {
    const { bytes, at, left } = this.#reader;
    if (left < length) malformed("truncated");
    this.#reader.at += length;
    return bytes.slice(at, at + length);
  }

  mask(count: number): number[] {
    const list: number[] = [];
    for (let from = 0; from < count; from += 8)
      for (let bits = this.byte(), i = from; bits > 0; bits >>= 1, i++)
        if (bits & 1) {
          if (i >= count) malformed("a bit too many");
          list.push(i);
        }
    return list;
  }

  /** Reads 1 to `max` increasing numbers, all below `end`. */
  increasing(max: number, end: number): number[] {
    const count = this.varint(max);
    if (count === 0) malformed("an empty list");
    const list: number[] = [];
    for (let next = 0; list.length < count; next = list.at(-1)! + 1)
      list.push(next + this.varint(end - 1 - next));
    return list;
  }

  end(): void {
    if (this.#reader.left > 0) malformed("bytes after its end");
  }
}
