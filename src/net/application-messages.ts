import { APPLICATION } from "./messages.js";
import type { Peer } from "./peer.js";
import type { PeerCore } from "./peer-core.js";
import { readRouted, routedMessage } from "./routed-message.js";

/** Messages outside the simulation: chat, or whether somebody is ready. */
export class ApplicationMessages {
  readonly #core: PeerCore;

  constructor(core: PeerCore) {
    this.#core = core;
  }

  send(bytes: Uint8Array, to: number | undefined): void {
    const { peers, id } = this.#core;
    const routed = routedMessage(bytes, id, to);
    const direct = to === undefined ? undefined : peers.find(to);
    for (const peer of direct ? [direct] : peers.all)
      if (peer.id !== 0) peer.transfers.start(APPLICATION, routed);
  }

  receive(peer: Peer, bytes: Uint8Array): void {
    const { peers, members, settings, id } = this.#core;
    const routed = readRouted(bytes);
    if (!routed) return peers.fault(peer, "a malformed message");
    const { from, to } = routed;
    // Only a relay passes messages on, so nobody else can speak for others.
    const first = members.roster.members[0];
    const isRelay = first !== undefined && first.id === peer.id && first.seats.length === 0;
    if (from !== peer.id && !isRelay) return peers.fault(peer, "a message in the name of another peer");
    if (to === 0 || to === id)
      this.#core.emit("message", { from, name: this.#core.nameOf(from), bytes: routed.bytes });
    if (!settings.relay || to === id) return;
    for (const other of peers.all)
      if (other !== peer && other.id !== 0 && (to === 0 || to === other.id))
        other.transfers.start(APPLICATION, bytes);
  }
}
