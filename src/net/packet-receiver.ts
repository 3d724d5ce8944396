import { BitReader } from "./bits.js";
import { AGE_STEP, InputPacket, NOT_HEARD, type PacketContext, type PacketStream } from "./packet.js";
import type { Peer } from "./peer.js";
import type { PeerCore } from "./peer-core.js";
import { LOG_TICKS } from "./seat-log.js";
import type { RowSink } from "./input-rows.js";
import type { Stream } from "./membership/stream.js";

/** How far a peer's inputs may be ahead of what is known. */
const MAX_AHEAD = 600;

/** What the receiver needs besides the core. */
export interface PacketReceiverOptions {
  readonly context: PacketContext;
  /** A peer is in an older epoch: it lacks the roster. */
  tellRoster(peer: Peer, now: number): void;
}

/** Takes packets in: inputs, acknowledgements, hashes, and news of others. A whole packet is checked before any of it counts. */
export class PacketReceiver {
  readonly #core: PeerCore;
  readonly #options: PacketReceiverOptions;
  readonly #reader = new BitReader();
  readonly #packet = new InputPacket();
  /** The stream that is being read, the tick up to which it was known, and the one that can be read to. */
  #stream: Stream | undefined;
  #known = 0;
  #readable = 0;
  #now = 0.5;
  /** It differed from what was known. */
  #isChanged = false;

  constructor(core: PeerCore, options: PacketReceiverOptions) {
    this.#core = core;
    this.#options = options;
  }

  receive(peer: Peer, bytes: Uint8Array, now: number): void {
    const { members, hasState, feeder, peers, watch, desync, hashEvery } = this.#core;
    const index = members.indexOf(peer.id);
    const stream = members.streams[index];
    if (peer.id === 0 || !hasState) return;
    if (!(stream || peer.isFollower || peer === feeder)) {
      // It was dropped, and does not know it.
      return this.#options.tellRoster(peer, now);
    }
    const packet = this.#packet;
    const expected = stream !== undefined && stream.isSeated ? stream.end : this.#core.tick;
    this.#reader.start(bytes);
    this.#now = now;
    if (!packet.read(this.#reader, this.#options.context, index, expected, this.#checkpointOf))
      return peers.fault(peer, "a malformed packet");
    if (stream) {
      stream.heardDirectlyAt = now;
      stream.isClosed = false;
      stream.hear(now);
    }
    // Its roster comes first.
    if (packet.epoch > members.epoch) return;
    if (stream !== undefined && isConnected(packet.own, stream)) stream.connectedAt = now;
    const problem = this.#problemOf(stream);
    if (problem !== undefined) return peers.fault(peer, problem);
    const isCurrent = packet.epoch === members.epoch;
    if (isCurrent) peer.epoch = packet.epoch;
    else {
      this.#options.tellRoster(peer, now);
      // Whom it hears is not known any more.
      if (stream) stream.deafSince = Infinity;
    }
    if (stream) {
      if (stream.isSeated) this.#applyStream(peer, packet.own, stream, bytes, index);
      else if (isCurrent) stream.end = Math.max(stream.end, packet.end);
    }
    const isNewest = !peer.hasEnd || packet.end >= peer.end;
    this.#measure(peer, stream, isCurrent, isNewest, now);
    if (isCurrent) this.#applyMore(peer, index, bytes, isNewest, now);
    if (packet.hasHash && hashEvery > 0)
      watch.receive(peer.id, packet.checkpoint, packet.hash, desync.onMismatch);
  }

  readonly #checkpointOf = (end: number): number => this.#core.checkpointOf(end);

  /** Returns why a well-formed packet cannot be honest, or undefined. */
  #problemOf(stream: Stream | undefined): string | undefined {
    const { members, tick } = this.#core;
    const packet = this.#packet;
    const { own } = members;
    if (stream !== undefined && stream.isSeated && packet.end > Math.min(members.known, tick) + MAX_AHEAD) {
      // A member that has all inputs cannot be left so far behind; others have lost track.
      if (own !== undefined && own.isSeated && packet.end > own.end + MAX_AHEAD && !members.isLost)
        return `inputs of tick ${packet.end}, far in the future`;
      if (own === undefined) members.isLost = true;
    }
    const isAck = packet.epoch === members.epoch && stream !== undefined && own !== undefined && own.isSeated;
    if (isAck && packet.ack > own.end)
      return `the acknowledgement of tick ${packet.ack}, which was never sent`;
    return undefined;
  }

  /** Measures the line, and takes the acknowledgement of the own inputs. */
  #measure(peer: Peer, stream: Stream | undefined, isCurrent: boolean, isNewest: boolean, now: number): void {
    const packet = this.#packet;
    const { members } = this.#core;
    if (isNewest) {
      if (isCurrent && stream) peer.advantage.addTheirs(packet.end - packet.ack);
      peer.quality.onPacket(packet.end, now);
      peer.end = packet.end;
      peer.hasEnd = true;
    }
    const { own, streams } = members;
    if (!isCurrent || own === undefined || stream === undefined || peer.isFollower) return;
    peer.quality.onAck(packet.ack, now);
    const ownIndex = streams.indexOf(own);
    const ack = Math.max(packet.ack, own.member.from);
    // A member that has just joined may know less than the snapshot that we once sent it.
    if (own.isSeated && (isNewest || ack > (peer.acks[ownIndex] ?? -1))) peer.acks[ownIndex] = ack;
  }

