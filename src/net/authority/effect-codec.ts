// Effects that travel with a state:
//
//   2 bytes   the length of what follows
//   2 bytes   for how many ticks before the state the list is complete
//   and for each effect, the newest first:
//   2 bytes   the number of its name
//   2 bytes   how many ticks before the state it happened
//   then its values, each after a byte that says how it is written
import type { AnyEffect, EffectSpec } from "../../sim/effects.js";

/** Bytes of the effects in one packet. */
export const MAX_EFFECT_BYTES = 4096;

const FALSE = 0;
const TRUE = 1;
const INT8 = 2;
const INT32 = 3;
const FLOAT32 = 4;
const FLOAT64 = 5;
/** Bytes of the largest value, and those before the values. */
const VALUE_BYTES = 9;
const HEAD_BYTES = 4;
const LIST_HEAD_BYTES = 4;

const MAX_TICKS_AGO = 0xffff;

/** Writes the effects of some ticks as bytes, and reads them. */
export class EffectCodec {
  readonly #spec: EffectSpec;
  readonly #names: readonly string[];
  /** The tick from which on the list that was read last is complete. */
  first = 0;

  constructor(spec: EffectSpec) {
    this.#spec = spec;
    this.#names = spec.names;
  }

  /** Whether the simulation declares any. Otherwise nothing is written. */
  get isUsed(): boolean {
    return this.#names.length > 0;
  }

  /**
   * Writes the effects that led to the state of `tick`, all of those from tick `first` on. If there is no room for all, the newest ones
   * are written. Returns how many bytes.
   */
  write(effects: readonly AnyEffect[], first: number, tick: number, out: DataView): number {
    if (!this.isUsed) return 0;
    let at = LIST_HEAD_BYTES;
    let complete = first;
    for (let i = effects.length - 1; i >= 0; i--) {
      const effect = effects[i]!;
      const fields = this.#spec.fieldsOf(effect.name);
      if (at + HEAD_BYTES + VALUE_BYTES * fields.length > Math.min(out.byteLength, MAX_EFFECT_BYTES)) {
        complete = Math.max(complete, effect.tick + 1);
        continue;
      }
      out.setUint16(at, this.#names.indexOf(effect.name));
      out.setUint16(at + 2, Math.min(MAX_TICKS_AGO, tick - effect.tick));
      at += HEAD_BYTES;
      for (let field = 0; field < fields.length; field++)
        at = writeValue(out, at, effect[fields[field]!] as number | boolean);
    }
    out.setUint16(0, at - 2);
    out.setUint16(2, Math.max(0, Math.min(MAX_TICKS_AGO, tick - complete)));
    return at;
  }

  /**
   * Reads the effects that led to the state of `tick` into `out`, in their order, and sets `first`. Returns where they end; -1 if they are
   * malformed.
   */
  read(bytes: Uint8Array, from: number, tick: number, out: AnyEffect[]): number {
    out.length = 0;
    this.first = tick;
    if (!this.isUsed) return from;
    const start = from + LIST_HEAD_BYTES;
    if (start > bytes.length) return -1;
    const end = from + 2 + bytes[from]! * 256 + bytes[from + 1]!;
    const ticks = bytes[from + 2]! * 256 + bytes[from + 3]!;
    if (end < start || end > bytes.length || end - from > MAX_EFFECT_BYTES || ticks > tick) return -1;
    this.first = tick - ticks;
    return end === start || this.#readList(bytes, start, end, tick, out) ? end : -1;
  }

  #readList(bytes: Uint8Array, from: number, end: number, tick: number, out: AnyEffect[]): boolean {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = from; at < end;) {
      if (at + HEAD_BYTES > end) return false;
      const name = this.#names[view.getUint16(at)];
      const ticksAgo = view.getUint16(at + 2);
      at += HEAD_BYTES;
      if (name === undefined || ticksAgo === 0 || ticksAgo > tick) return false;
      const effect: Record<string, unknown> & AnyEffect = { name, tick: tick - ticksAgo };
      for (const field of this.#spec.fieldsOf(name)) {
        const size = sizeOf(bytes[at]);
        if (size === 0 || at + size > end) return false;
        (effect as Record<string, unknown>)[field] = readValue(view, at);
        at += size;
      }
      out.push(effect);
    }
    out.reverse();
    return true;
  }
}

function writeValue(view: DataView, at: number, value: number | boolean): number {
  const kind = kindOf(value);
  view.setUint8(at, kind);
  if (kind === INT8) view.setInt8(at + 1, value as number);
  else if (kind === INT32) view.setInt32(at + 1, value as number);
  else if (kind === FLOAT32) view.setFloat32(at + 1, value as number);
  else if (kind === FLOAT64) view.setFloat64(at + 1, value as number);
  return at + sizeOf(kind);
}

function readValue(view: DataView, at: number): number | boolean {
  const kind = view.getUint8(at);
  if (kind === INT8) return view.getInt8(at + 1);
  if (kind === INT32) return view.getInt32(at + 1);
  if (kind === FLOAT32) return view.getFloat32(at + 1);
  if (kind === FLOAT64) return view.getFloat64(at + 1);
  return kind === TRUE;
}

/** Returns the shortest way to write a value exactly. */
function kindOf(value: number | boolean): number {
  if (typeof value === "boolean") return value ? TRUE : FALSE;
  if (Object.is(value, value | 0)) return value >= -128 && value < 128 ? INT8 : INT32;
  return Object.is(Math.fround(value), value) ? FLOAT32 : FLOAT64;
}

const SIZES = [1, 1, 2, 5, 5, 9];

/** Returns the bytes of a value with its kind; 0 for an unknown kind. */
const sizeOf = (kind: number | undefined): number => SIZES[kind ?? -1] ?? 0;
