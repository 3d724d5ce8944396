import type { Peer } from "../peer.js";
import type { PeerCore } from "../peer-core.js";
import { LOG_TICKS } from "../seat-log.js";
import { SeatNames } from "../seat-names.js";
import {
  isFinal,
  isSame,
  isTick,
  NOBODY,
  type Departed,
  type DropReason,
  type Member,
  type Roster,
} from "./roster.js";
import type { SeatRequests } from "./seat-requests.js";
import { Stream, type Leave } from "./stream.js";

/** What happens when the roster has changed. */
export type Adopted = (before: Roster, streamsBefore: readonly Stream[]) => void;

/** Milliseconds of silence of the host after which others may say how far its word goes. */
const SILENCE = 200;

/** Who plays, what is known of everybody's inputs, and which ticks are certain. docs/netcode.md states the rules. */
export class Membership {
  roster: Roster = NOBODY;
  /** One per member, in the roster's order; then one per departed member. */
  streams: Stream[] = [];
  /** The stream of each seat. */
  readonly owners: (Stream | undefined)[];
  /** The tick from which each seat is absent, unless its owner's stream has begun. */
  readonly absentFrom: number[];
  /** The own stream, if this peer is a member. */
  own: Stream | undefined;
  /** Inputs that nobody sends are missing: a snapshot is needed. */
  isLost = false;
  /** The succession that this peer has answered, and its candidate. It ignores older rosters from then on. */
  promised = 0;
  candidate = 0;
  readonly requests: SeatRequests;
  readonly names = new SeatNames();
  readonly #core: PeerCore;
  readonly #adopted: Adopted;
  /** The host's word: the inputs and absences of all ticks before it are final. */
  #word = 0;
  /** What was had when this peer answered a succession. */
  #frozen = 0;
  /** Others say that all ticks before it are certain. */
  #certain = 0;
  /** Before these ticks, the inputs of a seat are those of members that are no longer listed. */
  readonly #settled: number[];
  /** How far each member has both inputs and word, as far as this one knows. */
  readonly #haves: number[] = [];
  /** When the last stay of this peer that has ended began. */
  #ended = -1;
  /** Peers that were dropped as their state differed; and those that may not come back. */
  readonly #differed = new Set<number>();
  readonly #banned = new Set<number>();

  constructor(core: PeerCore, requests: SeatRequests, adopted: Adopted) {
    const { players } = core.simulation;
    this.#core = core;
    this.#adopted = adopted;
    this.requests = requests;
    this.owners = Array.from({ length: players }, () => undefined);
    this.absentFrom = Array.from({ length: players }, () => 0);
    this.#settled = [...this.absentFrom];
  }

  get epoch(): number {
    return this.roster.epoch;
  }

  /** Whether this peer decides who takes part. */
  get isHost(): boolean {
    return this.own !== undefined && this.own === this.streams[0];
  }

  get isPaused(): boolean {
    return this.roster.pausedAt >= 0;
  }

  /** The tick that is not stepped, as the game is paused. Infinity if it is not. */
  get stopTick(): number {
    const { pausedAt } = this.roster;
    return pausedAt < 0 ? Infinity : pausedAt;
  }

  /** The place of a member in the roster; -1 if it is none. */
  indexOf(id: number): number {
    const { length } = this.roster.members;
    for (let i = 0; i < length; i++) if (this.streams[i]!.member.id === id) return i;
    return -1;
  }

  streamOf(id: number): Stream | undefined {
    return this.streams[this.indexOf(id)];
  }

  /** The stream with a peer's inputs of a tick: it may have taken part more than once. */
  streamAt(id: number, tick: number): Stream | undefined {
    return this.streams.find(({ member, until }) => member.id === id && member.from <= tick && tick < until);
  }

  /** Whether a peer has departed whose last inputs others may pass on. */
  isDeparted(id: number): boolean {
    return this.roster.departed.some((member) => member.id === id);
  }

