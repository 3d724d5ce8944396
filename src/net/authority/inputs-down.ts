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

/** Where a client was when it was sent a whole state: what it had acknowledged and was sent, and the tick of the state. */
interface Behind {
  readonly ack: number;
  readonly commandsSent: number;
  readonly stateTick: number;
}

/** Sends the inputs of all seats: each packet holds all that the client has not acknowledged. */
export class InputsDown implements Downstream {
  readonly isDue = true;
  readonly #core: ServerCore;
  readonly #rows: SeatRows;
  readonly #writer = new BitWriter(MAX_MESSAGE);
  readonly #head = new ServerHead();
  readonly #hash: [number, number] = [0.5, 0.5];
  /** The tick whose hash was computed last. */
  #hashedAt = -1;
  /** The whole states that are under way. */
  readonly #states = new WeakMap<ServerClient, SentTransfer>();
  /** Where clients were when they were sent a whole state. */
  readonly #behind = new WeakMap<ServerClient, Behind>();

  constructor(core: ServerCore) {
    const { packing, players } = core.simulation;
    this.#core = core;
    this.#rows = new SeatRows(packing, players, core.log);
  }

  begin(client: ServerClient): void {
    // A second one would only make the first one slower.
    if (this.#states.get(client)?.isWaiting === true) return;
    const { simulation, run, now } = this.#core;
    const { ack, commandsSent } = client;
    this.#behind.set(client, { ack, commandsSent, stateTick: run.tick });
    client.ack = run.tick;
    client.commandsSent = run.tick;
    client.snapshotAt = now();
    const words = new Uint32Array(wordsOf(simulation));
    this.#rows.readRow(run.tick - 1, words);
    const state = bytesOf(simulation, run, true);
    const bytes = wholeStateBytes({ tick: run.tick, words, state });
    const transfer = client.connection.sendLong(SNAPSHOT, bytes);
    if (transfer) this.#states.set(client, transfer);
  }

  /**
   * A client that froze finds inputs on its line when it wakes up, and says so after it was sent a whole state. It may have to wait long
   * for that, so it also gets the few inputs that it still lacks.
   */
  acknowledgedLess(client: ServerClient, ack: number): void {
    const behind = this.#behind.get(client);
    const { tick } = this.#core;
    if (!behind || client.ack !== behind.stateTick || 2 * (tick - ack) > tick - behind.ack) return;
    this.#behind.delete(client);
    client.ack = ack;
    client.commandsSent = behind.commandsSent;
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
