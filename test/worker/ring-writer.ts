// Writes states into a shared ring as fast as it can, until it is told to stop: each is filled with its tick, and has a checksum.
import { parentPort, workerData } from "node:worker_threads";
import {
  HEAD_DOUBLES,
  HEAD_FLAGS,
  HEAD_MOMENT,
  HEAD_SINCE,
  HEAD_TICK,
  IS_SPECULATED,
} from "../../src/worker/state-head.js";
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
const head = new Float64Array(HEAD_DOUBLES);
head[HEAD_SINCE] = -Infinity;
let tick = 0;
function write(flags: number): void {
  const slot = writer.begin();
  const from = slot * words;
  let sum = 0;
  for (let i = 0; i < words - 1; i++) {
    const word = Math.imul(tick, i + 1) | 0;
    memory[from + i] = word;
    sum = (sum + word) | 0;
  }
  memory[from + words - 1] = sum;
  head[HEAD_MOMENT] = head[HEAD_TICK] = tick;
  head[HEAD_FLAGS] = flags;
  writer.publish(head);
}
while (Atomics.load(stop, 0) === 0) {
  // Some states are first published as a guess.
  if (tick % 3 === 0) write(IS_SPECULATED);
  write(0);
  tick++;
}
parentPort!.postMessage(tick);
