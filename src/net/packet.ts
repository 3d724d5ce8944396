// The packet that each peer sends to each of its links in every tick: what it knows, and the inputs that the other lacks.
//
//   kind 1 (0) · epoch 5 · end 11 · end − ack · rows of the own stream
//   · unless two play alone: end − have · 0, or 1 · end − certain · ages · acks of other streams · forwarded streams
//   · 0, or 1 · age of the checkpoint · hash 32
import { nearest, type BitReader, type BitWriter } from "./bits.js";
import type { SeatLog } from "./seat-log.js";
import type { Stream } from "./membership/stream.js";

/** The bits of an epoch and of a tick that travel. */
const EPOCH_BITS = 5;
const TICK_BITS = 11;
const EPOCH_MASK = 2 ** EPOCH_BITS - 1;
const TICK_MASK = 2 ** TICK_BITS - 1;
/** With the bit of the kind. */
const HEAD_BITS = 1 + EPOCH_BITS + TICK_BITS;

/** Milliseconds per step of the time since a member was heard. */
export const AGE_STEP = 50;
const AGE_BITS = 3;
export const NOT_HEARD = 2 ** AGE_BITS - 1;

/** A packet holds at most this many ticks of a stream. */
export const MAX_ROWS = 512;

/** What a packet says about one stream. */
export interface PacketStream {
  /** The index of the member. */
  index: number;
  /** Its rows are those of the ticks from `first` to `end - 1`. */
  first: number;
  end: number;
  /** Where the rows lie in the packet, in bits. */
  position: number;
}

/** Where a packet gets its parts from. */
export interface PacketContext {
  readonly epoch: number;
  readonly streams: readonly Stream[];
  readonly log: SeatLog;
  readonly hasCommands: boolean;
  /** Two play alone, and this peer is one of them: what both have follows from what they acknowledge. */
  readonly isPlain: boolean;
}

/** The parts of a packet, to write one, and as read from one. Reuse it. */
export class InputPacket {
  epoch = 0;
  /** The end of the sender's own inputs. */
  end = 0;
  /** How far the sender knows the receiver's inputs. */
  ack = 0;
  readonly own: PacketStream = { index: 0, first: 0, end: 0, position: 0 };
  /** Whether the packet has the part for all games but those of two. */
  hasMore = false;
  /** The tick before which the sender has all inputs and the host's word. */
  have = 0;
  /** The tick before which all are certain: for peers that cannot tell themselves. -1 if the packet does not say. */
  certain = -1;
  /** How far the sender knows the streams that the receiver forwards, in pairs: index, end. */
  readonly acks: number[] = [];
  /** How long ago the sender heard from each member, in steps of `AGE_STEP`; `NOT_HEARD` if that is long ago. */
  readonly ages: number[] = [];
  readonly forwarded: PacketStream[] = [];
  forwardedCount = 0;
  hasHash = false;
  /** The confirmed tick of the hash, in checkpoints: `tick / interval`. */
  checkpoint = 0;
  /** In an array, as a field or a call would allocate such large numbers. */
  readonly hash = new Uint32Array(1);
  /** Ticks with commands, in pairs: index of the stream, tick. */
  readonly commandTicks: number[] = [];

  /** Adds a forwarded stream. */
  forward(index: number, first: number, end: number): void {
    const entry = (this.forwarded[this.forwardedCount++] ??= { index, first, end, position: 0 });
    entry.index = index;
    entry.first = first;
    entry.end = end;
  }

  clear(): void {
    this.hasMore = this.hasHash = false;
    this.certain = -1;
    // Setting a length takes long.
    if (this.acks.length > 0) this.acks.length = 0;
    if (this.commandTicks.length > 0) this.commandTicks.length = 0;
    this.forwardedCount = 0;
  }

