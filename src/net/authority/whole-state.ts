// The message with a whole state: its tick, the number of words, the inputs of all seats in the tick before, and the state as bytes.
import type { AnySimulation } from "../../sim/index.js";

export interface WholeState {
  readonly tick: number;
  /** The inputs of the tick before, and which seats are absent. */
  readonly words: Uint32Array;
  readonly state: Uint8Array;
}

/** How many words describe the inputs of a tick. */
export const wordsOf = ({ players, packing }: AnySimulation): number => players * (packing.words + 1);

/** Bytes before the words. */
const HEAD = 8;

export function wholeStateBytes({ tick, words, state }: WholeState): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEAD + words.byteLength + state.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, tick);
  view.setUint32(4, words.length);
  words.forEach((word, i) => view.setUint32(HEAD + 4 * i, word));
  bytes.set(state, HEAD + words.byteLength);
  return bytes;
}

/** Reads the message. Returns undefined if it is malformed. The state is checked when it is loaded. */
export function readWholeState(simulation: AnySimulation, bytes: Uint8Array): WholeState | undefined {
  const count = wordsOf(simulation);
  if (bytes.length < HEAD + 4 * count) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(4) !== count) return undefined;
  const words = Uint32Array.from({ length: count }, (_, i) => view.getUint32(HEAD + 4 * i));
  return { tick: view.getUint32(0), words, state: bytes.subarray(HEAD + 4 * count) };
}
