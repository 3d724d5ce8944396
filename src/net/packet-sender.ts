import { BitWriter } from "./bits.js";
import { MAX_MESSAGE } from "./link.js";
import { AGE_STEP, InputPacket, MAX_ROWS, NOT_HEARD, type PacketContext } from "./packet.js";
import type { Peer } from "./peer.js";
import type { PeerCore } from "./peer-core.js";
import { LOG_TICKS } from "./seat-log.js";

/** How far `have` may be ahead of the end of a packet. */
const MAX_HAVE = 600;

/** Sends every peer, in every tick, all inputs that it has not acknowledged. */
export class PacketSender {
  readonly #core: PeerCore;
  readonly #context: PacketContext;
  readonly #writer = new BitWriter(MAX_MESSAGE);
  readonly #packet = new InputPacket();

  constructor(core: PeerCore, context: PacketContext) {
    this.#core = core;
    this.#context = context;
  }

  /** Sends a last packet to a peer, reliably: what it says counts when others take over. */
  sendLast(peer: Peer): void {
    if (this.#core.members.indexOf(peer.id) >= 0) this.#send(peer, this.#core.now(), true);
  }

  /** Sends a packet to each peer that takes part in the game. */
  sendAll(): void {
    const { peers, members, feeder } = this.#core;
    // A peer outside, that may be far behind, has nothing to say. A member must be heard, even if it has lost track.
    if (members.isLost && members.own === undefined) return;
    const now = this.#core.now();
    for (const peer of peers.all)
      if (peer.id !== 0 && (peer.isFollower || peer === feeder || members.indexOf(peer.id) >= 0))
        this.#send(peer, now);
  }

  #send(peer: Peer, now: number, isReliable = false): void {
    const writer = this.#writer;
    const packet = this.#packet;
    // A packet for a peer that is far behind may be too long: then it gets fewer ticks at once.
    for (let maxRows = MAX_ROWS; maxRows > 0; maxRows >>= 1) {
      this.#fill(peer, maxRows, now);
      writer.reset();
      packet.write(writer, this.#context, this.#core.checkpointOf(packet.end));
      if (!writer.isFull) break;
    }
    if (writer.isFull) return;
    const bytes = writer.bytes();
    peer.send(bytes, isReliable);
    this.#core.net.countPacket(bytes.length);
    if (packet.hasHash) peer.hashSent = packet.checkpoint;
    if (this.#core.members.indexOf(peer.id) >= 0) peer.advantage.addOwn(packet.end - packet.ack);
    peer.quality.onSent(packet.end, now);
  }

  #fill(peer: Peer, maxRows: number, now: number): void {
    const packet = this.#packet;
    const { members, commands, watch, tick, hashEvery } = this.#core;
    const { streams, own } = members;
    const isSeated = own !== undefined && own.isSeated;
    const ownIndex = own === undefined ? -1 : members.indexOf(own.member.id);
    const theirs = streams[members.indexOf(peer.id)];
    packet.clear();
    packet.epoch = members.epoch;
    packet.end = isSeated ? own.end : own === undefined ? tick : this.#core.clock;
    packet.ack = theirs === undefined ? packet.end : theirs.isSeated ? theirs.end : peer.end;
    packet.own.index = ownIndex;
    packet.own.first = packet.own.end = packet.end;
    // Followers get all streams in the same way, below.
    if (isSeated && !peer.isFollower) {
      const ack = peer.acks[ownIndex] ?? own.member.from;
      packet.own.first = Math.min(packet.end, Math.max(ack, packet.end - MAX_ROWS));
      commands.send(peer, ownIndex, own, packet.own.first, packet.end, now);
    }
    packet.hasMore = theirs === undefined || !members.isPlain;
    if (packet.hasMore) this.#fillMore(peer, maxRows, ownIndex, now);
    packet.hasHash = hashEvery > 0 && watch.newest > peer.hashSent;
    if (!packet.hasHash) return;
    packet.checkpoint = watch.newest;
    watch.readHash(packet.checkpoint, packet.hash);
  }

  #fillMore(peer: Peer, maxRows: number, ownIndex: number, now: number): void {
    const packet = this.#packet;
    const { members, rollback, feeder, commands } = this.#core;
    const { streams } = members;
    const theirs = streams[members.indexOf(peer.id)];
    packet.have = Math.min(members.have, packet.end + MAX_HAVE);
    if (theirs === undefined || !peer.hearsAll) packet.certain = rollback.confirmed;
    for (let i = 0; i < streams.length; i++) {
      const stream = streams[i]!;
      const { id } = stream.member;
      const isOwn = i === ownIndex;
      const isDeparted = stream.until < Infinity;
      packet.ages[i] = Math.min(NOT_HEARD, Math.floor((now - stream.heardDirectlyAt) / AGE_STEP));
      if (!stream.isSeated) continue;
      // A feeder's own stream comes among the forwarded ones. What is missing of those that have departed, anybody may have.
      const isAsked = isDeparted ? stream.isOpen : stream !== theirs && peer.asked.includes(id);
      if (!isOwn && (peer === feeder || isAsked)) packet.acks.push(i, stream.end);
      const isWanted = isDeparted ? peer.have < stream.until : !isOwn && peer.wants.includes(id);
      const ack = peer.acks[i];
      if (
        !(isWanted || peer.isFollower) ||
        stream === theirs ||
        ack === undefined ||
        !stream.canSendFrom(ack)
      )
        continue;
      const first = Math.min(stream.end, Math.max(ack, stream.end - LOG_TICKS / 2));
      const end = Math.min(stream.end, first + maxRows);
      packet.forward(i, first, end);
      commands.send(peer, i, stream, first, end, now);
    }
  }
}
