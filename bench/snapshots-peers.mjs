// The other ways to send the cubes. All get the quantised values, and are decoded and compared as ours are.
import { Decoder, Encoder, schema, t } from "@colyseus/schema";
import geckos from "@geckos.io/snapshot-interpolation";
import { decode, encode } from "@msgpack/msgpack";
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  inflateRawSync,
} from "node:zlib";

const CUBES = 901;
const VALUES = 8;

/** The number of the frame, and how much older its baseline is. */
const HEADER = 3;

/**
 * Compresses the difference to the baseline: the same value of all cubes side by side, first the low byte of each, zigzag-coded,
 * then the high byte.
 */
class ByteDeltas {
  #difference = new Uint8Array(CUBES * VALUES * 2);
  #compress;
  #decompress;

  constructor(compress, decompress) {
    this.#compress = compress;
    this.#decompress = decompress;
  }

  encode({ number, baseline }, frames) {
    const [frame, base] = [frames[number], frames[baseline]];
    const half = CUBES * VALUES;
    for (let i = 0, to = 0; i < VALUES; i++) {
      for (let at = i; at < half; at += VALUES, to++) {
        const value = frame[at] - base[at];
        const coded = (value << 1) ^ (value >> 31);
        this.#difference[to] = coded;
        this.#difference[half + to] = coded >> 8;
      }
    }
    const body = this.#compress(this.#difference);
    const bytes = new Uint8Array(HEADER + body.length);
    bytes.set([number & 255, number >> 8, number - baseline]);
    bytes.set(body, HEADER);
    return bytes;
  }

  decodeFrame(bytes, frames) {
    const base = frames[(bytes[0] | (bytes[1] << 8)) - bytes[2]];
    const difference = this.#decompress(bytes.subarray(HEADER));
    const frame = new Int16Array(CUBES * VALUES);
    for (let i = 0, from = 0; i < VALUES; i++) {
      for (let at = i; at < frame.length; at += VALUES, from++) {
        const coded = difference[from] | (difference[frame.length + from] << 8);
        frame[at] = base[at] + ((coded >>> 1) ^ -(coded & 1));
      }
    }
    return frame;
  }
}

const BEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

export const brotli = () => new ByteDeltas((bytes) => brotliCompressSync(bytes, BEST), brotliDecompressSync);
export const deflate = () =>
  new ByteDeltas((bytes) => deflateRawSync(bytes, { level: 9, memLevel: 9 }), inflateRawSync);

const Cube = schema(
  {
    x: t.int16(),
    y: t.int16(),
    z: t.int16(),
    largest: t.uint8(),
    a: t.uint16(),
    b: t.uint16(),
    c: t.uint16(),
    interacting: t.boolean(),
  },
  "Cube",
);
const NAMES = ["x", "y", "z", "largest", "a", "b", "c", "interacting"];
const Room = schema({ cubes: t.array(Cube) }, "Room");

/** Colyseus' schema. It sends changes since the last patch over a reliable, ordered connection, so it knows no loss. */
export class Colyseus {
  #room = new Room();
  #seen = new Room();
  #encoder;
  #decoder;

  constructor(first) {
    Encoder.BUFFER_SIZE = 256 * 1024;
    for (let cube = 0; cube < CUBES; cube++) this.#room.cubes.push(new Cube());
    this.#assign(first);
    this.#encoder = new Encoder(this.#room);
    this.#decoder = new Decoder(this.#seen);
    this.#decoder.decode(this.#encoder.encodeAll());
    this.#encoder.discardChanges();
  }

  #assign(frame) {
    for (let cube = 0, at = 0; cube < CUBES; cube++) {
      const row = this.#room.cubes[cube];
      for (let i = 0; i < VALUES; i++, at++) row[NAMES[i]] = i === 7 ? frame[at] > 0 : frame[at];
    }
  }

  encode({ number }, frames) {
    this.#assign(frames[number]);
    const bytes = this.#encoder.encode().slice();
    this.#encoder.discardChanges();
    return bytes;
  }

  decodeFrame(bytes) {
    if (bytes.length > 0) this.#decoder.decode(bytes);
    const frame = new Int16Array(CUBES * VALUES);
    for (let cube = 0, at = 0; cube < CUBES; cube++)
      for (let i = 0; i < VALUES; i++, at++) frame[at] = Number(this.#seen.cubes[cube][NAMES[i]]);
    return frame;
  }
}

/** Geckos' snapshots, packed by msgpack. They have no deltas: all cubes are in every packet. */
export class Geckos {
  #interpolation = new geckos.SnapshotInterpolation(60);

  encode({ number }, frames) {
    const frame = frames[number];
    const rows = Array.from({ length: CUBES }, (_, cube) => {
      const at = cube * VALUES;
      const [x, y, z, l, a, b, c, i] = frame.subarray(at, at + VALUES);
      return { id: String(cube), x, y, z, l, a, b, c, i };
    });
    return encode(this.#interpolation.snapshot.create(rows));
  }

  decodeFrame(bytes) {
    return Int16Array.from(
      decode(bytes).state.flatMap(({ x, y, z, l, a, b, c, i }) => [x, y, z, l, a, b, c, i]),
    );
  }
}
