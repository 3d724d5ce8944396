import type { PackedCommand } from "../sim/commands.js";
import { BitReader, BitWriter } from "./bits.js";
import { MAX_MESSAGE } from "./link.js";
import { ASK_LAST_INPUTS, jsonMessage, LAST_INPUTS, LONG_LAST_INPUTS, readJson } from "./messages.js";
import type { Peer } from "./peer.js";
import type { PeerCore } from "./peer-core.js";
import { fromText, isId, isTick, toText } from "./roster.js";
import type { Stream } from "./stream.js";

/** Milliseconds between two requests. */
const ASK_EVERY = 60;
/** Milliseconds between two long answers to a peer. */
const LONG_EVERY = 1000;
/** Dropped members whose inputs can be asked for. */
const MAX_KEPT = 16;
/** Milliseconds after which only a snapshot helps. */
const GIVE_UP_AFTER = 2000;
/** The longest answer, in bytes. */
export const MAX_LAST_INPUTS = 2 ** 20;

/** A member that was dropped. */
interface Departed {
  readonly stream: Stream;
  /** Its inputs count up to this tick. */
  readonly cut: number;
  /** When it was dropped. */
  readonly at: number;
}

/** The commands of a tick in an answer: the tick, and pairs of the seat and the bytes as text. */
type TickCommands = readonly [number, readonly (readonly [number, string])[]];

/**
 * The inputs of members that were dropped, up to the tick from which they are absent. The voters that dropped a member may know more of
 * them than others do. The others ask for the rest, and confirm nothing until they have it.
 */
export class LastInputs {
  readonly #core: PeerCore;
  #departed: Departed[] = [];
  readonly #reader = new BitReader();
  readonly #writer = new BitWriter(60_000);
  #askedAt = -Infinity;

  constructor(core: PeerCore) {
    this.#core = core;
  }

  /** All inputs of dropped members before this tick are known. Infinity if none are missing. */
  get known(): number {
    let known = Infinity;
    for (let i = 0; i < this.#departed.length; i++) {
      const { stream, cut } = this.#departed[i]!;
      if (stream.end < cut && stream.end < known) known = stream.end;
    }
    return known;
  }

  get areMissing(): boolean {
    return this.#departed.length > 0 && this.known < Infinity;
  }

