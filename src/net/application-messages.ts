import { badValue, requireType } from "../errors/index.js";
import { APPLICATION } from "./messages.js";
import type { Peer } from "./peer.js";
import type { PeerCore } from "./peer-core.js";

/** The longest message with its ids, in bytes. */
export const MAX_APPLICATION = 2 ** 16;
/** The ids of sender and receiver; 0 for all. */
const HEAD = 8;

/** Messages outside the simulation: chat, or whether somebody is ready. */
export class ApplicationMessages {
  readonly #core: PeerCore;

  constructor(core: PeerCore) {
    this.#core = core;
  }

  send(bytes: Uint8Array, to: number | undefined): void {
    if (!(bytes instanceof Uint8Array))
      badValue("Session.send: bytes", "a Uint8Array", bytes, "new TextEncoder().encode(text)");
    if (bytes.length > MAX_APPLICATION - HEAD)
      badValue(
        "Session.send: bytes.length",
        `at most ${MAX_APPLICATION - HEAD}`,
        bytes.length,
        "several messages",
      );
    if (to !== undefined) requireType("Session.send: to", to, "number", "session.net.peers[0].id");
    const { peers, id } = this.#core;
    const routed = new Uint8Array(HEAD + bytes.length);
    const view = new DataView(routed.buffer);
    view.setUint32(0, id);
    view.setUint32(4, to ?? 0);
    routed.set(bytes, HEAD);
    const direct = to === undefined ? undefined : peers.find(to);
    for (const peer of direct ? [direct] : peers.all)
      if (peer.id !== 0) peer.transfers.start(APPLICATION, routed);
  }

  receive(peer: Peer, bytes: Uint8Array): void {
    const { peers, members, settings, id } = this.#core;
    if (bytes.length < HEAD) return peers.fault(peer, "a malformed message");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const from = view.getUint32(0);
    const to = view.getUint32(4);
    // Only a relay passes messages on, so nobody else can speak for others.
    const first = members.roster.members[0];
    const isRelay = first !== undefined && first.id === peer.id && first.seats.length === 0;
    if (from !== peer.id && !isRelay) return peers.fault(peer, "a message in the name of another peer");
    if (to === 0 || to === id)
      this.#core.emit("message", { from, name: this.#core.nameOf(from), bytes: bytes.slice(HEAD) });
    if (!settings.relay || to === id) return;
    for (const other of peers.all)
      if (other !== peer && other.id !== 0 && (to === 0 || to === other.id))
        other.transfers.start(APPLICATION, bytes);
  }
}
