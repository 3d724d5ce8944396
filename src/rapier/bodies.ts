import { digest } from "./digest.js";
import type { RapierWorld } from "./types.js";

/** Stands for every NaN, as engines may store different bits for NaN. */
const NAN_32 = 0x7fc00000;

/** Most words of a body: 2 of its handle, 3 + 4 + 3 + 3 numbers, and whether it sleeps. */
const MAX_WORDS = 16;

/** Hashes the handles, positions, velocities and sleep of all bodies, in Rapier's order. */
export class BodiesDigest {
  #floats = new Float32Array(64 * MAX_WORDS);
  #words = new Int32Array(this.#floats.buffer);
  readonly #handle = new Float64Array(1);
  readonly #halves = new Int32Array(this.#handle.buffer);
  #at = 0;

  of(world: RapierWorld): [number, number] {
    this.#at = 0;
    world.forEachRigidBody((body) => {
      if (this.#at + MAX_WORDS > this.#words.length) this.#grow();
      this.#handle[0] = body.handle;
      this.#words[this.#at++] = this.#halves[0]!;
      this.#words[this.#at++] = this.#halves[1]!;
      this.#add(body.translation());
      this.#add(body.rotation());
      this.#add(body.linvel());
      this.#add(body.angvel());
      this.#words[this.#at++] = body.isSleeping() ? 1 : 0;
    });
    return digest(new Uint8Array(this.#words.buffer, 0, 4 * this.#at));
  }

  /** Adds the components of a vector, or an angle. Rapier stores 32-bit floats, so nothing is rounded. */
  #add(value: number | { readonly x: number; readonly y: number; readonly z?: number; readonly w?: number }) {
    if (typeof value === "number") {
      this.#number(value);
      return;
    }
    this.#number(value.x);
    this.#number(value.y);
    if (value.z !== undefined) this.#number(value.z);
    if (value.w !== undefined) this.#number(value.w);
  }

  #number(x: number): void {
    const at = this.#at++;
    if (x === x) this.#floats[at] = x;
    else this.#words[at] = NAN_32;
  }

  #grow(): void {
    const before = this.#words;
    this.#floats = new Float32Array(2 * before.length);
    this.#words = new Int32Array(this.#floats.buffer);
    this.#words.set(before);
  }
}
