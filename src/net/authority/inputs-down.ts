import { bytesOf } from "../../sim/bytes.js";
import { BitWriter } from "../bits.js";
import { MAX_MESSAGE } from "../link.js";
import { COMMANDS, SNAPSHOT } from "../messages.js";
import { commandMessage } from "./command-message.js";
import type { SentTransfer } from "../transfer.js";
import type { ServerClient } from "./server-client.js";
import type { Downstream, ServerCore } from "./server-core.js";
import { SeatRows, ServerHead, writeCommandTicks } from "./tick-packet.js";
import { wholeStateBytes, wordsOf } from "./whole-state.js";

/** A client that is further behind than this gets the whole state. */
const MAX_BEHIND = 480;
/** Milliseconds between two whole states for one client. */
const SNAPSHOT_EVERY = 1000;

/** Sends the inputs of all seats: each packet holds all that the client has not acknowledged. */
export class InputsDown implements Downstream {
  readonly #core: ServerCore;
  readonly #rows: SeatRows;
  readonly #writer = new BitWriter(MAX_MESSAGE);
  readonly #head = new ServerHead();
  readonly #hash: [number, number] = [0.5, 0.5];
  /** The tick whose hash was computed last. */
  #hashedAt = -1;
  /** The whole states that are under way. */
  readonly #states = new WeakMap<ServerClient, SentTransfer>();

  constructor(core: ServerCore) {
    const { packing, players } = core.simulation;
    this.#core = core;
    this.#rows = new SeatRows(packing, players, core.log);
  }

  begin(client: ServerClient): void {
    // A second one would only make the first one slower.
    if (this.#states.get(client)?.isWaiting === true) return;
    const { simulation, run, now } = this.#core;
    client.ack = run.tick;
    client.commandsSent = run.tick;
    client.snapshotAt = now();
    const words = new Uint32Array(wordsOf(simulation));
    this.#rows.readRow(run.tick - 1, words);
    const state = bytesOf(simulation, run, true);
    const bytes = wholeStateBytes({ words, state });
    const transfer = client.connection.sendLong(SNAPSHOT, bytes);
    if (transfer) this.#states.set(client, transfer);
  }

  send(client: ServerClient, now: number): void {
    const { run, settings } = this.#core;
    const { tick } = run;
    if (tick - client.ack > MAX_BEHIND) {
      // While the whole state is under way, packets would only get in its way.
      if (now - client.snapshotAt > SNAPSHOT_EVERY) this.begin(client);
      return;
    }
    this.#sendCommands(client, tick);
    const writer = this.#writer;
    writer.reset();
    const head = this.#head;
    head.hasState = false;
    head.tick = tick;
    head.inputEnd = client.buffer?.end ?? tick;
    head.reportCount = 0;
    client.buffer?.takeReports(head);
    head.write(writer);
    writer.writeGolomb(tick - client.ack, 2);
    this.#rows.write(writer, client.ack, tick);
    writeCommandTicks(writer, this.#core.log, client.ack, tick);
    const { hashEvery } = settings;
    const isHashed = hashEvery > 0 && tick % hashEvery === 0 && tick > 0;
    writer.write(isHashed ? 1 : 0, 1);
    if (isHashed) writer.write(this.#hashAt(tick), 32);
    // More inputs than fit into a packet: they change all the time. The whole state is smaller.
    if (writer.isFull) {
      if (now - client.snapshotAt > SNAPSHOT_EVERY) this.begin(client);
      return;
    }
    client.quality.onSent(tick, now);
    client.connection.send(writer.bytes(), false);
  }

  #hashAt(tick: number): number {
    if (this.#hashedAt !== tick) this.#core.run.hash(this.#hash);
    this.#hashedAt = tick;
    return this.#hash[0];
  }

  #sendCommands(client: ServerClient, end: number): void {
    const { log } = this.#core;
    if (log.isCommanded)
      for (let tick = client.commandsSent; tick < end; tick++) {
        const commands = log.commands(tick);
        if (commands.length > 0) client.connection.sendLong(COMMANDS, commandMessage(tick, commands));
      }
    client.commandsSent = end;
  }
}