  /** Whether the others have removed a peer for good. */
  isBanned(id: number): boolean {
    return this.#banned.has(id);
  }

  /** Notes why a member is gone. */
  markGone(id: number, reason: DropReason): void {
    if (id !== this.#core.id) this.streamOf(id)?.markGone(reason);
  }

  /** Whether two play alone: then what both have follows from what they acknowledge. */
  get isPlain(): boolean {
    const { streams } = this;
    return (
      this.roster.isStar &&
      this.roster.members.length === 2 &&
      streams.length === 2 &&
      streams.every(({ isSeated }) => isSeated) &&
      this.own !== undefined
    );
  }

  /** A member leaves. Its last packet has said what it had. */
  onLeave({ id, epoch, have }: Peer, body: unknown): void {
    this.markGone(id, "left");
    const stream = this.streamOf(id);
    const [promised, candidate] = Array.isArray(body) ? (body as unknown[]) : [];
    if (stream && isTick(promised) && isTick(candidate)) stream.left = { epoch, have, promised, candidate };
  }

  /** The members that count in a decision about the roster: those that have left do not. */
  get voters(): readonly Stream[] {
    const { length } = this.roster.members;
    // One of two has confirmed nothing without the other, so that it does not matter that it has lost its memory.
    const isOut = ({ left, gone }: Stream) =>
      left ? !this.#isBound(left) : gone === "restarted" && length === 2;
    return this.streams.slice(0, length).filter((stream) => !isOut(stream));
  }

  /** Whether a member that has left counts as a silent one: it had a newer roster, or has answered a candidate that may still begin. */
  #isBound({ epoch, promised, candidate }: Leave): boolean {
    if (epoch > this.epoch) return true;
    if (promised <= Math.max(epoch, this.roster.since)) return false;
    const itsLeave = this.streams.find(({ member }) => member.id === candidate)?.left;
    return !itsLeave || itsLeave.epoch >= promised;
  }

