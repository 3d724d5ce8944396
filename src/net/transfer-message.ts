// The bodies of the messages that carry transfers. The first byte says what follows; numbers are big-endian.
//
//   0 whole     kind 1 byte · bytes
//   1 start     id 4 · kind 1 · length 4
//   2 fragment  id 4 · bytes
//   3 end       id 4 · check 4
//   4 cancel    id 4           by the sender of the transfer
//   5 refuse    id 4           by its receiver
//   6 ack       count 4        of all fragments that have arrived on this link, modulo 2^32
import { MAX_MESSAGE } from "./link.js";

export const WHOLE = 0;
export const START = 1;
export const FRAGMENT = 2;
export const END = 3;
export const CANCEL = 4;
export const REFUSE = 5;
export const ACK = 6;

/** The lengths of these bodies. Those with bytes have at least one more. */
export const LENGTHS: readonly number[] = [2, 10, 5, 9, 5, 5, 5];

/** The longest body: the caller adds a byte that tells it from other messages. */
export const MAX_BODY = MAX_MESSAGE - 1;
/** The most bytes that a body of each kind carries. */
export const MAX_WHOLE = MAX_BODY - LENGTHS[WHOLE]!;
export const MAX_FRAGMENT = MAX_BODY - LENGTHS[FRAGMENT]!;

/** At most this many transfers are under way in each direction. Others wait for their turn. */
export const MAX_ACTIVE = 8;
/** Fragments per acknowledgement. */
export const ACK_EVERY = 8;

/** Transfers end with a check of all their bytes: FNV-1a. */
export const CHECK_START = 0x811c9dc5;

/** Continues a check with more bytes. */
export function check(from: number, bytes: Uint8Array): number {
  let hash = from;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash >>> 0;
}

/** Reads the number at an offset. */
export const readU32 = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;

/** Writes bodies into one piece of memory, each valid until the next one. */
export class BodyWriter {
  readonly #buffer = new Uint8Array(MAX_BODY);
  readonly #view = new DataView(this.#buffer.buffer);

  whole(kind: number, bytes: Uint8Array): Uint8Array {
    this.#buffer[0] = WHOLE;
    this.#buffer[1] = kind;
    this.#buffer.set(bytes, 2);
    return this.#buffer.subarray(0, 2 + bytes.length);
  }

  start(id: number, kind: number, length: number): Uint8Array {
    this.#buffer[5] = kind;
    this.#view.setUint32(6, length);
    return this.#number(START, id, 10);
  }

  fragment(id: number, bytes: Uint8Array): Uint8Array {
    this.#buffer.set(bytes, 5);
    return this.#number(FRAGMENT, id, 5 + bytes.length);
  }

  end(id: number, sum: number): Uint8Array {
    this.#view.setUint32(5, sum);
    return this.#number(END, id, 9);
  }

  /** A body that has one number only: cancel, refuse, ack. */
  short(type: number, number: number): Uint8Array {
    return this.#number(type, number, 5);
  }

  #number(type: number, number: number, length: number): Uint8Array {
    this.#buffer[0] = type;
    this.#view.setUint32(1, number);
    return this.#buffer.subarray(0, length);
  }
}
