// Glenn Fiedler's encoding of the cubes, by his description: the article "Snapshot Compression" (2015), and the reference of the
// challenge that followed it, which sends fewer bits. All constants are his. Written for speed, as our codec is measured
// against it.
//
// - Cubes that changed are marked by a bit each, or listed: an index takes 1, 4, 6, 8, 10, 12 or 16 bits, by its distance to the
//   one before. A packet without changes has an empty list, as in the article.
// - A position is relative to where the cube would be by its motion between the two baselines, drag and gravity: 4 bits per
//   component if all are small, else one of three ranges per component, else absolute. With a lost packet the two spans differ,
//   and the motion is scaled.
// - An orientation is relative in the smallest-three form: 2 bits per component if all are small, else one of three ranges, else
//   absolute. The article's bit for orientations that did not change takes 1 % more here, so it is left out.
import { BitReader, BitWriter } from "./snapshots-bits.mjs";

const CUBES = 901;
const VALUES = 8;
const MAX_LISTED = 255;

// Ranges of zigzag-coded differences: bits of the small, medium and large range, and where the next one starts.
const POSITION_BITS = [5, 6, 7];
const POSITION_END = 32 + 64 + 128;
const ALL_SMALL_POSITION = 15;
const TURN_BITS = [4, 5, 7];
const TURN_END = 16 + 32 + 128;
const ALL_SMALL_TURN = 3;

/** Absolute positions: ±256 m across, 0 to 32 m up. */
const ACROSS_BITS = 18;
const UP_BITS = 14;

/** Lost to drag and gravity in 6 frames, in units, and the height of a small cube's centre on the ground. */
const DRAG = 0.062;
const GRAVITY = 3;
const GROUND = 105;

const zigzag = (value) => (value << 1) ^ (value >> 31);
const unzigzag = (value) => (value >>> 1) ^ -(value & 1);

/** Length of an index that follows another, by its distance. */
const INDEX_BITS = new Uint8Array(CUBES);
for (let distance = 1; distance < CUBES; distance++) INDEX_BITS[distance] = indexBits(distance);

function indexBits(distance) {
  if (distance === 1) return 1;
  if (distance <= 5) return 4;
  if (distance <= 13) return 6;
  if (distance <= 29) return 8;
  if (distance <= 61) return 10;
  if (distance <= 125) return 12;
  return 16;
}

/** Header: the frame, its baseline, and whether that is the initial state. */
const HEADER_BITS = [16, 16, 1];

export class Fiedler {
  #writer = new BitWriter();
  #reader = new BitReader();
  #changed = new Uint16Array(CUBES);
  #out = new Int16Array(CUBES * VALUES);
  #estimate = new Int32Array(3);

  /** Encodes a frame against its baseline and the one before. The bytes are overwritten by the next packet. */
  encode({ number, baseline, older: olderNumber }, frames) {
    const frame = frames[number];
    const base = frames[baseline];
    const older = frames[olderNumber];
    const writer = this.#writer;
    writer.start();
    writer.write(number & 0xffff, HEADER_BITS[0]);
    writer.write(baseline & 0xffff, HEADER_BITS[1]);
    writer.write(0, HEADER_BITS[2]);

    const changed = this.#changed;
    let count = 0;
    let listBits = 8;
    let before = 0;
    for (let cube = 0, at = 0; cube < CUBES; cube++, at += VALUES) {
      if (
        frame[at] === base[at] &&
        frame[at + 1] === base[at + 1] &&
        frame[at + 2] === base[at + 2] &&
        frame[at + 3] === base[at + 3] &&
        frame[at + 4] === base[at + 4] &&
        frame[at + 5] === base[at + 5] &&
        frame[at + 6] === base[at + 6] &&
        frame[at + 7] === base[at + 7]
      )
        continue;
      listBits += count === 0 ? 10 : INDEX_BITS[cube - before];
      changed[count++] = cube;
      before = cube;
    }

    const ahead = (number - baseline) / Math.max(1, baseline - olderNumber);
    const usesList = count <= MAX_LISTED && listBits <= CUBES;
    writer.write(usesList ? 1 : 0, 1);
    if (usesList) {
      writer.write(count, 8);
      for (let i = 0; i < count; i++) {
        const cube = changed[i];
        if (i === 0) writer.write(cube, 10);
        else this.#writeIndex(cube - changed[i - 1]);
        this.#writeCube(frame, base, older, cube * VALUES, ahead);
      }
    } else {
      for (let cube = 0, i = 0; cube < CUBES; cube++) {
        const isChanged = i < count && changed[i] === cube;
        writer.write(isChanged ? 1 : 0, 1);
        if (!isChanged) continue;
        i++;
        this.#writeCube(frame, base, older, cube * VALUES, ahead);
      }
    }
    return writer.finish();
  }

