import { epochOf } from "./agreement.js";
import type { Joining } from "./joining.js";
import { MAX_MESSAGE } from "./link.js";
import type { MemberWatch } from "./member-watch.js";
import { AGREE, DECISION, LONG_DECISION, message } from "./messages.js";
import type { Peer } from "./peer.js";
import type { PeerCore } from "./peer-core.js";
import { type DropReason, type Member, type Roster } from "./roster.js";
import type { Stream } from "./stream.js";

/** Milliseconds between two messages with decisions to a peer that lacks some. */
const TELL_EVERY = 30;
/** Most decisions that are sent at once. */
const MAX_TOLD = 3;
/** Milliseconds of silence on a link after which messages are also sent through others. */
const SILENCE = 200;
/** The ids of sender and receiver come before a message of the agreement, as a third peer may pass it on. */
const ROUTE = 8;

/** Carries the messages of the agreement, spreads decisions, and tells the session what they change. */
export class Decisions {
  readonly #core: PeerCore;
  readonly #joining: Joining;
  readonly #watch: MemberWatch;
  /** By member: the decision on `#toldEpoch` that it has sent. A decision counts once two members have sent the same. */
  readonly #told = new Map<number, Uint8Array>();
  #toldEpoch = 0;

  constructor(core: PeerCore, joining: Joining, watch: MemberWatch) {
    this.#core = core;
    this.#joining = joining;
    this.#watch = watch;
  }

  /** Sends a message of the agreement to a member. */
  sendAgreement(to: Member, bytes: Uint8Array): void {
    const { id } = this.#core;
    const routed = new Uint8Array(1 + ROUTE + bytes.length);
    const view = new DataView(routed.buffer);
    routed[0] = AGREE;
    view.setUint32(1, id);
    view.setUint32(5, to.id);
    routed.set(bytes, 1 + ROUTE);
    if (routed.length <= MAX_MESSAGE) this.#route(to.id, routed, id);
  }

