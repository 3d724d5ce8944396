import type { Piece } from "./blend-pieces.js";

/** The inner loops over the memory of a state. Offsets and sizes are in bytes. Nothing allocates. */
export interface Kernels {
  readonly name: "wasm" | "js";
  /**
   * How far a blend is from the previous state to the current one, and the seconds between them. Set both before a blend. In an array,
   * as the engine allocates numbers that are passed to calls which it does not inline.
   */
  readonly factors: Float64Array;

  copy(to: number, from: number, bytes: number): void;

  /**
   * Writes the hash of a state to `out[0]` and `out[1]`, unsigned. The areas of doubles, floats and integers follow one
   * another from `from` on. Each is a multiple of 64 bytes.
   */
  hash(
    from: number,
    f64Bytes: number,
    f32Bytes: number,
    intBytes: number,
    out: { [index: number]: number },
  ): void;

  /** Blends all pieces of two states into a third. Each implementation has its own loop, to keep the calls in it monomorphic. */
  blend(pieces: readonly Piece[], out: number, previous: number, current: number): void;

  /**
   * The functions of `tickwise/blend`, with bit-identical results, for `count` consecutive numbers. Input and output must
   * not overlap. Floats are rounded once, at the end.
   */
  lerp64: Blend;
  lerp32: Blend;
  angle64: Blend;
  angle32: Blend;
  hermite64: BlendCurve;
  hermite32: BlendCurve;

  /** The same, for `count` quaternions of four doubles. */
  nlerp64: Blend;
  slerp64: Blend;
}

type Blend = (out: number, previous: number, current: number, count: number) => void;

type BlendCurve = (
  out: number,
  previous: number,
  current: number,
  previousVelocity: number,
  currentVelocity: number,
  count: number,
) => void;

/** Indices of `Kernels.factors`. */
export const BLEND_T = 0;
export const BLEND_DT = 1;
