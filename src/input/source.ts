import type { Packing } from "./packing.js";

/** When a step runs within its frame. For `due`, see `stepsLeft(loop)`; for the times, `loop.frame`. */
export interface StepTiming {
  /** Steps that the frame has yet to run, including this one. 1 without a frame. */
  readonly due: number;
  /** When the frame's time began, in milliseconds of the driver's clock. Infinity if unknown. */
  readonly frameStart: number;
  /** When the frame's time ended, in milliseconds of the driver's clock. Infinity if unknown. */
  readonly frameEnd: number;
  /** Seconds of real time that a step takes at the current speed. 0, or left out, if unknown. */
  readonly duration?: number | undefined;
}

/**
 * The tick that inputs are sampled for, and when it runs within its frame. The object is reused: copy what you keep.
 */
export interface InputRequest extends StepTiming {
  readonly tick: number;
  /** Whether the step will be discarded. A peek must not consume presses. */
  readonly peek: boolean;
}

/** Supplies the inputs of a player: devices, a bot or a recording. */
export interface InputSource {
  /** Writes the inputs of a tick into `words`, from index `offset` on, in the layout of the simulation's packing. */
  sample(words: Uint32Array, offset: number, request: InputRequest): void;
  /** The packing it writes, if it has one. A simulation with other inputs then rejects the source. */
  readonly packing?: Packing | undefined;
  /** Set if it can serve only one player, such as a latch, where sampling consumes presses. */
  readonly onePlayer?: true | undefined;
  /**
   * Set if it writes the inputs of all players, such as a recording: then it is the only source of a session. `offset` is 0,
   * and the words of the players follow each other.
   */
  readonly allPlayers?: true | undefined;
}
