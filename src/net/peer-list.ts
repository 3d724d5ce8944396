import { misuse } from "../errors/index.js";
import { MAX_MESSAGE, type Link } from "./link.js";
import { FRAGMENT, message } from "./messages.js";
import { Peer } from "./peer.js";
import type { PeerCore } from "./peer-core.js";
import { Transfers } from "./transfer.js";

/** Takes what peers send. */
export interface PeerReceiver {
  /** A packet of inputs. */
  onPacket(peer: Peer, bytes: Uint8Array, now: number): void;
  /** Another message, without its type. */
  onControl(peer: Peer, type: number, body: Uint8Array, now: number): void;
  /** A long message, of a kind. */
  onTransfer(peer: Peer, kind: number, bytes: Uint8Array): void;
  /** Whether to receive a long message. */
  accepts(peer: Peer, kind: number, total: number): boolean;
  onConnected(peer: Peer): void;
  onClosed(peer: Peer, reason: string): void;
}

/** The peers that this one has links to. */
export class PeerList {
  /** In the order of `connect`. */
  readonly all: Peer[] = [];
  readonly #core: PeerCore;
  readonly #receiver: PeerReceiver;

  constructor(core: PeerCore, receiver: PeerReceiver) {
    this.#core = core;
    this.#receiver = receiver;
  }

  /** Returns the peer with an id, if there is a link to it. */
  find(id: number): Peer | undefined {
    for (const peer of this.all) if (peer.id === id && id !== 0) return peer;
    return undefined;
  }

  connect(link: Link): void {
    const { all } = this;
    if (all.some((peer) => peer.link === link))
      misuse("in-use", "PeerSession.connect", "this link is already connected", "Create one link per peer");
    const peer = new Peer(link, this.#core.tickMs);
    peer.heardAt = this.#core.now();
    peer.transfers = new Transfers({
      send: (body) => peer.send(message(FRAGMENT, body), true),
      accept: (kind, total) => this.#receiver.accepts(peer, kind, total),
      received: (kind, bytes) => {
        if (!this.#core.isDisposed && !peer.isClosed) this.#receiver.onTransfer(peer, kind, bytes);
      },
    });
    all.push(peer);
    link.on("message", (bytes) => this.#onMessage(peer, bytes));
    link.on("close", (reason) => this.close(peer, reason));
    if (link.state === "closed") this.close(peer, "the link was closed");
    else this.#receiver.onConnected(peer);
  }

  #onMessage(peer: Peer, bytes: Uint8Array): void {
    if (this.#core.isDisposed || peer.isClosed) return;
    const now = this.#core.now();
    // Fragments that were asked for come as fast as the line allows.
    const isExpected = bytes[0] === FRAGMENT && peer.transfers.isReceiving;
    if (!peer.admit(bytes.length, now, isExpected)) return this.hostile(peer, "sends too many messages");
    if (bytes.length === 0 || bytes.length > MAX_MESSAGE)
      return this.fault(peer, "a message of a wrong size");
    peer.heardAt = now;
    const type = bytes[0]!;
    if (type < 0x80) return this.#receiver.onPacket(peer, bytes, now);
    const body = bytes.subarray(1);
    if (type !== FRAGMENT) return this.#receiver.onControl(peer, type, body, now);
    const problem = peer.transfers.receive(body);
    if (problem !== undefined) this.fault(peer, problem);
  }

  close(peer: Peer, reason: string): void {
    if (peer.isClosed) return;
    peer.isClosed = true;
    peer.link.close(reason);
    peer.transfers.dispose();
    this.all.splice(this.all.indexOf(peer), 1);
    if (this.#core.feeder === peer) this.#core.feeder = undefined;
    if (peer.id !== 0 && !this.#core.isDisposed) this.#receiver.onClosed(peer, reason);
  }

  /** Notes a message that no honest peer sends. After too many, the peer is dropped. */
  fault(peer: Peer, reason: string): void {
    this.#core.net.droppedPackets++;
    if (peer.fault(reason, this.#core.now()))
      this.hostile(peer, `sent too many bad messages, the last one: ${reason}`);
  }

  /** Drops a peer that breaks the protocol. */
  hostile(peer: Peer, reason: string): void {
    const { id } = peer;
    this.#core.tellPeer("hostile", id, reason, { name: peer.name });
    if (id !== 0) this.#core.members.markGone(id, "hostile");
    this.close(peer, reason);
  }
}
