import { inOrder, NO_COMMANDS, type PackedCommand } from "../../sim/commands.js";
import { APPLICATION } from "../messages.js";
import { MAX_APPLICATION, readRouted, routedMessage, setSender } from "../routed-message.js";
import { MAX_AHEAD } from "./input-buffer.js";
import { commandBytes, MAX_COMMAND_BYTES, MAX_IN_MESSAGE, readCommandMessage } from "./command-message.js";
import type { ServerClient } from "./server-client.js";
import type { ServerCore } from "./server-core.js";

/** Bytes of long messages that a client may send per second on average, and at once. */
const LONG_PER_SECOND = 2 ** 18;
const LONG_BURST = 2 ** 20;
/** Commands of one client that may wait for their tick, and their bytes. */
const MAX_WAITING = 256;
const MAX_WAITING_BYTES = 2 ** 18;

/** What clients send besides inputs: commands, which wait for their tick, and messages outside the simulation. */
export class ServerMessages {
  readonly #core: ServerCore;
  readonly #waiting = new Map<number, PackedCommand[]>();
  /** By player: the tick of its last command. Those that follow are not executed before it. */
  readonly #last: Float64Array;

  constructor(core: ServerCore) {
    this.#core = core;
    this.#last = new Float64Array(core.simulation.players);
  }

  /** Takes the commands of a client. Those of a tick that is over are executed in the next one. */
  onCommands({ connection, seats }: ServerClient, bytes: Uint8Array): void {
    const read = readCommandMessage(bytes, this.#core.simulation);
    if (!read) return connection.fault("malformed commands");
    const { tick, commands } = read;
    const next = this.#core.tick;
    if (tick > next + MAX_AHEAD) return connection.fault(`commands of tick ${tick}, far in the future`);
    if (!commands.every(({ player }) => seats.includes(player)))
      return connection.fault("commands in the name of another player");
    let count = commands.length;
    let total = commandBytes(commands);
    for (const held of this.#waiting.values())
      for (const one of held)
        if (seats.includes(one.player)) {
          count++;
          total += one.bytes.length;
        }
    if (count > MAX_WAITING || total > MAX_WAITING_BYTES)
      return connection.fault("too many commands at once");
    this.schedule(Math.max(tick, next), commands);
  }

  /** Lets commands be executed at a tick; or later, if it has as many as a message to clients can hold. */
  schedule(tick: number, commands: readonly PackedCommand[]): void {
    for (const command of commands) {
      let at = Math.max(tick, this.#last[command.player]!);
      while (!this.#hasRoom(at, command)) at++;
      this.#last[command.player] = at;
      const waiting = this.#waiting.get(at);
      if (waiting) waiting.push(command);
      else this.#waiting.set(at, [command]);
    }
  }

  #hasRoom(tick: number, command: PackedCommand): boolean {
    const waiting = this.#waiting.get(tick);
    if (!waiting) return true;
    return (
      waiting.length < MAX_IN_MESSAGE && commandBytes(waiting) + commandBytes([command]) <= MAX_COMMAND_BYTES
    );
  }

  /** Returns the commands of a tick. `isPeek`: they still wait. */
  commandsAt(tick: number, isPeek: boolean): readonly PackedCommand[] {
    if (this.#waiting.size === 0) return NO_COMMANDS;
    const commands = this.#waiting.get(tick);
    if (!commands) return NO_COMMANDS;
    if (!isPeek) this.#waiting.delete(tick);
    return inOrder(commands);
  }

  /** Whether a client may send a long message now. */
  accepts(client: ServerClient, kind: number, total: number, now: number): boolean {
    if (total > (kind === APPLICATION ? MAX_APPLICATION : MAX_COMMAND_BYTES)) return false;
    const { longBytes, longBytesAt } = client;
    const earned = longBytesAt < 0 ? LONG_BURST : ((now - longBytesAt) * LONG_PER_SECOND) / 1000;
    client.longBytesAt = now;
    client.longBytes = Math.min(LONG_BURST, longBytes + earned) - total;
    if (client.longBytes >= 0) return true;
    client.longBytes += total;
    client.connection.fault("too many long messages");
    return false;
  }

  /** Sends a message of the server. */
  send(bytes: Uint8Array, to: number | undefined): void {
    const routed = routedMessage(bytes, 1, to);
    for (const client of this.#core.clients)
      if (to === undefined || client.id === to) client.connection.sendLong(APPLICATION, routed);
  }

  /** Takes a message of a client, and passes it on. */
  onApplication(client: ServerClient, bytes: Uint8Array): void {
    const { clients, net } = this.#core;
    const routed = readRouted(bytes);
    if (!routed) return client.connection.fault("a malformed message");
    const { to } = routed;
    // Nobody can speak for others.
    setSender(bytes, client.id);
    if (to <= 1) net.emit("message", { from: client.id, name: client.name, bytes: routed.bytes });
    for (const other of clients)
      if (other !== client && (to === 0 || to === other.id)) other.connection.sendLong(APPLICATION, bytes);
  }
}
