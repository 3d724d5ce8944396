import type { PeerCore } from "../peer-core.js";
import type { MemberWatch } from "./member-watch.js";
import { departed, type Membership } from "./membership.js";
import { isProof, type Departed, type DropReason, type Member } from "./roster.js";
import type { Stream } from "./stream.js";

/** Seconds from a change to the tick from which a new member plays or the game is paused: about the time in which all hear of it. */
const LEAD_SECONDS = 0.25;
/** Milliseconds between two looks for reasons to change the roster. Packets tell epochs by five bits, so changes are few. */
const POLL_EVERY = 30;
const CHANGE_EVERY = 100;
/** Seconds for which those that have departed stay listed: states that others load are never so old. */
const KEPT_SECONDS = 5;
/** Milliseconds for which a witness must have been heard without a gap. */
const SILENCE = 350;

/**
 * What the host of a game decides: who is dropped, who gets seats, whether the game is paused. Each change is a roster that it begins to
 * use at once.
 *
 * In a mesh, one member is dropped or admitted at a time, and the next change waits until more than half of the members have the last
 * roster, and what was final before it. Majorities of two such rosters always share a member, so that any successor learns of both.
 */
export class Host {
  readonly #core: PeerCore;
  readonly #members: Membership;
  readonly #watch: MemberWatch;
  #wantsPause: boolean | undefined;
  #polledAt = -Infinity;
  #changedAt = -Infinity;
  /** The host's word when the roster was made. */
  #word = 0;

  constructor(core: PeerCore, members: Membership, watch: MemberWatch) {
    this.#core = core;
    this.#members = members;
    this.#watch = watch;
  }

  /** Asks for a pause, or for its end. */
  pause(isPaused: boolean): void {
    this.#wantsPause = isPaused;
  }

  /** The roster has changed. */
  adopted(): void {
    this.#word = this.#members.have;
  }

