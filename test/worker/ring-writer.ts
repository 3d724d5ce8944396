// Writes states into a shared ring as fast as it can, until it is told to stop: each is filled with its tick, and has a checksum.
import { parentPort, workerData } from "node:worker_threads";
import { RingWriter } from "../../src/worker/state-ring.js";

const { control, states, slots, words, stop } = workerData as RingTest;

export interface RingTest {
  readonly control: SharedArrayBuffer;
  readonly states: SharedArrayBuffer;
  readonly slots: number;
  /** Words per state. The last one is the sum of the others. */
  readonly words: number;
  readonly stop: Int32Array;
}

const writer = new RingWriter(control, slots);
const memory = new Int32Array(states);
let tick = 0;
while (Atomics.load(stop, 0) === 0) {
  const slot = writer.begin();
  const from = slot * words;
  let sum = 0;
  for (let i = 0; i < words - 1; i++) {
    const word = Math.imul(tick, i + 1) | 0;
    memory[from + i] = word;
    sum = (sum + word) | 0;
  }
  memory[from + words - 1] = sum;
  writer.publish(tick, 0, 0);
  tick++;
}
parentPort!.postMessage(tick);