  /** Whether the roster lists this peer for a stay that has ended. */
  get isRevived(): boolean {
    return !this.own && this.indexOf(this.#core.id) >= 0;
  }

  // Certainty

  /** All inputs before this tick are known. Infinity if no seat is taken. */
  get known(): number {
    let known = Infinity;
    for (const { isSeated, isOpen, end } of this.streams) if (isSeated && isOpen && end < known) known = end;
    return this.isLost ? Math.min(known, this.#core.rollback.confirmed) : known;
  }

  /** Whether this peer has answered a candidate, and waits for its roster. */
  get isPending(): boolean {
    return this.promised > this.roster.epoch;
  }

  /** How far this peer has both the inputs and the host's word. The host gives its word with it. */
  get have(): number {
    if (this.isPending) return this.#frozen;
    if (!this.isHost) return Math.min(this.known, this.#word);
    // Members may still join at the tick of a pause, or while nobody plays.
    return Math.min(this.known === Infinity ? this.#core.tick : this.known, this.stopTick);
  }

  /** Answers a succession. What this peer says that it has does not grow until the successor's roster arrives. */
  promise(number: number, candidate: number): void {
    if (!this.isPending) this.#frozen = this.have;
    this.promised = number;
    this.candidate = candidate;
  }

  /** Takes what a member says: how far it has inputs and word, and which ticks are certain. */
  hear(peer: Peer, index: number, have: number, certain: number, now: number): void {
    if (have > peer.have) peer.have = have;
    if (certain > this.#certain) this.#certain = certain;
    if (index === 0 || now - this.streams[0]!.heardDirectlyAt > SILENCE)
      this.#word = Math.max(this.#word, have, certain);
  }

  /** All ticks before this one are certain: whatever happens, they stay as they are. */
  get certain(): number {
    const { known } = this;
    const told = Math.min(known, this.#certain);
    if (!this.own) return told;
    // Of two, the other one may have to go on alone.
    const { isStar, members } = this.roster;
    return Math.max(told, Math.min(known, isStar && members.length !== 2 ? this.have : this.#quorumHas()));
  }

  /** The tick before which more than half of the members have all inputs and the host's word. */
  #quorumHas(): number {
    const haves = this.#haves;
    const { length } = this.roster.members;
    for (let i = 0; i < length; i++) haves[i] = this.#haveOf(i);
    let best = 0;
    for (let i = 0; i < length; i++) {
      let count = 0;
      for (let j = 0; j < length; j++) if (haves[j]! >= haves[i]!) count++;
      if (2 * count > length && haves[i]! > best) best = haves[i]!;
    }
    return best;
  }

  #haveOf(index: number): number {
    const stream = this.streams[index]!;
    if (stream === this.own) return this.have;
    return index === 0 ? this.#word : (this.#core.peers.find(stream.member.id)?.have ?? 0);
  }

  // Rosters

  /** Begins a game with this peer as its only member. It is paused until it starts. */
  found(member: Member): void {
    this.adopt({ ...NOBODY, epoch: 1, since: 1, members: [member], pausedAt: 0 });
  }

  /** Leaves the game of the others, and continues it as one of its own. */
  continueAlone(): void {
    const { roster, own, streams } = this;
    const epoch = Math.max(roster.epoch, this.promised) + 1;
    const others = streams.slice(0, roster.members.length).filter((stream) => stream !== own);
    this.adopt({
      ...roster,
      epoch,
      since: epoch,
      begin: this.have,
      members: [own!.member],
      departed: [
        ...roster.departed.map((member, i) => ({
          ...member,
          until: Math.min(member.until, streams[roster.members.length + i]!.end),
        })),
        ...others.map((stream) => departed(stream, stream.gone ?? "timeout")),
      ],
      isStar: true,
    });
  }

  /** The oldest state from which others can continue: all inputs after it are of members that are listed. */
  get oldest(): number {
    return Math.max(0, ...this.#settled);
  }

  /** Makes a roster the current one. */
  adopt(roster: Roster): void {
    const { roster: before, streams } = this;
    if (roster.since !== before.since) {
      // What the last host said after this is no longer certain, and nobody has said yet what it has of this one's.
      this.#word = roster.begin;
      for (const peer of this.#core.peers.all) peer.have = 0;
    }
    this.#replace(roster, 0);
    for (const member of roster.departed)
      if (!before.departed.some((old) => isSame(old, member))) this.#part(member);
    this.#adopted(before, streams);
  }

  /** Takes over a game whose state at `tick` was loaded. Returns how far each stream was known before, from that tick on. */
  join(roster: Roster, tick: number, absentFrom: readonly number[]): ReadonlyMap<Stream, number> {
    // A state that was loaded before may be newer, so that inputs between the two are not known.
    const isUseful = ({ first, member }: Stream) => first <= Math.max(tick, member.from);
    const ends = new Map(this.streams.filter(isUseful).map((stream) => [stream, stream.end]));
    const { roster: before, streams } = this;
    absentFrom.forEach((from, seat) => (this.absentFrom[seat] = from));
    this.#settled.fill(0);
    for (const peer of this.#core.peers.all) peer.have = 0;
    this.#word = this.#certain = Math.max(tick, roster.begin);
    this.#replace(roster, tick);
    // Stays in a game that this peer has left do not matter in the next one.
    if (roster === NOBODY) this.#ended = -1;
    this.isLost = false;
    for (const stream of this.streams) {
      if ((ends.get(stream) ?? 0) >= tick) continue;
      stream.end = Math.min(stream.until, Math.max(stream.member.from, tick));
      // The snapshot has the inputs of one tick before it.
      stream.first = Math.max(stream.member.from, tick - 1);
    }
    this.#adopted(before, streams);
    return ends;
  }

  #replace(roster: Roster, tick: number): void {
    const { id, now } = this.#core;
    const time = now();
    const old = this.streams;
    const keep = (member: Member) =>
      old.find((stream) => isSame(stream.member, member)) ?? this.#begin(member, tick, time);
    this.roster = roster;
    this.streams = [...roster.members, ...roster.departed].map(keep);
    // A host that was not followed may have dropped some of them.
    roster.members.forEach((_, i) => (this.streams[i]!.until = Infinity));
    roster.departed.forEach(({ until }, i) => this.#cut(this.streams[roster.members.length + i]!, until));
    for (const stream of old) if (!this.streams.includes(stream)) this.#forget(stream);
    for (const stream of this.streams) stream.progressAt = time;
    const own = this.streamOf(id);
    if (this.own && own !== this.own) this.#ended = this.own.member.from;
    // A successor may not know that this peer was dropped: its inputs since then are discarded, so that it cannot go on.
    this.own = own && own.member.from > this.#ended ? own : undefined;
    this.owners.forEach((_, seat) => {
      const index = roster.members.findIndex(({ seats }) => seats.includes(seat));
      this.owners[seat] = this.streams[index];
      this.#markAbsence(seat);
    });
  }

  /** Begins the stream of a new member. Its inputs before `tick` are part of a state that was loaded. */
  #begin(member: Member, tick: number, now: number): Stream {
    const stream = new Stream(this.#core.simulation.packing, member, now);
    stream.end = Math.max(tick, member.from);
    this.requests.onJoined(member);
    this.names.add(member);
    if (tick === 0 && member.from < this.#core.rollback.confirmed) this.isLost = true;
    return stream;
  }

  /** Ends the stream of a departed member. */
  #cut(stream: Stream, until: number): void {
    // Only a host that decided without us can cut off what is certain here.
    if (until < Math.min(stream.until, this.#core.rollback.confirmed) && stream.isSeated) this.isLost = true;
    const { seats } = stream.member;
    for (let t = until; t < stream.end; t++) this.#core.rollback.log.setCommands(t, seats, []);
    stream.until = until;
    stream.end = Math.min(stream.end, until);
    for (const seat of seats) this.absentFrom[seat] = Math.max(this.absentFrom[seat]!, until);
  }

  /** Notes that a member has departed. */
  #part({ id, seats, reason }: Departed): void {
    // A state can be repaired once: the member comes back with that of the others.
    if (isFinal(reason) || (reason === "desync" && this.#differed.has(id))) this.#banned.add(id);
    if (reason === "desync") this.#differed.add(id);
    if (reason !== "left" && !isFinal(reason))
      for (const seat of seats) this.requests.keep(seat, id, this.#core.now());
  }

  /** A stream is no longer listed, as all members have it; or this peer has missed how it ended. */
  #forget({ isSeated, isOpen, until, member }: Stream): void {
    if (isSeated && isOpen) this.isLost = true;
    else for (const seat of member.seats) this.#settled[seat] = Math.max(this.#settled[seat]!, until);
  }

  /** Writes down in which ticks a seat is absent. */
  #markAbsence(seat: number): void {
    const { rollback, tick, simulation } = this.#core;
    const { log, confirmed } = rollback;
    const streams = this.streams.filter(({ member }) => member.seats.includes(seat));
    const none = new Uint32Array(simulation.packing.words);
    const known = Math.max(tick, this.absentFrom[seat]!, ...streams.map((stream) => stream.end));
    const end = Math.min(known, tick + LOG_TICKS / 2);
    for (let t = Math.max(confirmed, this.#settled[seat]!); t < end; t++) {
      const isAbsent = !streams.some(({ member, until }) => member.from <= t && t < until);
      if (!log.setAbsent(t, seat, isAbsent)) continue;
      rollback.invalidate(t);
      if (!isAbsent) continue;
      log.writeSeat(t, seat, none, 0);
      log.setCommands(t, [seat], []);
    }
  }
}

/** Returns the entry of a member that departs: its inputs count as far as they are known here. */
export const departed = ({ member, end }: Stream, reason: DropReason): Departed => ({
  ...member,
  until: end,
  reason,
});
