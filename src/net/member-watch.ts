import { jsonMessage, readJson, WANT } from "./messages.js";
import type { Peer } from "./peer.js";
import type { PeerCore } from "./peer-core.js";
import { isId } from "./roster.js";

/**
 * Milliseconds without news after which a member is dropped, unless the option says otherwise. Among two, nothing is gained by
 * playing alone soon. A relay is the only one that hears a player: a longer silence may still be a burst of loss.
 */
const TIMEOUT = 500;
const TIMEOUT_OF_TWO = 5000;
const TIMEOUT_WITH_RELAY = 850;
/** A gap between two polls of this length means that this peer was frozen itself. */
const FROZEN = 300;
/** Milliseconds of silence of a member after which joins wait, as it may be gone. */
const CALM = 300;
/** Milliseconds of silence on a direct link after which its stream is asked for elsewhere. */
const SILENCE = 200;
/** Milliseconds after a closed link in which others may still get what its member sent before, besides the round trip. */
const CLOSED_MARGIN = 50;
/** Milliseconds from then on until the member is suspected, unless others have news of it. */
const CLOSED_GRACE = 150;

/** Milliseconds for which streams are forwarded to a peer that asked for them. It repeats that. */
const WANTED_FOR = 5000;
/** Milliseconds between two requests for streams, per stream: a relay is asked for many. */
const REPEAT_PER_STREAM = 50;

const NOBODY_MISSING: readonly number[] = [];

/** Watches the members: suspects those that nobody hears, and gets the inputs of those whose link is broken from others. */
export class MemberWatch {
  readonly #core: PeerCore;
  #polledAt = NaN;
  readonly #missing: number[] = [];

  constructor(core: PeerCore) {
    this.#core = core;
  }

  /** Milliseconds without news after which a member is dropped. */
  timeout(): number {
    const { settings, members } = this.#core;
    const [first] = members.roster.members;
    if (settings.timeout !== undefined) return settings.timeout;
    if (members.roster.members.length <= 2) return TIMEOUT_OF_TWO;
    return first!.seats.length === 0 ? TIMEOUT_WITH_RELAY : TIMEOUT;
  }

  poll(now: number): void {
    const { members, settings, peers, net, id } = this.#core;
    const { own, streams, roster } = members;
    const gap = now - this.#polledAt;
    this.#polledAt = now;
    // After a freeze, the others seem to have been silent.
    if (gap > FROZEN)
      for (const stream of streams) {
        stream.heardAt += gap;
        stream.progressAt += gap;
      }
    if (!members.isVoter) return;
    const timeout = this.timeout();
    members.isCalm = true;
    for (const stream of streams) {
      if (stream === own) continue;
      const silence = now - stream.heardAt;
      const peer = peers.find(stream.member.id);
      if (silence >= CALM || (peer !== undefined && peer.epoch < members.epoch)) members.isCalm = false;
      if (silence > timeout) members.suspect(stream.member.id, stream.isClosed ? "closed" : "timeout");
    }
    if (members.mayVote && now - net.stalledSince > 2 * timeout) this.#suspectStuck(now - 2 * timeout);
    const [first] = roster.members;
    if (roster.members.length !== 2 || first!.id === id) return;
    // A host that left, or came back without its state, decides nothing any more: this is no partition.
    const suspicion = members.suspicionOf(first!.id);
    if (
      suspicion === "restarted" ||
      suspicion === "left" ||
      (suspicion !== undefined && settings.alone === "continue")
    )
      members.continueAlone();
  }

  /** Suspects a member that all wait for: it can be heard, but sends no new inputs. */
  #suspectStuck(since: number): void {
    const { own, streams, known } = this.#core.members;
    for (const { isSeated, end, progressAt, member } of streams)
      if (isSeated && end === known && end < own!.end && progressAt < since)
        this.#core.members.suspect(member.id, "stuck");
  }

  /** The link to a member was closed: its program has probably ended. Others may still hear it. */
  onClosed(id: number): void {
    const { members, peers } = this.#core;
    const stream = members.streamOf(id);
    if (!stream || peers.find(id)) return;
    const now = this.#core.now();
    const timeout = this.timeout();
    let roundTrip = 0;
    for (const { quality } of peers.all) roundTrip = Math.max(roundTrip, quality.roundTrip);
    stream.isClosed = true;
    stream.heardDirectlyAt = Math.min(stream.heardDirectlyAt, now - timeout);
    // What others have heard of it may have been on its way when it ended.
    const deafUntil = now + CLOSED_MARGIN + roundTrip;
    const suspectAt = deafUntil + CLOSED_GRACE + roundTrip;
    if (suspectAt - now < timeout) {
      stream.deafUntil = deafUntil;
      stream.heardAt = Math.min(stream.heardAt, suspectAt - timeout);
    } else stream.heardAt = Math.min(stream.heardAt, now - timeout + CLOSED_GRACE);
  }

  /** Asks others to forward the streams of members whose own link is silent. */
  askForStreams(now: number): void {
    const { members, peers } = this.#core;
    if (!members.own) return;
    const missing = this.#findMissing(now) ? this.#missing : NOBODY_MISSING;
    for (const peer of peers.all) {
      if (now - peer.wantedAt > WANTED_FOR && peer.wants.length > 0) peer.wants = [];
      if (members.indexOf(peer.id) < 0 || (missing.length === 0 && peer.asked.length === 0)) continue;
      const wanted = missing.filter((missed) => missed !== peer.id);
      const isSame =
        wanted.length === peer.asked.length && wanted.every((missed, i) => missed === peer.asked[i]);
      peer.asked = wanted;
      if (!isSame) peer.send(jsonMessage(WANT, wanted), true);
      // Reliable messages may come late.
      if (wanted.length === 0 || (isSame && now - peer.askedAt < wanted.length * REPEAT_PER_STREAM)) continue;
      peer.askedAt = now;
      peer.send(jsonMessage(WANT, wanted), false);
    }
  }

  /** A peer asks for streams of members. */
  onWant(peer: Peer, body: Uint8Array): void {
    const { peers, now } = this.#core;
    const ids = readJson(body);
    if (!Array.isArray(ids) || ids.length > 64 || !ids.every(isId))
      return peers.fault(peer, "a malformed request");
    peer.wants = ids;
    peer.wantedAt = now();
  }

  /** Spectators that have become members still need all streams, until those come directly. Nobody has to ask for them. */
  onJoined(peer: Peer): void {
    const { members, now, id } = this.#core;
    const others = members.roster.members.filter((member) => member.id !== peer.id && member.id !== id);
    peer.wants = others.map((member) => member.id);
    peer.wantedAt = now();
  }

  /** This peer has joined: the one that fed it goes on to do so for a while. */
  onSelfJoined(): void {
    const { members, feeder, id } = this.#core;
    const others = members.roster.members.filter((member) => member.id !== feeder?.id && member.id !== id);
    if (feeder) feeder.asked = others.map((member) => member.id);
  }

  /** Lists the members whose inputs do not come directly. Returns whether there are any. */
  #findMissing(now: number): boolean {
    const { members, peers, id } = this.#core;
    this.#missing.length = 0;
    for (const { isSeated, member, connectedAt } of members.streams) {
      if (!isSeated || member.id === id) continue;
      if (!peers.find(member.id) || now - connectedAt > SILENCE) this.#missing.push(member.id);
    }
    return this.#missing.length > 0;
  }
}
