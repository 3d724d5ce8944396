import type { State } from "../state/index.js";
import type { Port } from "./port.js";
import type { Start } from "./protocol.js";
import { HEAD_DOUBLES, HEAD_NUMBER } from "./state-head.js";
import { RingWriter } from "./state-ring.js";

/** Hands states over to the page. */
export interface Publisher {
  /** The head of the next state: see state-head.ts. */
  readonly head: Float64Array;
  /** Publishes a snapshot, with the head. */
  publish(state: State, snapshot: number): void;
  /** Takes a buffer back that the page has read. */
  takeBack(buffer: ArrayBuffer): void;
}

/** Marks a buffer as a state, where its number will be. */
export const STATE_MARK = 0x7469636b;

/** Bytes of a state in a transferred buffer, behind its head. */
export const HEAD_BYTES = 8 * HEAD_DOUBLES;

/** Writes states to the shared ring. */
class SharedPublisher implements Publisher {
  readonly head = new Float64Array(HEAD_DOUBLES);
  readonly #ring: RingWriter;
  readonly #bytes: Uint8Array;
  readonly #size: number;

  constructor({ memory, control, slots }: NonNullable<Start["shared"]>, size: number) {
    this.#ring = new RingWriter(control, slots);
    const buffer = memory instanceof WebAssembly.Memory ? memory.buffer : (memory as SharedArrayBuffer);
    this.#bytes = new Uint8Array(buffer);
    this.#size = size;
  }

  publish(state: State, snapshot: number): void {
    const slot = this.#ring.begin();
    const from = state.baseOf("State", snapshot);
    // Slot n is snapshot n, which lies behind the world.
    this.#bytes.set(state.arrays.u8.subarray(from, from + this.#size), (slot + 1) * this.#size);
    this.#ring.publish(this.head);
  }

  takeBack(): void {}
}

/** Sends states in buffers that come back. */
class TransferringPublisher implements Publisher {
  readonly head = new Float64Array(HEAD_DOUBLES);
  readonly #port: Port;
  readonly #size: number;
  readonly #free: ArrayBuffer[] = [];

  constructor(port: Port, size: number) {
    this.#port = port;
    this.#size = size;
  }

  publish(state: State, snapshot: number): void {
    const buffer = this.#free.pop() ?? new ArrayBuffer(HEAD_BYTES + this.#size);
    const from = state.baseOf("State", snapshot);
    this.head[HEAD_NUMBER] = STATE_MARK;
    new Float64Array(buffer, 0, HEAD_DOUBLES).set(this.head);
    new Uint8Array(buffer, HEAD_BYTES).set(state.arrays.u8.subarray(from, from + this.#size));
    this.#port.post(buffer, [buffer]);
  }

  takeBack(buffer: ArrayBuffer): void {
    if (buffer.byteLength === HEAD_BYTES + this.#size && this.#free.length < 16) this.#free.push(buffer);
  }
}

/** Creates what hands states over, by shared memory if there is any. `size` is that of a state, in bytes. */
export const publisherOf = (port: Port, { shared }: Start, size: number): Publisher =>
  shared ? new SharedPublisher(shared, size) : new TransferringPublisher(port, size);
