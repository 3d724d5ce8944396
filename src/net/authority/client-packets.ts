import { BitReader } from "../bits.js";
import { message } from "../messages.js";
import { InputHead } from "./input-packet.js";
import { LockstepDown } from "./lockstep-down.js";
import { LockstepHead, pongBody } from "./lockstep-packet.js";
import { PONG } from "./messages.js";
import type { ServerClient } from "./server-client.js";
import type { Downstream, ServerCore } from "./server-core.js";

// What reads a packet. All sessions share it, so that it stays in the processor's cache.
const reader = new BitReader();
const inputHead = new InputHead();
const lockstepHead = new LockstepHead();

/** Reads the packets of a server's clients: their inputs, and what they acknowledge. */
export class ClientPackets {
  readonly #core: ServerCore;
  readonly #lockstep: LockstepDown | undefined;
  readonly #down: Downstream;

  /** `down` is what sends players the game. */
  constructor(core: ServerCore, down: Downstream) {
    this.#core = core;
    this.#lockstep = down instanceof LockstepDown ? down : undefined;
    this.#down = down;
  }

  receive(client: ServerClient, bytes: Uint8Array, now: number): void {
    if (this.#lockstep && !client.isViewer) return this.#receiveLockstep(this.#lockstep, client, bytes, now);
    const { connection, buffer, quality } = client;
    const core = this.#core;
    const { tick } = core;
    const head = inputHead;
    reader.start(bytes);
    if (!head.read(reader, buffer?.end ?? tick)) return connection.fault("a malformed packet");
    if (head.ack > tick) return connection.fault(`acknowledges tick ${head.ack}, but tick ${tick} is next`);
    if (buffer) {
      const problem = buffer.receive(reader, head, tick, core.untilNext(now));
      if (problem !== undefined) return connection.fault(problem);
      quality.onPacket(head.end, now);
    } else if (head.first !== head.end) return connection.fault("inputs of a client without a seat");
    if (head.ack < client.ack && !client.isViewer) this.#down.acknowledgedLess?.(client, head.ack);
    if (head.ack <= client.ack) return;
    client.olderAck = client.ack;
    quality.onAck(head.ack, now);
    client.ack = head.ack;
  }

  #receiveLockstep(down: LockstepDown, client: ServerClient, bytes: Uint8Array, now: number): void {
    const { connection, queue } = client;
    const core = this.#core;
    const { tick } = core;
    const head = lockstepHead;
    reader.start(bytes);
    if (!head.read(reader, tick)) return connection.fault("a malformed packet");
    if (head.ack > tick) return connection.fault(`acknowledges tick ${head.ack}, but tick ${tick} is next`);
    if (!queue && head.rows > 0) return connection.fault("inputs of a client without a seat");
    const problem = queue?.receive(reader, head.rows);
    if (problem !== undefined) return connection.fault(problem);
    down.acknowledged(client, head.ack, head.age, now);
    if (head.ping >= 0)
      connection.send(message(PONG, pongBody(head.ping, tick + 1 - core.untilNext(now))), true);
  }
}
