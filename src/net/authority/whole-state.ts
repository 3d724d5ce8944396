// The message with a whole state: the number of words, the inputs of all seats in the tick before, and the state as bytes.
import type { AnySimulation } from "../../sim/index.js";

export interface WholeState {
  /** The inputs of the tick before, and which seats are absent. */
  readonly words: Uint32Array;
  readonly state: Uint8Array;
}

/** How many words describe the inputs of a tick. */
export const wordsOf = ({ players, packing }: AnySimulation): number => players * (packing.words + 1);

export function wholeStateBytes({ words, state }: WholeState): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 + words.byteLength + state.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, words.length);
  words.forEach((word, i) => view.setUint32(4 + 4 * i, word));
  bytes.set(state, 4 + words.byteLength);
  return bytes;
}

/** Reads the message. Returns undefined if it is malformed. The state is checked when it is loaded. */
export function readWholeState(simulation: AnySimulation, bytes: Uint8Array): WholeState | undefined {
  const count = wordsOf(simulation);
  if (bytes.length < 4 + 4 * count) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0) !== count) return undefined;
  const words = Uint32Array.from({ length: count }, (_, i) => view.getUint32(4 + 4 * i));
  return { words, state: bytes.subarray(4 + 4 * count) };
}