  write(writer: BitWriter, { streams, log, hasCommands }: PacketContext, checkpointNow: number): void {
    const { own, end } = this;
    // The kind, 0, the epoch and the end at once.
    writer.write(((this.epoch & EPOCH_MASK) << TICK_BITS) | (end & TICK_MASK), HEAD_BITS);
    writer.writeSigned(end - this.ack, 4);
    writeStream(writer, streams, own, log, hasCommands);
    if (this.hasMore) {
      writer.writeSigned(end - this.have, 4);
      writer.write(this.certain >= 0 ? 1 : 0, 1);
      if (this.certain >= 0) writer.writeSigned(end - this.certain, 4);
      for (let i = 0; i < streams.length; i++)
        if (this.#hasAge(streams, i)) writer.write(this.ages[i]!, AGE_BITS);
      writer.writeGolomb(this.acks.length / 2, 1);
      for (let i = 0; i < this.acks.length; i += 2) {
        writer.writeGolomb(this.acks[i]!, 1);
        writer.writeSigned(end - this.acks[i + 1]!, 4);
      }
      writer.writeGolomb(this.forwardedCount, 1);
      for (let i = 0; i < this.forwardedCount; i++) {
        const stream = this.forwarded[i]!;
        writer.writeGolomb(stream.index, 1);
        writer.writeSigned(end - stream.end, 4);
        writeStream(writer, streams, stream, log, hasCommands);
      }
    }
    writer.write(this.hasHash ? 1 : 0, 1);
    if (!this.hasHash) return;
    writer.writeSigned(checkpointNow - this.checkpoint, 2);
    const hash = this.hash[0]!;
    writer.write(hash >>> 16, 16);
    writer.write(hash & 0xffff, 16);
  }

  /**
   * Reads a packet up to its rows, and checks the code of the rows. Returns false unless all of it is well formed. `own` is the index of
   * the sender's stream, or -1 if it has none; `expected` is about its end. Of a packet of an older epoch, only the sender's own inputs are
   * read; of one of a newer epoch, only the head.
   */
  read(
    reader: BitReader,
    { epoch, streams, hasCommands, isPlain }: PacketContext,
    own: number,
    expected: number,
    checkpointOf: (end: number) => number,
  ): boolean {
    this.clear();
    const head = reader.read(HEAD_BITS);
    if (head >>> (HEAD_BITS - 1) !== 0) return false;
    this.epoch = nearest((head >>> TICK_BITS) & EPOCH_MASK, EPOCH_BITS, epoch);
    this.end = nearest(head & TICK_MASK, TICK_BITS, expected);
    this.ack = this.end - reader.readSigned(4);
    this.own.index = own;
    this.own.first = this.own.end = this.end;
    if (reader.hasFailed) return false;
    // The streams of a newer epoch are not known here. Its ticks may be so far ahead that they cannot be told from their lowest bits.
    if (this.epoch > epoch) return true;
    if (this.end < 0) return false;
    // A member that was dropped, and does not know it yet.
    if (this.epoch < epoch && own < 0) return true;
    if (!this.#readStream(reader, streams, this.own, hasCommands)) return false;
    // Indices mean other members in another epoch.
    if (this.epoch !== epoch) return !reader.hasFailed;
    this.hasMore = own < 0 || !isPlain;
    if (this.hasMore && !this.#readMore(reader, streams, hasCommands)) return false;
    this.hasHash = reader.read(1) === 1;
    if (this.hasHash) {
      this.checkpoint = checkpointOf(this.end) - reader.readSigned(2);
      const high = reader.read(16);
      this.hash[0] = (high << 16) | reader.read(16);
    }
    return reader.isAtEnd;
  }

  #readMore(reader: BitReader, streams: readonly Stream[], hasCommands: boolean): boolean {
    this.have = this.end - reader.readSigned(4);
    if (reader.read(1) === 1) this.certain = this.end - reader.readSigned(4);
    for (let i = 0; i < streams.length; i++)
      this.ages[i] = this.#hasAge(streams, i) ? reader.read(AGE_BITS) : NOT_HEARD;
    const acks = reader.readGolomb(1);
    if (acks > streams.length) return false;
    for (let i = 0; i < acks; i++) {
      const index = reader.readGolomb(1);
      if (index >= streams.length) return false;
      this.acks.push(index, this.end - reader.readSigned(4));
    }
    const count = reader.readGolomb(1);
    if (count > streams.length) return false;
    for (let i = 0; i < count; i++) {
      const index = reader.readGolomb(1);
      if (index >= streams.length) return false;
      this.forward(index, 0, this.end - reader.readSigned(4));
      if (!this.#readStream(reader, streams, this.forwarded[i]!, hasCommands)) return false;
    }
    return !reader.hasFailed;
  }

  /** Nobody says when it heard itself, or somebody who has departed. */
  #hasAge(streams: readonly Stream[], index: number): boolean {
    return index !== this.own.index && streams[index]!.until === Infinity;
  }

  #readStream(
    reader: BitReader,
    streams: readonly Stream[],
    stream: PacketStream,
    hasCommands: boolean,
  ): boolean {
    const count = reader.readGolomb(3);
    stream.first = stream.end - count;
    stream.position = reader.position;
    const known = streams[stream.index];
    if (reader.hasFailed || count > MAX_ROWS || stream.first < 0) return false;
    if (count === 0) return true;
    if (!known) return false;
    known.rows.read(reader, stream.first, stream.end);
    if (!hasCommands || reader.read(1) === 0) return !reader.hasFailed;
    for (let ticks = reader.readGolomb(0) + 1, tick = stream.first; ticks > 0; ticks--, tick++) {
      tick += reader.readGolomb(1);
      if (tick >= stream.end || reader.hasFailed) return false;
      this.commandTicks.push(stream.index, tick);
    }
    return true;
  }
}

function writeStream(
  writer: BitWriter,
  streams: readonly Stream[],
  { index, first, end }: PacketStream,
  log: SeatLog,
  hasCommands: boolean,
): void {
  writer.writeGolomb(end - first, 3);
  if (end === first) return;
  const { rows } = streams[index]!;
  rows.write(writer, log, first, end);
  if (!hasCommands) return;
  let ticks = 0;
  if (log.isCommanded)
    for (let tick = first; tick < end; tick++) if (log.hasCommands(tick, rows.seats)) ticks++;
  writer.write(ticks > 0 ? 1 : 0, 1);
  if (ticks === 0) return;
  writer.writeGolomb(ticks - 1, 0);
  for (let tick = first, last = first; tick < end; tick++)
    if (log.hasCommands(tick, rows.seats)) {
      writer.writeGolomb(tick - last, 1);
      last = tick + 1;
    }
}
