import { source } from "./snapshots-source.mjs";

const { CubesLayout, LIVE, quantised, snapshotCodec, writeFrame } = source;

/** Our header: the frame's number in 16 bits, and how much older its baseline is. Both sides know with which one that was sent. */
const HEADER = 3;

/** Returns the images of frames, as a server has them. */
export function imagesOf(frames, options) {
  const codec = snapshotCodec(CubesLayout, options);
  const state = CubesLayout.allocate();
  return frames.map((frame, number) => {
    writeFrame(frame, state.world.cubes);
    state.tick = number;
    const image = codec.image();
    codec.read(state, LIVE, image);
    return image;
  });
}

/** The codec that is derived from the scene's layout. */
export class Ours {
  #codec;
  #bytes = new Uint8Array(1 << 16);
  #state = CubesLayout.allocate();
  #image;
  #images;

  constructor(images, options) {
    this.#codec = snapshotCodec(CubesLayout, options);
    this.#images = images;
    this.#image = this.#codec.image();
  }

  encode({ number, baseline, older }) {
    const images = this.#images;
    const bytes = this.#bytes;
    bytes[0] = number & 255;
    bytes[1] = number >> 8;
    bytes[2] = number - baseline;
    const second = older < baseline ? images[older] : undefined;
    const length = this.#codec.encode(images[number], images[baseline], second, bytes, HEADER);
    if (length < 0) throw new Error("the packet is too long");
    return bytes.subarray(0, HEADER + length);
  }

  decode(bytes, { older }) {
    const number = bytes[0] | (bytes[1] << 8);
    const baseline = number - bytes[2];
    const second = older < baseline ? this.#images[older] : undefined;
    const body = bytes.subarray(HEADER);
    if (!this.#codec.decode(body, number, this.#images[baseline], second, this.#image))
      throw new Error("the packet is invalid");
    return this.#image;
  }

  /** Makes an image of the shown state, as a server does once per tick. */
  read() {
    this.#codec.read(this.#state, LIVE, this.#image);
  }

  /** Writes an image to the shown state, as a client does. */
  write({ number }) {
    this.#codec.write(this.#images[number], this.#state, LIVE);
  }

  /** Decodes a packet, and returns the cubes of the state that a client sees. */
  decodeFrame(bytes, _, packet) {
    this.#codec.write(this.decode(bytes, packet), this.#state, LIVE);
    return quantised(this.#state.world.cubes);
  }
}

/** The codec's options for each of its kernels. */
export const KERNELS = { wasm: { kernels: "wasm" }, js: { kernels: "js" } };
