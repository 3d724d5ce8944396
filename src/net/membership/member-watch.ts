import { AGE_STEP, NOT_HEARD } from "../packet.js";
import { jsonMessage, readJson, WANT } from "../messages.js";
import type { Peer } from "../peer.js";
import type { PeerCore } from "../peer-core.js";
import { isId, type DropReason } from "./roster.js";
import type { Stream } from "./stream.js";

/**
 * Milliseconds without news after which a member is dropped, unless the option says otherwise. Among two, nothing is gained by
 * playing alone soon. In a star, only the hub hears a player: a longer silence may still be a burst of loss.
 */
const TIMEOUT = 500;
const TIMEOUT_OF_TWO = 5000;
const TIMEOUT_IN_STAR = 850;
/** A gap between two polls of this length means that this peer was frozen itself. */
const FROZEN = 300;
/** Milliseconds of silence on a direct link after which its stream is asked for elsewhere. */
const SILENCE = 200;
/** Milliseconds after a closed link in which others may still get what its member sent before, besides the round trip. */
const CLOSED_MARGIN = 50;
/** Milliseconds from then on until the member counts as gone, unless others have news of it. */
const CLOSED_GRACE = 150;

/** Milliseconds for which streams are forwarded to a peer that asked for them. It repeats that. */
const WANTED_FOR = 5000;
/** Milliseconds between two requests for streams, per stream: a relay is asked for many. */
const REPEAT_PER_STREAM = 50;
const MAX_REPEAT = 1000;

const NOBODY_MISSING: readonly number[] = [];

/** Watches the members: notices those that nobody hears, and gets the inputs of those whose link is broken from others. */
export class MemberWatch {
  readonly #core: PeerCore;
  #polledAt = NaN;
  #awokeAt = -Infinity;
  readonly #missing: number[] = [];

  constructor(core: PeerCore) {
    this.#core = core;
  }

  /** Milliseconds without news after which a member is dropped. */
  get timeout(): number {
    const { settings, members } = this.#core;
    if (settings.timeout !== undefined) return settings.timeout;
    const { members: list, isStar } = members.roster;
    if (list.length === 2 && list[0]!.seats.length > 0) return TIMEOUT_OF_TWO;
    return isStar ? TIMEOUT_IN_STAR : TIMEOUT;
  }

  poll(now: number): void {
    const gap = now - this.#polledAt;
    this.#polledAt = now;
    if (!(gap > FROZEN)) return;
    this.#awokeAt = now;
    // After a freeze, the others seem to have been silent.
    for (const stream of this.#core.members.streams) {
      stream.heardAt = Math.min(now, stream.heardAt + gap);
      stream.heardSince = Math.min(now, stream.heardSince + gap);
      stream.progressAt = Math.min(now, stream.progressAt + gap);
    }
  }

  /** Whether this peer has not been frozen lately. After a freeze, it may have been dropped without knowing it. */
  isAwake(now: number): boolean {
    return now - this.#polledAt < FROZEN && now - this.#awokeAt > FROZEN;
  }

  /** Whether there has been no news of a member for some milliseconds, it hears nobody, or it is known to be gone. */
  isSilent(stream: Stream, now: number, milliseconds = this.timeout): boolean {
    if (stream === this.#core.members.own) return false;
    if (stream.gone !== undefined) return true;
    // Its packets say so only after a while.
    if (now - stream.deafSince > milliseconds - NOT_HEARD * AGE_STEP) return true;
    // The first packet of a member that has joined takes a round trip.
    const first = stream.isHeardDirectly
      ? 0
      : (this.#core.peers.find(stream.member.id)?.quality.roundTrip ?? 0);
    return now - stream.heardAt > milliseconds + first;
  }

  /**
   * Whether enough members are there to go on: more than half of them, or half and the host, which may drop the others. In a star, the
   * hub.
   */
  hasQuorum(now: number): boolean {
    const { roster, streams, isHost, own, voters } = this.#core.members;
    const [host] = streams;
    if (!own || (isHost && (roster.isStar || roster.members.length === 2))) return true;
    if (roster.isStar && voters.includes(host!)) return !this.isSilent(host!, now);
    return this.hearsMajority(now, isHost ? 1 : 0);
  }

  /** Whether more than half of the members that have not left are there, this one included; or half of them, if one is `added`. */
  hearsMajority(now: number, added = 0): boolean {
    const { voters } = this.#core.members;
    return 2 * voters.filter((stream) => !this.isSilent(stream, now)).length + added > voters.length;
  }

  /** How many members this peer hears, itself included. */
  countHeard(now: number): number {
    const { roster, streams } = this.#core.members;
    let count = 0;
    for (let i = 0; i < roster.members.length; i++) if (!this.isSilent(streams[i]!, now)) count++;
    return count;
  }

  /** Returns why a member should be dropped, if it should be. */
  reasonToDrop(stream: Stream, now: number): DropReason | undefined {
    if (stream.gone !== undefined || stream === this.#core.members.own) return stream.gone;
    if (this.isSilent(stream, now)) return stream.isClosed ? "closed" : "timeout";
    return this.#isStuck(stream, now) ? "stuck" : undefined;
  }

  /** Whether all wait for a member that was heard all the time, but sent no new inputs. */
  #isStuck({ isSeated, end, progressAt, heardSince }: Stream, now: number): boolean {
    const { members, net } = this.#core;
    const since = now - 2 * this.timeout;
    return (
      isSeated &&
      end === members.known &&
      end < (members.own?.end ?? 0) &&
      Math.max(progressAt, heardSince, net.stalledSince) < since
    );
  }

  /** The link to a member was closed: its program has probably ended. Others may still hear it. */
  onClosed(id: number): void {
    const { members, peers } = this.#core;
    const stream = members.streamOf(id);
    if (!stream || peers.find(id)) return;
    const now = this.#core.now();
    const { timeout } = this;
    let roundTrip = 0;
    for (const { quality } of peers.all) roundTrip = Math.max(roundTrip, quality.roundTrip);
    stream.isClosed = true;
    stream.heardDirectlyAt = Math.min(stream.heardDirectlyAt, now - timeout);
    // What others have heard of it may have been on its way when it ended.
    const deafUntil = now + CLOSED_MARGIN + roundTrip;
    const goneAt = deafUntil + CLOSED_GRACE + roundTrip;
    if (goneAt - now < timeout) {
      stream.deafUntil = deafUntil;
      stream.heardAt = Math.min(stream.heardAt, goneAt - timeout);
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
      if (
        wanted.length === 0 ||
        (isSame && now - peer.askedAt < Math.min(wanted.length * REPEAT_PER_STREAM, MAX_REPEAT))
      )
        continue;
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
    for (let i = 0; i < members.roster.members.length; i++) {
      const { isSeated, member, connectedAt } = members.streams[i]!;
      if (!isSeated || member.id === id) continue;
      if (!peers.find(member.id) || now - connectedAt > SILENCE) this.#missing.push(member.id);
    }
    return this.#missing.length > 0;
  }
}
