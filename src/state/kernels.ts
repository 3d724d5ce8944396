import type { Piece } from "./blend-pieces.js";

/** The loops over the memory of a simulation. Offsets and sizes are in bytes from its start; none allocates. */
export interface Kernels {
  readonly name: "wasm" | "js";

  copy(to: number, from: number, bytes: number): void;

  /**
   * Writes a snapshot's digest to `out[0]` and `out[1]`, unsigned. Its areas of doubles, of floats and of integers
   * follow one another from `from` on, each of a multiple of 64 bytes.
   */
  hash(
    from: number,
    f64Bytes: number,
    f32Bytes: number,
    intBytes: number,
    out: { [index: number]: number },
  ): void;

  /** All pieces of two states into a third, other one. Each kernels have their own: V8 is slow where a call may be two. */
  blend(
    pieces: readonly Piece[],
    out: number,
    previous: number,
    current: number,
    t: number,
    dt: number,
  ): void;

  /**
   * The functions of `tickwise/blend` to the bit, for `count` numbers in a row, into another place than they come from.
   * Floats are rounded once, at the end.
   */
  lerp64: Blend;
  lerp32: Blend;
  angle64: Blend;
  angle32: Blend;
  hermite64: BlendCurve;
  hermite32: BlendCurve;

  /** The same for `count` quaternions of four doubles. */
  nlerp64: Blend;
  slerp64: Blend;
}

type Blend = (out: number, previous: number, current: number, count: number, t: number) => void;

type BlendCurve = (
  out: number,
  previous: number,
  current: number,
  previousVelocity: number,
  currentVelocity: number,
  count: number,
  dt: number,
  t: number,
) => void;
