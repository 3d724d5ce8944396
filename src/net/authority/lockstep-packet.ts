// What a client in lockstep sends: the changes of its inputs, and now and then a sign of life. Both arrive, and in order.
//
//   1 bit: 0 · 14 bits: the lowest ones of the tick before which it has everything · since when, in milliseconds, as a Golomb code
//   1 bit, then 8 bits if it is set: a number that the server sends back
//   how many rows follow, as a Golomb code; each row is the words of all own seats
import { nearest, type BitReader, type BitWriter } from "../bits.js";

const TICK_BITS = 14;
const AGE_ORDER = 4;
const MAX_AGE = 60_000;
/** Most rows in a packet. */
export const MAX_ROWS = 16;

/** The head of such a packet. Reuse it. */
export class LockstepHead {
  /** The tick before which the client has everything, and for how many milliseconds. */
  ack = 0;
  age = 0;
  /** A number from 0 to 255 that the server sends back; -1 for none. */
  ping = -1;
  rows = 0;

  write(writer: BitWriter): void {
    const { ack, age, ping, rows } = this;
    writer.write(0, 1);
    writer.write(ack, TICK_BITS);
    writer.writeGolomb(Math.max(0, Math.min(MAX_AGE, Math.round(age))), AGE_ORDER);
    writer.write(ping < 0 ? 0 : 1, 1);
    if (ping >= 0) writer.write(ping, 8);
    writer.writeGolomb(rows, 0);
  }

  /** Reads a head. Returns false unless it is well formed. `expected` is about the acknowledged tick. */
  read(reader: BitReader, expected: number): boolean {
    if (reader.read(1) !== 0) return false;
    this.ack = nearest(reader.read(TICK_BITS), TICK_BITS, expected);
    this.age = reader.readGolomb(AGE_ORDER);
    this.ping = reader.read(1) === 1 ? reader.read(8) : -1;
    this.rows = reader.readGolomb(0);
    return !reader.hasFailed && this.ack >= 0 && this.age <= MAX_AGE && this.rows <= MAX_ROWS;
  }
}

/** The body of the server's answer: the number, and the server's tick with its fraction. */
export function pongBody(ping: number, tick: number): Uint8Array {
  const body = new Uint8Array(9);
  body[0] = ping;
  new DataView(body.buffer).setFloat64(1, tick);
  return body;
}

export function readPong(body: Uint8Array): { readonly ping: number; readonly tick: number } | undefined {
  if (body.length !== 9) return undefined;
  const tick = new DataView(body.buffer, body.byteOffset).getFloat64(1);
  return tick >= 0 && tick < 2 ** 53 ? { ping: body[0]!, tick } : undefined;
}