  /** Notes that a member was dropped. */
  add(stream: Stream, cut: number, now: number): void {
    this.#departed.push({ stream, cut, at: now });
    if (this.#departed.length > MAX_KEPT) this.#departed.shift();
  }

  /** Forgets what is missing, as a state was loaded. */
  clear(): void {
    this.#departed = this.#departed.filter(({ stream, cut }) => stream.end >= cut);
  }

  /** Asks the others for what is missing. */
  poll(now: number): void {
    if (!this.areMissing || now - this.#askedAt < ASK_EVERY) return;
    this.#askedAt = now;
    const { members, peers } = this.#core;
    for (const { stream, cut, at } of this.#departed) {
      if (stream.end >= cut) continue;
      if (now - at > GIVE_UP_AFTER) members.isLost = true;
      const { id, from } = stream.member;
      const request = jsonMessage(ASK_LAST_INPUTS, [id, from, stream.end]);
      for (const peer of peers.all) if (this.#isSource(peer)) peer.send(request, false);
    }
  }

  #isSource(peer: Peer): boolean {
    const { members, feeder } = this.#core;
    return peer === feeder || members.streamOf(peer.id) !== undefined;
  }

  #find(id: number, from: number): Departed | undefined {
    return this.#departed.find(({ stream: { member } }) => member.id === id && member.from === from);
  }

  /** Answers a peer that asks, if this one knows all. */
  onAsk(peer: Peer, body: Uint8Array, now: number): void {
    const asked = readJson(body);
    const [id, from, first] = Array.isArray(asked) ? (asked as unknown[]) : [];
    if (!isId(id) || !isTick(from) || !isTick(first))
      return this.#core.peers.fault(peer, "a malformed request for the last inputs of a member");
    const departed = this.#find(id, from);
    if (!departed) return;
    const { stream, cut } = departed;
    if (stream.end < cut || first >= cut || first < stream.first) return;
    const answer = [
      id,
      from,
      first,
      cut,
      this.#rowsOf(stream, first, cut),
      this.#commandsOf(stream, first, cut),
    ];
    const bytes = jsonMessage(LAST_INPUTS, answer);
    if (bytes.length <= MAX_MESSAGE) peer.send(bytes, false);
    else if (now - peer.lastInputsAt >= LONG_EVERY && bytes.length <= MAX_LAST_INPUTS) {
      peer.lastInputsAt = now;
      peer.transfers.start(LONG_LAST_INPUTS, bytes.subarray(1));
    }
  }

  #rowsOf({ rows }: Stream, first: number, cut: number): string {
    this.#writer.reset();
    rows.writeFrom(this.#writer, this.#core.rollback.log, first, cut);
    return toText(this.#writer.bytes());
  }

  #commandsOf({ member }: Stream, first: number, cut: number): TickCommands[] {
    const { log } = this.#core.rollback;
    const found: TickCommands[] = [];
    for (let tick = first; tick < cut && log.isCommanded; tick++) {
      if (!log.hasCommands(tick, member.seats)) continue;
      const commands = log.commands(tick).filter(({ player }) => member.seats.includes(player));
      found.push([tick, commands.map(({ player, bytes }) => [player, toText(bytes)])]);
    }
    return found;
  }

  /** Takes in an answer. */
  onAnswer(peer: Peer, body: Uint8Array): void {
    if (!this.#isSource(peer)) return;
    const answer = readJson(body);
    const [id, from, first, cut, text, list] = Array.isArray(answer) ? (answer as unknown[]) : [];
    const departed = this.#find(id as number, from as number);
    // Another peer has answered before, or this one knows of another decision.
    if (!departed || departed.stream.end !== first || departed.cut !== cut) return;
    const rows = typeof text === "string" ? fromText(text) : undefined;
    const commands = this.#readCommands(list, departed);
    if (!rows || !commands || !this.#fill(departed, rows, commands))
      this.#core.peers.fault(peer, "malformed inputs of a dropped member");
  }

  #readCommands(list: unknown, { stream, cut }: Departed): Map<number, PackedCommand[]> | undefined {
    const { commands: spec } = this.#core.simulation;
    if (!Array.isArray(list)) return undefined;
    const found = new Map<number, PackedCommand[]>();
    for (const item of list as unknown[]) {
      const [tick, entries] = Array.isArray(item) ? (item as unknown[]) : [];
      if (!isTick(tick) || tick < stream.end || tick >= cut || !Array.isArray(entries)) return undefined;
      const commands: PackedCommand[] = [];
      for (const entry of entries as unknown[]) {
        const [player, text] = Array.isArray(entry) ? (entry as unknown[]) : [];
        const bytes = typeof text === "string" ? fromText(text) : undefined;
        if (!bytes || !stream.member.seats.includes(player as number) || !spec.isValid(bytes))
          return undefined;
        commands.push({ player: player as number, bytes });
      }
      found.set(tick, commands);
    }
    return found;
  }

  /** Writes the missing inputs down. Returns false if the rows are malformed. */
  #fill(
    { stream, cut }: Departed,
    rows: Uint8Array,
    commands: ReadonlyMap<number, readonly PackedCommand[]>,
  ): boolean {
    const { rollback, simulation } = this.#core;
    const { log } = rollback;
    const { seats } = stream.member;
    const width = simulation.packing.words;
    this.#reader.start(rows);
    stream.rows.readFrom(this.#reader, stream.end, cut, {
      takeRow(tick, row) {
        seats.forEach((seat, i) => {
          if (log.writeSeat(tick, seat, row, i * width)) rollback.invalidate(tick);
        });
        if (log.setCommands(tick, seats, commands.get(tick) ?? [])) rollback.invalidate(tick);
        stream.end = tick + 1;
      },
    });
    return stream.end === cut;
  }
}