  #applyMore(peer: Peer, from: number, bytes: Uint8Array, isNewest: boolean, now: number): void {
    const packet = this.#packet;
    const { members } = this.#core;
    const { streams, own } = members;
    const have = packet.hasMore ? packet.have : Math.min(packet.end, packet.ack, members.stopTick);
    if (from >= 0) members.hear(peer, from, have, packet.certain, now);
    for (let i = 0; i < packet.acks.length; i += 2) {
      const index = packet.acks[i]!;
      const ack = packet.acks[i + 1]!;
      const isPossible = ack >= 0 && ack <= streams[index]!.end;
      if (isPossible && (isNewest || ack > (peer.acks[index] ?? -1))) peer.acks[index] = ack;
    }
    if (packet.hasMore) this.#hearOfOthers(peer, from, now);
    for (let i = 0; i < packet.forwardedCount; i++) {
      const forwarded = packet.forwarded[i]!;
      const stream = streams[forwarded.index]!;
      // Only those that were asked for: otherwise anyone could speak for others.
      const isDeparted = stream.until < Infinity;
      const isAsked = peer === this.#core.feeder || isDeparted || peer.asked.includes(stream.member.id);
      if (isAsked && stream !== own && stream.isSeated)
        this.#applyStream(peer, forwarded, stream, bytes, forwarded.index);
    }
  }

  /** Learns from a peer whom it hears: a member whose link to us is broken is not gone. */
  #hearOfOthers(peer: Peer, from: number, now: number): void {
    const { streams, own, roster } = this.#core.members;
    const { ages } = this.#packet;
    let heard = 1;
    for (let i = 0; i < roster.members.length; i++) {
      const stream = streams[i]!;
      const isHeard = ages[i] !== NOT_HEARD;
      peer.hears[i] = isHeard;
      if (!isHeard || stream.member.id === peer.id) continue;
      heard++;
      if (stream === own) continue;
      stream.hear(now - ages[i]! * AGE_STEP - peer.quality.roundTrip / 2);
    }
    const { length } = roster.members;
    peer.hearsAll = heard === length;
    const sender = streams[from];
    if (!sender) return;
    // Whoever hears this peer is there. Others may hear those that pass its packets on, or in a star, only the hub matters.
    const isHeard = own !== undefined && peer.hears[streams.indexOf(own)] === true;
    const isDeaf = !isHeard && (roster.isStar ? own === streams[0] : 2 * heard <= length);
    if (!isDeaf) sender.deafSince = Infinity;
    else if (sender.deafSince === Infinity) sender.deafSince = now;
  }

  /** Takes the inputs of a stream from the packet. */
  #applyStream(peer: Peer, part: PacketStream, stream: Stream, bytes: Uint8Array, index: number): void {
    const { first, end } = part;
    if (first >= end || !stream.isOpen || end <= stream.end) return;
    // The row before the first one must be known, as rows are changes.
    if (first > stream.end || first < stream.end - LOG_TICKS / 2 || !stream.canCodeFrom(first)) return;
    const { rollback, commands, peers, tick, members } = this.#core;
    if (end > tick + LOG_TICKS / 2) {
      if (!members.isLost) peers.fault(peer, `inputs of tick ${end}, far in the future`);
      return;
    }
    const { hasCommands } = this.#options.context;
    const known = stream.end;
    this.#stream = stream;
    this.#known = known;
    const counted = Math.min(end, stream.until);
    this.#readable = hasCommands ? commands.readableEnd(this.#packet, index, stream, counted) : counted;
    this.#reader.start(bytes);
    this.#reader.position = part.position;
    stream.rows.read(this.#reader, first, end, rollback.log, this.#sink);
    if (this.#isChanged) this.#onChangedInputs(peer, stream);
    if (hasCommands) commands.apply(this.#packet, index, stream, known, rollback);
  }

  readonly #sink: RowSink = { takeRow: (tick, row) => this.#takeRow(tick, row) };

  #takeRow(tick: number, row: Uint32Array): void {
    if (tick >= this.#readable) return;
    const { rollback, simulation } = this.#core;
    const stream = this.#stream!;
    const { seats } = stream.member;
    const width = simulation.packing.words;
    if (tick < this.#known) {
      // What came before a snapshot is not known.
      if (tick < stream.first) return;
      for (let i = 0; i < seats.length; i++)
        if (!rollback.log.isSeat(tick, seats[i]!, row, i * width)) this.#isChanged = true;
      return;
    }
    // What follows in a packet that contradicts what is known cannot be believed.
    if (this.#isChanged) return;
    for (let i = 0; i < seats.length; i++)
      if (rollback.log.writeSeat(tick, seats[i]!, row, i * width)) rollback.invalidate(tick);
    stream.end = tick + 1;
    stream.progressAt = this.#now;
  }

  /** A packet has other inputs than those that were received before. */
  #onChangedInputs(peer: Peer, stream: Stream): void {
    this.#isChanged = false;
    const { id } = stream.member;
    if (peer.id === id) this.#core.peers.fault(peer, "other inputs than it sent before");
    if (stream.isTwoFaced) return;
    stream.isTwoFaced = true;
    const witness = peer.id === id ? "it" : JSON.stringify(peer.name);
    this.#core.tellPeer("two-faced", id, `${witness} sent other inputs of this peer than we had received`);
  }
}

/** Whether the inputs in a packet continue what is known of a stream. */
function isConnected({ first, end }: PacketStream, stream: Stream): boolean {
  return end <= stream.end || (first <= stream.end && stream.canCodeFrom(first));
}
