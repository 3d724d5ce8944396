import type { PackedCommand } from "../sim/commands.js";
import type { AnySimulation } from "../sim/index.js";
import { ENTRY_HEAD, listLength, readCommands, writeCommands } from "./command-list.js";
import { MAX_PARTED, PartCollector, readPart, sendParts } from "./command-parts.js";
import { MAX_BYTES_PER_TICK, MAX_PER_TICK } from "./command-queue.js";
import { COMMANDS } from "./messages.js";
import type { InputPacket } from "./packet.js";
import type { Peer } from "./peer.js";
import { isTick } from "./membership/roster.js";
import type { SeatLog } from "./seat-log.js";
import type { Stream } from "./membership/stream.js";

/** Most bytes of commands that arrived before the inputs of their tick. */
const MAX_EARLY_BYTES = 2 ** 20;
/** Milliseconds between two copies of commands that are not acknowledged. */
const REPEAT_EVERY = 50;
/** Most bytes of copies at once. */
const MAX_REPEATED = 8000;
/** The id of the member and the tick. */
const HEAD = 12;

/** Whether commands of a member can be taken in. */
export interface CommandSource {
  /** The tick of the session; Infinity if it is not known yet. */
  readonly tick: number;
  /** Whether the sender may speak for a member. */
  speaksFor(id: number): boolean;
  /** Whether the inputs of a member at a tick are known already. */
  isKnown(id: number, tick: number): boolean;
}

/**
 * Exchanges commands. They travel as reliable messages, one per stream and tick; and as unreliable copies until they are acknowledged,
 * as a lost reliable message holds up the game for long. Packets of inputs say which ticks have commands: such a tick is known only once
 * its commands have arrived.
 */
export class CommandExchange {
  /** The longest message. */
  static readonly maxBytes = HEAD + MAX_BYTES_PER_TICK + MAX_PER_TICK * ENTRY_HEAD;
  readonly #simulation: AnySimulation;
  readonly #log: SeatLog;
  /** Commands that arrived before the inputs of their tick, by member and tick. */
  readonly #early = new Map<number, Map<number, PackedCommand[]>>();
  #earlyBytes = 0;
  readonly #parts = new PartCollector();

  constructor(simulation: AnySimulation, log: SeatLog) {
    this.#simulation = simulation;
    this.#log = log;
  }

  /** Sends the commands of the ticks that a packet names: reliably for the first time, and copies as long as it names them. */
  send(peer: Peer, index: number, { member }: Stream, first: number, end: number, now: number): void {
    const from = Math.max(first, peer.commandsSent[index] ?? 0);
    if (end > from) peer.commandsSent[index] = end;
    if (!this.#log.isCommanded) return;
    const isRepeating = now - (peer.commandsAt[index] ?? -Infinity) >= REPEAT_EVERY;
    let room = MAX_REPEATED;
    for (let tick = isRepeating ? first : from; tick < end; tick++) {
      if (!this.#log.hasCommands(tick, member.seats)) continue;
      const commands = this.#log.commands(tick).filter(({ player }) => member.seats.includes(player));
      const bytes = commandMessage(member.id, tick, commands);
      if (tick >= from) peer.transfers.start(COMMANDS, bytes);
      if (!isRepeating || bytes.length > Math.min(MAX_PARTED, room)) continue;
      peer.commandsAt[index] = now;
      room -= bytes.length;
      sendParts(member.id, tick, bytes, (part) => peer.send(part, false));
    }
  }

  /** Takes in a message with commands of a member. Returns why it is bad, or undefined. */
  receive(message: Uint8Array, source: CommandSource): string | undefined {
    const parsed = this.#parse(message);
    if (!parsed) return "malformed commands";
    const { id, tick, commands } = parsed;
    // It may have been asked for until lately.
    if (!source.speaksFor(id) || source.isKnown(id, tick)) return undefined;
    if (tick > source.tick + 1024) return `commands of tick ${tick}, far in the future`;
    let ticks = this.#early.get(id);
    if (!ticks) {
      if (this.#early.size >= 64) return "commands of too many members";
      this.#early.set(id, (ticks = new Map()));
    }
    if (ticks.has(tick)) return undefined;
    if (this.#earlyBytes + message.length > MAX_EARLY_BYTES) this.#drop(source.tick - 1024);
    if (this.#earlyBytes + message.length > MAX_EARLY_BYTES) return "too many commands at once";
    this.#earlyBytes += message.length;
    ticks.set(tick, commands);
    return undefined;
  }

  /** Takes in a copy of commands, or a part of it. Returns why it is bad, or undefined. */
  receivePart(body: Uint8Array, source: CommandSource): string | undefined {
    const part = readPart(body);
    if (!part) return "malformed commands";
    const { id, tick } = part;
    if (!source.speaksFor(id) || source.isKnown(id, tick) || this.#early.get(id)?.has(tick)) return undefined;
    const whole = this.#parts.add(part);
    return whole && this.receive(whole, source);
  }

  /** Returns the end of the ticks of a stream in a packet whose commands have arrived. */
  readableEnd(
    { commandTicks }: InputPacket,
    index: number,
    { member, end: known }: Stream,
    end: number,
  ): number {
    const early = this.#early.get(member.id);
    for (let i = 0; i < commandTicks.length; i += 2) {
      const tick = commandTicks[i + 1]!;
      if (commandTicks[i] === index && tick >= known && tick < end && !early?.has(tick)) return tick;
    }
    return end;
  }

  /** Gives the commands of the ticks from `known` on, which a packet has made known, to the log. */
  apply(
    { commandTicks }: InputPacket,
    index: number,
    stream: Stream,
    known: number,
    rollback: { invalidate(tick: number): void },
  ): void {
    const { member, end } = stream;
    const early = this.#early.get(member.id);
    for (let i = 0; i < commandTicks.length; i += 2) {
      const tick = commandTicks[i + 1]!;
      const commands = early?.get(tick);
      if (commandTicks[i] !== index || tick < known || tick >= end || !commands) continue;
      this.#forget(early!, tick);
      const own = commands.filter(({ player }) => member.seats.includes(player));
      if (this.#log.setCommands(tick, member.seats, own)) rollback.invalidate(tick);
    }
  }

  #drop(before: number): void {
    for (const ticks of this.#early.values())
      for (const tick of ticks.keys()) if (tick < before) this.#forget(ticks, tick);
  }

  #forget(ticks: Map<number, PackedCommand[]>, tick: number): void {
    const commands = ticks.get(tick)!;
    this.#earlyBytes -= HEAD + listLength(commands);
    ticks.delete(tick);
  }

  #parse(bytes: Uint8Array): { id: number; tick: number; commands: PackedCommand[] } | undefined {
    const commands = readCommands(bytes, HEAD, this.#simulation, MAX_PER_TICK);
    if (!commands) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const tick = view.getFloat64(4);
    return isTick(tick) ? { id: view.getUint32(0), tick, commands } : undefined;
  }
}

function commandMessage(id: number, tick: number, commands: readonly PackedCommand[]): Uint8Array {
  const message = new Uint8Array(HEAD + listLength(commands));
  const view = new DataView(message.buffer);
  view.setUint32(0, id);
  view.setFloat64(4, tick);
  writeCommands(message, HEAD, commands);
  return message;
}
