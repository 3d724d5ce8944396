import type { BitWriter } from "../bits.js";
import type { ClientCore } from "./client-core.js";
import { bitsOfWords } from "./lockstep-frame.js";
import { LockstepHead } from "./lockstep-packet.js";

/** Milliseconds between two signs of life. Each is answered, which measures the line. */
const PING_EVERY = 500;
const PINGS = 256;

/** The inputs of a client in lockstep, on their way to the server: only changes are sent. The server chooses their ticks. */
export class LockstepInputs {
  readonly #core: ClientCore;
  readonly #head = new LockstepHead();
  #wordBits: readonly number[] = [];
  /** What the server has, or will have. */
  #sent = new Uint32Array(0);
  #isChanged = false;
  readonly #pingedAt = new Float64Array(PINGS).fill(-1);
  #ping = 0;
  // Fractions, so that V8 keeps the fields as doubles and new values are not allocated.
  #lastPingAt = -0.5;
  #heardAt = 0.5;

  constructor(core: ClientCore) {
    this.#core = core;
  }

  /** Begins to play some seats. All inputs are 0. */
  sit(seats: readonly number[]): void {
    const bits = bitsOfWords(this.#core.simulation.packing);
    this.#wordBits = seats.flatMap(() => bits);
    this.#sent = new Uint32Array(this.#wordBits.length);
    this.#isChanged = false;
    this.#pingedAt.fill(-1);
    this.#lastPingAt = -PING_EVERY - 0.5;
  }

  /** Notes what the own seats do now. */
  set(words: Uint32Array): void {
    const sent = this.#sent;
    for (let i = 0; i < sent.length; i++) {
      if (sent[i] === words[i]) continue;
      sent[i] = words[i]!;
      this.#isChanged = true;
    }
  }

  /** Something has arrived. */
  onArrival(now: number): void {
    this.#heardAt = now;
  }

  /** Writes a packet, if there is anything to tell: a change, or a sign of life. Everything before `ack` has arrived. */
  write(writer: BitWriter, ack: number, now: number): boolean {
    const isPing = now - this.#lastPingAt >= PING_EVERY;
    if (!this.#isChanged && !isPing) return false;
    const head = this.#head;
    head.ack = ack;
    head.age = now - this.#heardAt;
    head.ping = -1;
    if (isPing) {
      this.#lastPingAt = now;
      head.ping = this.#ping++ % PINGS;
      this.#pingedAt[head.ping] = now;
    }
    head.rows = this.#isChanged ? 1 : 0;
    head.write(writer);
    if (this.#isChanged)
      for (let i = 0; i < this.#sent.length; i++) writer.write(this.#sent[i]!, this.#wordBits[i]!);
    this.#isChanged = false;
    return true;
  }

  /** Returns when the packet with a number was sent; -1 if that is not known. */
  pingedAt(ping: number): number {
    const at = this.#pingedAt[ping]!;
    this.#pingedAt[ping] = -1;
    return at;
  }
}
