import type { Joining } from "../joining.js";
import { MAX_MESSAGE } from "../link.js";
import { jsonMessage, LEAVE, LONG_ROSTER, message, ROSTER } from "../messages.js";
import type { Peer } from "../peer.js";
import type { PeerCore } from "../peer-core.js";
import type { MemberWatch } from "./member-watch.js";
import { isSame, readRoster, rosterBytes, type DropReason, type Member, type Roster } from "./roster.js";
import type { Stream } from "./stream.js";

/** Milliseconds between two copies of the roster for a peer that lacks it: of one that fits into a message, and of a longer one. */
const TELL_EVERY = 30;
const TELL_LONG_EVERY = 300;
/** Milliseconds of silence after which a member is no longer waited for as a witness. */
const SILENCE = 200;

/** Spreads the roster, and tells the session what a new one changes. */
export class RosterExchange {
  readonly #core: PeerCore;
  readonly #joining: Joining;
  readonly #watch: MemberWatch;
  #bytes: Uint8Array = new Uint8Array(0);
  /** Who has sent a roster that this peer does not believe yet, and its bytes. A second member confirms it. */
  #told: { readonly id: number; readonly bytes: Uint8Array } | undefined;

  constructor(core: PeerCore, joining: Joining, watch: MemberWatch) {
    this.#core = core;
    this.#joining = joining;
    this.#watch = watch;
  }

  /** Sends the roster to a peer that lacks it, again and again until its packets show that it has it. */
  tell(peer: Peer, now: number): void {
    const isLong = this.#bytes.length >= MAX_MESSAGE;
    if (now - peer.toldAt < (isLong ? TELL_LONG_EVERY : TELL_EVERY) || !this.#core.members.own) return;
    peer.toldAt = now;
    if (!isLong) peer.send(message(ROSTER, this.#bytes), false);
    else if (peer.transfers.waitingBytes === 0) peer.transfers.start(LONG_ROSTER, this.#bytes);
  }

  onRoster(peer: Peer, bytes: Uint8Array): void {
    const { members, hasState, feeder, simulation, game, id } = this.#core;
    if (!hasState || (members.indexOf(peer.id) < 0 && peer !== feeder)) return;
    const roster = readRoster(bytes, game, simulation.players);
    if (!roster || roster.epoch <= members.epoch || !this.#isBelievable(peer, roster, bytes)) return;
    // This peer has answered a candidate, and must take no part in anything older. It may still be told that it is out.
    if (roster.epoch < members.promised && roster.members.some((member) => member.id === id)) return;
    members.adopt(roster);
  }

  /** One member alone could have made up a roster, unless it is the host, or a successor that this peer has answered. */
  #isBelievable(peer: Peer, roster: Roster, bytes: Uint8Array): boolean {
    const { members, peers } = this.#core;
    if (!members.own) return true;
    const isHost = roster.since === members.roster.since && members.indexOf(peer.id) === 0;
    const isAnswered = roster.since === members.promised;
    if (roster.members[0]?.id === peer.id && (isHost || isAnswered)) return true;
    if (this.#told && this.#told.id !== peer.id && isEqual(this.#told.bytes, bytes)) return true;
    this.#told = { id: peer.id, bytes: bytes.slice() };
    const now = this.#core.now();
    return !peers.all.some(
      (other) => other !== peer && members.indexOf(other.id) >= 0 && now - other.heardAt < SILENCE,
    );
  }

  /** The roster has changed: tells everyone, renumbers what is kept by index, and emits events. */
  adopted(before: Roster, streams: readonly Stream[]): void {
    const core = this.#core;
    const { members } = core;
    const { roster } = members;
    this.#bytes = rosterBytes(core.game, roster);
    this.#updatePeers(before, streams);
    const wasMember = isMember(before, core.id);
    if (members.own) core.rejection = undefined;
    if (members.own && !wasMember) this.#watch.onSelfJoined();
    this.#emitChanges(before, roster);
    if (wasMember && !members.own) this.#ousted(roster);
    if (members.isRevived)
      for (const peer of core.peers.all)
        if (members.indexOf(peer.id) >= 0)
          peer.send(jsonMessage(LEAVE, [members.promised, members.candidate]), true);
    if (before.pausedAt !== roster.pausedAt && before.epoch > 0)
      core.emit("game", {
        state: roster.pausedAt >= 0 ? "paused" : "playing",
        tick: Math.max(roster.pausedAt, core.tick),
      });
    if (roster.members.length > 1 && before.members.length <= 1) this.#joining.greetAll();
  }

  /** Sends the roster to all that take part, and updates what is known of them. */
  #updatePeers(before: Roster, streams: readonly Stream[]): void {
    const { members, peers } = this.#core;
    for (const peer of peers.all) {
      if (peer.id === 0) continue;
      renumber(peer, streams, members.streams);
      peer.hears = [];
      const stream = members.streamOf(peer.id);
      // What it had before it joined again is lost.
      if (stream && !streams.includes(stream)) peer.have = 0;
      if (peer.isFollower && stream) {
        peer.isFollower = false;
        this.#watch.onJoined(peer);
      }
      // The others tell those that do not hear the host.
      if (members.own && (peer.isFollower || (members.isHost && (stream || isMember(before, peer.id)))))
        this.#spread(peer);
    }
  }

  #spread(peer: Peer): void {
    peer.toldAt = this.#core.now();
    if (this.#bytes.length >= MAX_MESSAGE) {
      if (peer.transfers.waitingBytes === 0) peer.transfers.start(LONG_ROSTER, this.#bytes);
      return;
    }
    peer.send(message(ROSTER, this.#bytes), false);
    peer.send(message(ROSTER, this.#bytes), true);
  }

  /** Emits who was dropped and who joined. */
  #emitChanges(before: Roster, roster: Roster): void {
    const core = this.#core;
    for (const member of roster.departed) {
      const { id, name, seats, until, reason } = member;
      if (!before.members.some((old) => isSame(old, member))) continue;
      core.desync.forget(id);
      core.tellPeer("dropped", id, reason, { name, seats, tick: until });
      const peer = core.peers.find(id);
      if (peer && core.members.isBanned(id)) this.#joining.reject(peer, "kicked", removalText(reason));
    }
    for (const member of roster.members)
      if (before.epoch > 0 && !before.members.some((old) => isSame(old, member)))
        core.tellPeer("joined", member.id, "", { tick: member.from });
  }

  /** The others continue without this peer. It follows again, and asks for its seats, unless it was removed on purpose. */
  #ousted({ departed, members: [host] }: Roster): void {
    const core = this.#core;
    const reason = departed.filter(({ id }) => id === core.id).at(-1)?.reason;
    core.feeder = undefined;
    core.members.isLost = true;
    core.members.promised = 0;
    if (reason !== undefined && core.members.isBanned(core.id))
      this.#joining.onRejected({ code: "kicked", text: removalText(reason) }, core.nameOf(host?.id ?? 0));
  }
}

const isMember = ({ members }: Roster, id: number): boolean =>
  members.some((member: Member) => member.id === id);

const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);

/** Tells a peer why it may not come back. */
function removalText(reason: DropReason): string {
  if (reason === "desync") return "its state differed from that of the others";
  return reason === "hostile" ? "it broke the protocol" : "the host removed this player";
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
