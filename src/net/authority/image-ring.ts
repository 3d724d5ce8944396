import type { SnapshotCodec } from "../snapshot/snapshot-codec.js";
import type { WireImage } from "../snapshot/wire-image.js";

/** States that are kept as baselines. */
const SIZE = 64;

/** The last states, as snapshots are made of them, by tick. */
export class ImageRing {
  readonly #codec: SnapshotCodec;
  readonly #images: WireImage[] = [];
  #next = 0;

  constructor(codec: SnapshotCodec) {
    this.#codec = codec;
  }

  /** Returns the state of a tick, if it is kept. */
  find(tick: number): WireImage | undefined {
    if (tick <= 0) return undefined;
    for (const image of this.#images) if (image.tick === tick) return image;
    return undefined;
  }

  /** Returns the image to be written next: that of the oldest state, but none of those that are needed. */
  next(...needed: readonly (WireImage | undefined)[]): WireImage {
    for (;;) {
      const slot = this.#next++ % SIZE;
      const image = (this.#images[slot] ??= this.#codec.image());
      if (needed.includes(image)) continue;
      // Nobody finds it while it is being written.
      image.tick = 0;
      return image;
    }
  }

  clear(): void {
    for (const image of this.#images) image.tick = 0;
  }
}
