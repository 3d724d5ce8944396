import { NO_COMMANDS, type PackedCommand } from "../../sim/commands.js";
import type { Difference } from "../../state/index.js";
import type { BitReader } from "../bits.js";
import type { ClientCore } from "./client-core.js";
import { commandBytes, readCommandMessage } from "./command-message.js";
import { MAX_ROWS } from "./input-packet.js";
import { ALL_SEATS, LOG_TICKS } from "../seat-log.js";
import { readCommandTicks, SeatRows, type ServerHead } from "./tick-packet.js";
import { readWholeState, type WholeState } from "./whole-state.js";

/** Ticks that may be known before they are stepped. */
const MAX_AHEAD = 1024;
/** Bytes of commands that arrived before the inputs of their tick. */
const MAX_EARLY_BYTES = 2 ** 21;
/** Hashes of ticks that are not confirmed yet. */
const HASHES = 64;

/** Follows a server by the inputs of all seats. */
export class InputsFollower {
  readonly #core: ClientCore;
  /** Created when it is needed: in lockstep, it never is. */
  #seatRows: SeatRows | undefined;
  readonly #isOverruled: (tick: number) => boolean;
  readonly #early = new Map<number, readonly PackedCommand[]>();
  #earlyBytes = 0;
  readonly #commandTicks: number[] = [];
  readonly #hashTicks = new Float64Array(HASHES).fill(-1);
  readonly #hashes = new Uint32Array(HASHES);
  /** The inputs of all seats are known before this tick. */
  known = 0;
  /** How the own state differed from the one that was loaded last. */
  differences: readonly Difference[] = [];
  #arrived: WholeState | undefined;

  constructor(core: ClientCore, isOverruled: (tick: number) => boolean) {
    this.#core = core;
    this.#isOverruled = isOverruled;
  }

  get #rows(): SeatRows {
    const { rollback, simulation } = this.#core;
    return (this.#seatRows ??= new SeatRows(simulation.packing, simulation.players, rollback.log));
  }

  get ack(): number {
    return this.known;
  }

  /** Forgets what an older server sent. */
  reset(): void {
    this.#early.clear();
    this.#earlyBytes = 0;
    this.#arrived = undefined;
    this.#hashTicks.fill(-1);
  }

  /** Takes a whole state, with the inputs of the tick before. It is loaded between two steps. */
  onState(bytes: Uint8Array): string | undefined {
    this.#arrived = readWholeState(this.#core.simulation, bytes);
    return this.#arrived ? undefined : "a malformed state";
  }

  /**
   * Loads a state that has arrived. Returns its tick, or -1 if there is none that is needed: an older one only repairs a desync.
   * Throws if it is damaged.
   */
  load(isDesynced: boolean): number {
    const arrived = this.#arrived;
    if (!arrived) return -1;
    this.#arrived = undefined;
    const { rollback, hasState } = this.#core;
    // The inputs up to there have arrived by themselves meanwhile.
    if (hasState && !isDesynced && arrived.tick <= rollback.confirmed) return -1;
    this.differences = rollback.load("clientSession", arrived.state, true);
    const { tick } = rollback;
    // What is known of later ticks stays valid, and the server counts on it.
    const isBehind = !this.#core.hasState || this.known < tick;
    if (isBehind) this.known = tick;
    if (isBehind && tick > 0) this.#rows.writeRow(tick - 1, arrived.words);
    for (const early of this.#early.keys()) if (early < this.known) this.#forget(early);
    this.#hashTicks.fill(-1);
    return tick;
  }

  onCommands(bytes: Uint8Array): string | undefined {
    const read = readCommandMessage(bytes, this.#core.simulation);
    if (!read) return "malformed commands";
    if (read.tick < this.known) return undefined;
    if (this.#earlyBytes + bytes.length > MAX_EARLY_BYTES) return "too many commands at once";
    this.#forget(read.tick);
    this.#earlyBytes += bytes.length;
    this.#early.set(read.tick, read.commands);
    this.#core.rollback.log.dropBefore(this.known - LOG_TICKS / 2);
    return undefined;
  }

  #forget(tick: number): void {
    const commands = this.#early.get(tick);
    if (!commands) return;
    this.#early.delete(tick);
    this.#earlyBytes -= commandBytes(commands);
  }

  onPacket(reader: BitReader, head: ServerHead): string | undefined {
    const { tick } = head;
    const count = reader.readGolomb(2);
    const first = tick - count;
    if (count > MAX_ROWS || first < 0) return "a malformed packet";
    const { position } = reader;
    this.#rows.check(reader, first, tick);
    if (!readCommandTicks(reader, first, tick, this.#commandTicks)) return "a malformed packet";
    const hasHash = reader.read(1) === 1;
    const hash = hasHash ? reader.read(32) : 0;
    if (!reader.isAtEnd) return "a malformed packet";
    if (!this.#core.hasState) return undefined;
    if (hasHash && tick > this.#core.rollback.confirmed) {
      const slot = (tick / this.#core.welcome!.hashEvery) % HASHES;
      this.#hashTicks[slot] = tick;
      this.#hashes[slot] = hash;
    }
    // Coded against a tick that is not known here, or nothing new.
    if (first > this.known || tick <= this.known) return undefined;
    // Too far ahead: a state is needed first.
    if (tick > this.#core.tick + MAX_AHEAD) return undefined;
    const from = this.known;
    const end = this.#readableEnd(tick);
    reader.position = position;
    this.#rows.read(reader, first, tick, from, end, this.#changed);
    for (let step = from; step < end; step++) this.#apply(step);
    this.known = end;
    return undefined;
  }

  readonly #changed = (tick: number): void => this.#core.rollback.invalidate(tick);

  /** Returns the end of the ticks whose commands have arrived. */
  #readableEnd(end: number): number {
    for (const tick of this.#commandTicks) if (tick >= this.known && !this.#early.has(tick)) return tick;
    return end;
  }

  #apply(tick: number): void {
    const { rollback, net } = this.#core;
    if (this.#isOverruled(tick)) net.lateInputs++;
    const predicted = rollback.log.commands(tick);
    const commands = this.#early.size > 0 ? (this.#early.get(tick) ?? NO_COMMANDS) : NO_COMMANDS;
    if (commands.length > 0) this.#forget(tick);
    if (areEqual(predicted, commands)) return;
    rollback.log.setCommands(tick, ALL_SEATS, commands);
    rollback.invalidate(tick);
  }

  /** Compares a confirmed state with the hash of the server, if that is known. Returns false if they differ. */
  isMatching(state: number, hash: number): boolean {
    const { hashEvery } = this.#core.welcome!;
    if (hashEvery === 0 || state % hashEvery !== 0) return true;
    const slot = (state / hashEvery) % HASHES;
    return this.#hashTicks[slot] !== state || this.#hashes[slot] === hash;
  }
}

function areEqual(a: readonly PackedCommand[], b: readonly PackedCommand[]): boolean {
  if (a.length !== b.length) return false;
  return a.every(({ player, bytes }, i) => {
    const other = b[i]!;
    return (
      player === other.player &&
      bytes.length === other.bytes.length &&
      bytes.every((byte, j) => byte === other.bytes[j])
    );
  });
}
