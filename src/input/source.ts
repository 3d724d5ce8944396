import type { Packing } from "./packing.js";

/** Where a step lies in its frame, as a loop has it: `loop.due`, `loop.frameStart`, `loop.frameEnd`. */
export interface StepTiming {
  /** Steps that this frame runs from here on, this one included; 1 where there are no frames. */
  readonly due: number;
  /** When the frame's time began and ended, in milliseconds of the driver's clock; both Infinity where that is not known. */
  readonly from: number;
  readonly to: number;
  /** Milliseconds that a step takes at the present speed; 0, or left out, where that is not known. */
  readonly length?: number | undefined;
}

/** What is asked of an input source: for which tick, and how the tick lies in its frame. One object: copy what you keep. */
export interface InputRequest extends StepTiming {
  readonly tick: number;
  /** The step will be thrown away: presses are not used up by it. */
  readonly peek: boolean;
}

/** Says what a player does: devices, a bot, a recording. */
export interface InputSource {
  /** Writes the words of a tick, as the simulation's packing has them, from `at` on. */
  sample(words: Uint32Array, at: number, request: InputRequest): void;
  /** What it writes words for, if it says so: another simulation then refuses it. */
  readonly packing?: Packing | undefined;
  /** Set if it can serve only one player, such as a latch: sampling consumes its presses. */
  readonly onePlayer?: true | undefined;
}
