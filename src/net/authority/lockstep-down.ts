import { bytesOf } from "../../sim/bytes.js";
import { packetsOf } from "./frame-queue.js";
import { FrameWriter } from "./lockstep-frame.js";
import { SNAPSHOT } from "../messages.js";
import type { SentTransfer } from "../transfer.js";
import type { ServerClient } from "./server-client.js";
import type { Downstream, ServerCore } from "./server-core.js";
import { wholeStateBytes, wordsOf } from "./whole-state.js";

/** Seconds that a client may be behind, though it still answers. */
const MAX_BEHIND = 30;
/** Ticks whose time of sending is kept. */
const SENT = 256;

/** Sends each tick to everybody, reliably: what changed since the tick before. It is encoded once, for any number of clients. */
export class LockstepDown implements Downstream {
  readonly isDue = true;
  readonly #core: ServerCore;
  readonly #frames: FrameWriter;
  /** When each tick was sent. All clients get it at once. */
  readonly #sentAt = new Float64Array(SENT);
  readonly #hash: [number, number] = [0.5, 0.5];
  #packets: readonly Uint8Array[] = [];
  /** The whole states that are under way. */
  readonly #states = new WeakMap<ServerClient, SentTransfer>();
  /** The whole state of a tick, for all that join in it. */
  #whole = { tick: -1, bytes: new Uint8Array() };

  constructor(core: ServerCore) {
    this.#core = core;
    this.#frames = new FrameWriter(core.simulation);
  }

  begin(client: ServerClient): void {
    // A second one would only make the first one slower.
    if (this.#states.get(client)?.isWaiting === true) return;
    const { run, now } = this.#core;
    client.ack = run.tick;
    client.snapshotAt = now();
    if (this.#whole.tick !== run.tick) this.#whole = { tick: run.tick, bytes: this.#wholeBytes() };
    const transfer = client.connection.sendLong(SNAPSHOT, this.#whole.bytes);
    if (transfer) this.#states.set(client, transfer);
  }

  /** Returns the inputs of the tick before, and the state. */
  #wholeBytes(): Uint8Array<ArrayBuffer> {
    const { simulation, run } = this.#core;
    const { words, absent } = this.#frames;
    const width = simulation.packing.words;
    const inputs = new Uint32Array(wordsOf(simulation));
    for (let seat = 0, at = 0; seat < simulation.players; seat++) {
      for (let i = 0; i < width; i++) inputs[at++] = words[seat * width + i]!;
      inputs[at++] = absent[seat]!;
    }
    return wholeStateBytes({ tick: run.tick, words: inputs, state: bytesOf(simulation, run, true) });
  }

  /** Encodes a tick that was stepped. */
  stepped(tick: number): void {
    const { run, settings } = this.#core;
    const { hashEvery } = settings;
    const isHashed = hashEvery > 0 && run.tick % hashEvery === 0;
    const hash = isHashed ? run.hash(this.#hash)[0] : -1;
    this.#packets = packetsOf(tick, this.#frames.write(run.words, run.absent, hash, run.commands));
    this.#sentAt[run.tick % SENT] = this.#core.now();
  }

  send(client: ServerClient): void {
    const { tick, tickMs } = this.#core;
    const packets = this.#packets;
    for (let i = 0; i < packets.length; i++) client.connection.send(packets[i]!, true);
    if ((tick - client.ack) * tickMs > MAX_BEHIND * 1000)
      client.connection.close("the client does not follow");
  }

  sentAll(): void {
    this.#packets = [];
  }

  /** Notes that a client had everything before a tick, `age` milliseconds before it said so. */
  acknowledged(client: ServerClient, ack: number, age: number, now: number): void {
    if (ack <= client.ack) return;
    client.ack = ack;
    const roundTrip = now - this.#sentAt[ack % SENT]! - age;
    if (this.#core.tick - ack < SENT && roundTrip >= 0) client.quality.addRoundTrip(roundTrip);
  }
}