  /** Sends a message to a member: directly, and through all others if that link is silent. */
  #route(to: number, bytes: Uint8Array, from: number): void {
    const { peers, members, id } = this.#core;
    const direct = peers.find(to);
    direct?.send(bytes, false);
    if (from !== id || (direct && this.#core.now() - direct.heardAt < SILENCE)) return;
    for (const peer of peers.all) if (peer !== direct && members.streamOf(peer.id)) peer.send(bytes, false);
  }

  onAgreement(peer: Peer, body: Uint8Array, now: number): void {
    const { peers, members, id } = this.#core;
    const epoch = body.length > ROUTE ? epochOf(body.subarray(ROUTE)) : undefined;
    if (epoch === undefined) return peers.fault(peer, "a malformed message of the agreement");
    const view = new DataView(body.buffer, body.byteOffset, body.length);
    const from = view.getUint32(0);
    const to = view.getUint32(4);
    if (to !== id) {
      // Members pass on what a member itself says.
      if (from === peer.id && members.streamOf(from)) this.#route(to, message(AGREE, body), from);
      return;
    }
    const sender = peers.find(from);
    // While the sender itself can be heard, what others pass on is ignored.
    if (from !== peer.id && sender && now - sender.heardAt < SILENCE) return;
    if (epoch < members.epoch && sender) this.tell(sender, epoch, now);
    if (epoch === members.epoch && !members.receive(from, body.subarray(ROUTE)) && from === peer.id)
      peers.fault(peer, "a message of the agreement that it may not send");
  }

  /** Sends the decisions that a peer lacks. Unreliably and often, as a reliable message waits for those before it. */
  tell(peer: Peer, epoch: number, now: number): void {
    if (now - peer.toldAt < TELL_EVERY) return;
    peer.toldAt = now;
    for (const bytes of this.#core.members.decisionsAfter(epoch)?.slice(0, MAX_TOLD) ?? [])
      if (bytes.length < MAX_MESSAGE) peer.send(message(DECISION, bytes), false);
  }

  onDecision(peer: Peer, bytes: Uint8Array): void {
    const { members, hasState, feeder, id: self } = this.#core;
    if (!hasState || !(members.streamOf(peer.id) || peer === feeder)) return;
    const roster = members.readNext(bytes);
    if (!roster) return;
    const isOusted = members.isVoter && roster.members.every(({ id }) => id !== self);
    // One member alone could have made up that the others want to go on without us.
    if (isOusted && this.#needsWitness(peer) && !this.#isToldByOthers(peer, roster.epoch, bytes)) return;
    members.adopt(roster);
  }

  /** Keeps what a member says of an epoch. Returns whether another one has said the same. */
  #isToldByOthers(peer: Peer, epoch: number, bytes: Uint8Array): boolean {
    if (this.#toldEpoch !== epoch) this.#told.clear();
    this.#toldEpoch = epoch;
    for (const [id, told] of this.#told) if (id !== peer.id && isSame(told, bytes)) return true;
    this.#told.set(peer.id, bytes.slice());
    return false;
  }

  /** Whether other voters can be heard, who must have made the same decision. One alone could have made it up. */
  #needsWitness(peer: Peer): boolean {
    const { members, peers } = this.#core;
    const now = this.#core.now();
    for (const other of peers.all) {
      const stream = members.streamOf(other.id);
      if (other !== peer && stream?.member.isVoter && now - other.heardAt < SILENCE) return true;
    }
    return false;
  }

  /** The roster has changed: tells everyone, renumbers what is kept by index, and emits events. */
  adopted(before: Roster, streams: readonly Stream[]): void {
    const core = this.#core;
    const { members } = core;
    const { roster } = members;
    this.#updatePeers(before, streams);
    const wasMember = isMember(before, core.id);
    if (members.own) core.rejection = undefined;
    if (members.own && !wasMember) this.#watch.onSelfJoined();
    this.#emitChanges(before, roster);
    if (wasMember && !members.own) this.#ousted(roster);
    if (before.pausedAt !== roster.pausedAt && roster.epoch > 1)
      core.emit("game", {
        state: roster.pausedAt >= 0 ? "paused" : "playing",
        tick: Math.max(roster.pausedAt, core.tick),
      });
    if (roster.members.length > 1 && before.members.length <= 1) this.#joining.greetAll();
  }

  /** Sends the decision to all peers, and updates what is known of them. */
  #updatePeers(before: Roster, streams: readonly Stream[]): void {
    const { members, peers, rollback } = this.#core;
    const bytes = members.decisionsAfter(members.epoch - 1)?.[0];
    for (const peer of peers.all) {
      if (peer.id === 0) continue;
      renumber(peer, streams, members.streams);
      // What it knew in the last epoch may include inputs that were cut off.
      peer.vouched = Math.min(peer.vouched, rollback.confirmed);
      if (peer.isFollower && members.streamOf(peer.id)) {
        peer.isFollower = false;
        this.#watch.onJoined(peer);
      }
      if (bytes && (peer.isFollower || isMember(before, peer.id))) spread(peer, bytes);
    }
  }

  /** Emits who was dropped and who joined. */
  #emitChanges(before: Roster, roster: Roster): void {
    const core = this.#core;
    for (const { id, cut, reason } of roster.drops) {
      const member = before.members.find((old) => old.id === id);
      if (!member) continue;
      core.desync.forget(id);
      core.tellPeer("dropped", id, reason, { name: member.name, seats: member.seats, tick: cut });
      const peer = core.peers.find(id);
      if (peer && core.members.isBanned(id)) this.#joining.reject(peer, "kicked", removalText(reason));
    }
    for (const { id, from } of roster.members)
      if (before.epoch > 0 && !isMember(before, id)) core.tellPeer("joined", id, "", { tick: from });
  }

  /** The others continue without this peer. It follows again, and asks for its seats, unless it was removed on purpose. */
  #ousted(roster: Roster): void {
    const core = this.#core;
    const reason = roster.drops.find(({ id }) => id === core.id)?.reason;
    core.feeder = undefined;
    core.members.isLost = true;
    if (reason !== undefined && core.members.isBanned(core.id))
      this.#joining.onRejected(
        { code: "kicked", text: removalText(reason) },
        core.nameOf(roster.members[0]?.id ?? 0),
      );
  }
}

const isMember = ({ members }: Roster, id: number): boolean => members.some((member) => member.id === id);

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Tells a peer why it may not come back. */
function removalText(reason: DropReason): string {
  if (reason === "desync") return "its state differed from that of the others";
  return reason === "hostile" ? "it broke the protocol" : "the host removed this player";
}

function spread(peer: Peer, bytes: Uint8Array): void {
  if (bytes.length < MAX_MESSAGE) {
    peer.send(message(DECISION, bytes), false);
    peer.send(message(DECISION, bytes), true);
  } else peer.transfers.start(LONG_DECISION, bytes);
}

/** Puts what is kept by index into the order of the new roster. */
function renumber(peer: Peer, before: readonly Stream[], now: readonly Stream[]): void {
  const { acks, commandsSent } = peer;
  peer.acks = [];
  peer.commandsSent = [];
  now.forEach((stream, index) => {
    const old = before.indexOf(stream);
    const ack = old >= 0 ? acks[old] : peer.isFollower ? stream.member.from : undefined;
    if (ack !== undefined) peer.acks[index] = ack;
    peer.commandsSent[index] = (old >= 0 ? commandsSent[old] : undefined) ?? stream.member.from;
  });
}