  /** Changes the roster if there is a reason to. */
  poll(now: number): void {
    const { isHost, isPending, roster } = this.#members;
    if (!isHost || isPending || now - this.#polledAt < POLL_EVERY) return;
    this.#polledAt = now;
    if (!this.#mayChange(now) || !(roster.isStar || this.#isEstablished)) return;
    const drops = this.#drops(now);
    if (drops.length === 0 && now - this.#changedAt < CHANGE_EVERY) return;
    const { pausedAt, from } = this.#changeTick();
    const joining = drops.length > 0 && !roster.isStar ? [] : this.#joining(drops, from, now);
    const isStar = roster.isStar && !this.#isMesh;
    const departed = this.#departed(drops);
    const isPruned = departed.length < roster.departed.length + drops.length;
    if (
      drops.length + joining.length === 0 &&
      pausedAt === roster.pausedAt &&
      isStar === roster.isStar &&
      !isPruned
    )
      return;
    this.#changedAt = now;
    this.#members.adopt({
      ...roster,
      epoch: roster.epoch + 1,
      // In a star, the word of the host was enough until now.
      begin: isStar === roster.isStar ? roster.begin : this.#members.have,
      members: [
        ...roster.members.filter(({ id }) => drops.every(({ member }) => member.id !== id)),
        ...joining,
      ],
      departed,
      pausedAt,
      isStar,
    });
  }

  /** Whether there may be a reason to change the roster. Nearly always, there is none. */
  #mayChange(now: number): boolean {
    const { roster, requests, streams } = this.#members;
    if (this.#wantsPause !== undefined || requests.areThereAny || roster.departed.length > 0) return true;
    if (roster.isStar && roster.members.length > 2) return true;
    for (let i = 1; i < roster.members.length; i++)
      if (this.#watch.reasonToDrop(streams[i]!, now) !== undefined) return true;
    return false;
  }

  /** Whether more than half of the members have the roster, and what was final before it. */
  get #isEstablished(): boolean {
    const { own, voters } = this.#members;
    const established = voters.filter((stream) => stream === own || this.#has(stream.member.id, this.#word));
    return 2 * established.length > voters.length;
  }

  /** Whether a member has the roster, and all inputs before a tick. */
  #has(id: number, tick: number): boolean {
    const peer = this.#core.peers.find(id);
    return peer !== undefined && peer.epoch === this.#members.epoch && peer.have >= tick;
  }

  /** Whether two members that do not host hear each other. */
  get #isMesh(): boolean {
    const { roster, streams } = this.#members;
    return (
      roster.members[0]!.seats.length > 0 &&
      roster.members.length > 2 &&
      this.#core.peers.all.some(({ id, hears }) => {
        const index = this.#members.indexOf(id);
        return (
          index > 0 && streams.some((_, i) => i > 0 && i !== index && i < roster.members.length && hears[i])
        );
      })
    );
  }

  // Who goes

  #drops(now: number): Stream[] {
    const { roster, streams } = this.#members;
    const drops: Stream[] = [];
    for (let i = 1; i < roster.members.length; i++) {
      const stream = streams[i]!;
      const reason = this.#watch.reasonToDrop(stream, now);
      if (reason === undefined || !(isProof(reason) || this.#hasWitness(stream, now))) continue;
      drops.push(stream);
      if (!roster.isStar) break;
    }
    return drops;
  }

  /**
   * Whether this peer can tell that a member is gone, and not itself: it hears enough others, and one of them all the time. What anybody
   * hears of a member counts as heard here.
   */
  #hasWitness(silent: Stream, now: number): boolean {
    const { roster, own, voters } = this.#members;
    if (roster.isStar || roster.members.length === 2) return true;
    const isWitness = (stream: Stream) =>
      stream !== own &&
      stream !== silent &&
      stream.gone === undefined &&
      now - stream.heardDirectlyAt < SILENCE &&
      now - stream.heardSince > SILENCE;
    return this.#watch.hearsMajority(now, 1) && voters.some(isWitness);
  }

  /** Those that have departed, without those whose inputs all members have, as have those that have just loaded a state. */
  #departed(drops: readonly Stream[]): Departed[] {
    const { roster } = this.#members;
    const { rate } = this.#core.simulation;
    const kept = Math.ceil((KEPT_SECONDS * rate[0]) / rate[1]);
    const isKept = ({ until }: Departed) => drops.length > 0 || !this.#haveAll(until + kept);
    return [
      ...roster.departed.filter(isKept),
      ...drops.map((stream) => departed(stream, this.#reasonOf(stream))),
    ];
  }

  #reasonOf(stream: Stream): DropReason {
    return this.#watch.reasonToDrop(stream, this.#core.now()) ?? "timeout";
  }

  /** Whether all members have all inputs before a tick. */
  #haveAll(tick: number): boolean {
    const { roster, have, streams, own } = this.#members;
    if (have < tick) return false;
    return roster.members.every(({ id }, i) => streams[i] === own || this.#has(id, tick));
  }

  // Who comes

  #joining(drops: readonly Stream[], from: number, now: number): Member[] {
    const { roster, requests } = this.#members;
    if (!requests.areThereAny) return [];
    const remaining = roster.members.filter((_, i) => !drops.includes(this.#members.streams[i]!));
    const joining = requests.joining(remaining, from, now);
    return roster.isStar ? joining : joining.slice(0, 1);
  }

  /** Chooses the tick at which a join or a pause applies. The host has given its word for no tick from there on. */
  #changeTick(): { readonly pausedAt: number; readonly from: number } {
    const { roster, own, streams, isPaused } = this.#members;
    const { rate } = this.#core.simulation;
    const newest = own!.isSeated ? own!.end : Math.max(this.#core.tick, ...streams.map(({ end }) => end));
    const soon = newest + Math.ceil((LEAD_SECONDS * rate[0]) / rate[1]);
    const wants = this.#wantsPause ?? isPaused;
    this.#wantsPause = undefined;
    const from = isPaused ? roster.pausedAt : soon;
    return { pausedAt: wants ? from : -1, from };
  }
}