  /** Decodes a packet. The frame is overwritten by the next one. */
  decodeFrame(bytes, frames, { older: olderNumber }) {
    const reader = this.#reader;
    reader.start(bytes);
    const number = reader.read(HEADER_BITS[0]);
    const baseline = reader.read(HEADER_BITS[1]);
    reader.read(HEADER_BITS[2]);
    const base = frames[baseline];
    // The receiver knows with which baseline it got this one.
    const older = frames[olderNumber];
    const out = this.#out;
    out.set(base);
    const ahead = (number - baseline) / Math.max(1, baseline - olderNumber);
    if (reader.read(1) === 1) {
      const count = reader.read(8);
      let cube = 0;
      for (let i = 0; i < count; i++) {
        cube = i === 0 ? reader.read(10) : cube + this.#readIndex();
        this.#readCube(out, base, older, cube * VALUES, ahead);
      }
    } else {
      for (let cube = 0; cube < CUBES; cube++)
        if (reader.read(1) === 1) this.#readCube(out, base, older, cube * VALUES, ahead);
    }
    return out;
  }

  #writeIndex(distance) {
    const writer = this.#writer;
    if (distance === 1) writer.write(1, 1);
    else if (distance <= 5) writer.write(0b10 | ((distance - 2) << 2), 4);
    else if (distance <= 13) writer.write(0b100 | ((distance - 6) << 3), 6);
    else if (distance <= 29) writer.write(0b1000 | ((distance - 14) << 4), 8);
    else if (distance <= 61) writer.write(0b10000 | ((distance - 30) << 5), 10);
    else if (distance <= 125) writer.write(0b100000 | ((distance - 62) << 6), 12);
    else writer.write((distance - 126) << 6, 16);
  }

  #readIndex() {
    const reader = this.#reader;
    if (reader.read(1) === 1) return 1;
    if (reader.read(1) === 1) return 2 + reader.read(2);
    if (reader.read(1) === 1) return 6 + reader.read(3);
    if (reader.read(1) === 1) return 14 + reader.read(4);
    if (reader.read(1) === 1) return 30 + reader.read(5);
    if (reader.read(1) === 1) return 62 + reader.read(6);
    return 126 + reader.read(10);
  }

  #predict(base, older, at, ahead) {
    const estimate = this.#estimate;
    for (let i = 0; i < 3; i++) {
      const move = (base[at + i] - older[at + i]) * ahead;
      estimate[i] = base[at + i] + Math.round(move - Math.ceil(move * DRAG));
    }
    estimate[2] = Math.max(estimate[2] - GRAVITY, GROUND);
  }

  #writeCube(frame, base, older, at, ahead) {
    const writer = this.#writer;
    const isMoved =
      frame[at] !== base[at] || frame[at + 1] !== base[at + 1] || frame[at + 2] !== base[at + 2];
    writer.write(frame[at + 7] | (isMoved ? 2 : 0), 2);
    if (isMoved) {
      this.#predict(base, older, at, ahead);
      const estimate = this.#estimate;
      const x = zigzag(frame[at] - estimate[0]);
      const y = zigzag(frame[at + 1] - estimate[1]);
      const z = zigzag(frame[at + 2] - estimate[2]);
      if (x <= ALL_SMALL_POSITION && y <= ALL_SMALL_POSITION && z <= ALL_SMALL_POSITION)
        writer.write(1 | (x << 1) | (y << 5) | (z << 9), 13);
      else if (x < POSITION_END && y < POSITION_END && z < POSITION_END) {
        writer.write(0b10, 2);
        this.#writeRange(x, POSITION_BITS);
        this.#writeRange(y, POSITION_BITS);
        this.#writeRange(z, POSITION_BITS);
      } else {
        writer.write(0, 2);
        writer.write(frame[at] + (1 << (ACROSS_BITS - 1)), ACROSS_BITS);
        writer.write(frame[at + 1] + (1 << (ACROSS_BITS - 1)), ACROSS_BITS);
        writer.write(frame[at + 2], UP_BITS);
      }
    }
    if (frame[at + 3] === base[at + 3]) {
      const a = zigzag(frame[at + 4] - base[at + 4]);
      const b = zigzag(frame[at + 5] - base[at + 5]);
      const c = zigzag(frame[at + 6] - base[at + 6]);
      if (a <= ALL_SMALL_TURN && b <= ALL_SMALL_TURN && c <= ALL_SMALL_TURN) {
        writer.write(0b11 | (a << 2) | (b << 4) | (c << 6), 8);
        return;
      }
      if (a < TURN_END && b < TURN_END && c < TURN_END) {
        writer.write(0b01, 2);
        this.#writeRange(a, TURN_BITS);
        this.#writeRange(b, TURN_BITS);
        this.#writeRange(c, TURN_BITS);
        return;
      }
    }
    writer.write(0, 1);
    writer.write(frame[at + 3] | (frame[at + 4] << 2) | (frame[at + 5] << 11), 20);
    writer.write(frame[at + 6], 9);
  }

  #readCube(out, base, older, at, ahead) {
    const reader = this.#reader;
    out[at + 7] = reader.read(1);
    const isMoved = reader.read(1) === 1;
    if (isMoved) {
      this.#predict(base, older, at, ahead);
      const estimate = this.#estimate;
      const isSmall = reader.read(1) === 1;
      const isInRange = !isSmall && reader.read(1) === 1;
      if (isSmall) {
        for (let i = 0; i < 3; i++) out[at + i] = estimate[i] + unzigzag(reader.read(4));
      } else if (isInRange) {
        for (let i = 0; i < 3; i++) out[at + i] = estimate[i] + unzigzag(this.#readRange(POSITION_BITS));
      } else {
        out[at] = reader.read(ACROSS_BITS) - (1 << (ACROSS_BITS - 1));
        out[at + 1] = reader.read(ACROSS_BITS) - (1 << (ACROSS_BITS - 1));
        out[at + 2] = reader.read(UP_BITS);
      }
    }
    if (reader.read(1) === 0) {
      out[at + 3] = reader.read(2);
      for (let i = 4; i < 7; i++) out[at + i] = reader.read(9);
    } else if (reader.read(1) === 1) {
      for (let i = 4; i < 7; i++) out[at + i] = base[at + i] + unzigzag(reader.read(2));
    } else {
      for (let i = 4; i < 7; i++) out[at + i] = base[at + i] + unzigzag(this.#readRange(TURN_BITS));
    }
  }

  #writeRange(value, bits) {
    const small = 1 << bits[0];
    const medium = small + (1 << bits[1]);
    if (value < small) this.#writer.write(1 | (value << 1), bits[0] + 1);
    else if (value < medium) this.#writer.write(0b10 | ((value - small) << 2), bits[1] + 2);
    else this.#writer.write((value - medium) << 2, bits[2] + 2);
  }

  #readRange(bits) {
    const reader = this.#reader;
    if (reader.read(1) === 1) return reader.read(bits[0]);
    if (reader.read(1) === 1) return (1 << bits[0]) + reader.read(bits[1]);
    return (1 << bits[0]) + (1 << bits[1]) + reader.read(bits[2]);
  }
}
