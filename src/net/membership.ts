import { Agreement, type VoterReport } from "./agreement.js";
import { endStream } from "./dropped-stream.js";
import { LastInputs } from "./last-inputs.js";
import { dropsOf, floorOf, isSilence, shortened } from "./next-roster.js";
import type { PeerCore } from "./peer-core.js";
import {
  isFinal,
  NOBODY,
  readRoster,
  rosterBytes,
  type Drop,
  type DropReason,
  type Member,
  type Roster,
} from "./roster.js";
import { canFollow } from "./roster-change.js";
import { SeatNames } from "./seat-names.js";
import { SeatRequests, type SeatRequestOptions } from "./seat-requests.js";
import { Stream } from "./stream.js";
import { readReport, reportBytes } from "./voter-report.js";

/** What the membership needs besides the core. */
export interface MembershipOptions extends SeatRequestOptions {
  /** Returns a random number from 0 to less than 1. */
  random(): number;
  /** Sends a message of the agreement to a member, directly or through others. */
  sendAgreement(to: Member, bytes: Uint8Array): void;
  /** The roster has changed. */
  adopted(before: Roster, streamsBefore: readonly Stream[]): void;
}

/** Ticks from a decision on a join or a pause to the tick it applies to: about the time that the agreement takes. */
const LEAD_SECONDS = 0.25;
/** Milliseconds between two messages of an agreement to each voter: in bursts of loss, some still get through. */
const AGREE_EVERY = 30;
/**
 * Milliseconds of silence after which a voter is not waited for in an agreement, if there are enough others: with few, a burst of
 * loss often looks like this, and two voters that take turns need longer than one.
 */
const DOUBT_AFTER = 200;
const MIN_DOUBTERS = 6;
/** Decisions that are kept for members that missed some. */
const HISTORY = 64;

/**
 * Who plays, and what is known of everybody's inputs. Each change is a decision that the voters agree on, so that all members
 * change it at the same tick, even if some die meanwhile.
 */
export class Membership {
  roster: Roster = NOBODY;
  /** One per member, in the roster's order. */
  streams: Stream[] = [];
  /** The stream of each seat. */
  readonly owners: (Stream | undefined)[];
  /** The tick from which each seat is absent, unless its owner's stream has begun. */
  readonly absentFrom: number[];
  /** The own stream, if this peer is a member. */
  own: Stream | undefined;
  /** The own inputs must not reach this tick before the members agree on what happens at it. */
  gate = Infinity;
  /** All members were heard lately, and know the last decision. Otherwise joins wait: a member may be gone. */
  isCalm = true;
  /** This peer has decided alone. If the other one goes on too, its game counts. */
  hasForced = false;
  /** Inputs that nobody sent are missing: a snapshot is needed. */
  isLost = false;
  readonly lastInputs: LastInputs;
  readonly requests: SeatRequests;
  readonly names = new SeatNames();
  readonly #core: PeerCore;
  readonly #options: MembershipOptions;
  #agreement: Agreement | undefined;
  /** Encoded decisions by epoch. */
  readonly #history = new Map<number, Uint8Array>();
  readonly #suspects = new Map<number, DropReason>();
  /** Peers that were dropped as their state differed. */
  readonly #differed = new Set<number>();
  /** Peers that were removed for good. */
  readonly #banned = new Set<number>();
  #voterCount = 0;
  /** What was known when this peer first reported in this epoch. */
  #reportedKnown = Infinity;
  #wantsPause: boolean | undefined;
  #now = 0;

  constructor(core: PeerCore, options: MembershipOptions) {
    const { players } = core.simulation;
    this.#core = core;
    this.#options = options;
    this.lastInputs = new LastInputs(core);
    this.requests = new SeatRequests(core, options);
    this.owners = Array.from({ length: players }, () => undefined);
    this.absentFrom = Array.from({ length: players }, () => 0);
  }

  get epoch(): number {
    return this.roster.epoch;
  }

  /**
   * The tick before which this peer vouches that it knows all inputs: ticks that a quorum vouches for are confirmed. It does not grow
   * during an agreement, so that nothing is confirmed beyond what this peer has reported.
   */
  get vouched(): number {
    return Math.min(this.known, this.#reportedKnown);
  }

  /** All inputs before this tick are known. Infinity if no seat is taken. */
  get known(): number {
    let known = Infinity;
    for (const stream of this.streams) if (stream.isSeated && stream.end < known) known = stream.end;
    known = Math.min(known, this.lastInputs.known);
    return this.isLost ? Math.min(known, this.#core.rollback.confirmed) : known;
  }

  /** Whether this peer votes. */
  get isVoter(): boolean {
    return this.own !== undefined && this.own.member.isVoter;
  }

  get isAgreeing(): boolean {
    return this.#agreement?.isActive === true;
  }

  indexOf(id: number): number {
    for (let i = 0; i < this.streams.length; i++) if (this.streams[i]!.member.id === id) return i;
    return -1;
  }

  streamOf(id: number): Stream | undefined {
    return this.streams[this.indexOf(id)];
  }

  isSuspected(id: number): boolean {
    return this.#suspects.has(id);
  }

  /** Why a member is suspected, if it is. */
  suspicionOf(id: number): DropReason | undefined {
    return this.#suspects.get(id);
  }

  /** The member that proposes decisions: the first voter that is not suspected. */
  get coordinator(): Member | undefined {
    return this.roster.members.find(({ id, isVoter }) => isVoter && !this.#suspects.has(id));
  }

  get isCoordinator(): boolean {
    return this.coordinator?.id === this.#core.id;
  }

  /** Begins a game with this peer as its only member. It is paused until it starts. */
  found(member: Member): void {
    this.adopt({ ...NOBODY, epoch: 1, members: [member], floors: [0], pausedAt: 0 });
  }

  /** Takes over a game whose state at `tick` was loaded. Returns how far each stream was known before, from that tick on. */
  join(roster: Roster, tick: number, absentFrom: readonly number[]): ReadonlyMap<Stream, number> {
    // A state that was loaded before may be newer, so that inputs between the two are not known.
    const isUseful = ({ first, member }: Stream) => first <= Math.max(tick, member.from);
    const ends = new Map(this.streams.filter(isUseful).map((stream) => [stream, stream.end]));
    this.isLost = this.hasForced = false;
    this.#history.clear();
    this.lastInputs.clear();
    absentFrom.forEach((from, seat) => (this.absentFrom[seat] = from));
    this.#replace(roster, tick);
    for (const stream of this.streams) {
      if ((ends.get(stream) ?? 0) >= tick) continue;
      stream.end = Math.max(stream.member.from, tick);
      // The snapshot has the inputs of one tick before it.
      stream.first = Math.max(stream.member.from, tick - 1);
    }
    return ends;
  }

  /** Says that a member is gone. */
  suspect(id: number, reason: DropReason): void {
    if (id === this.#core.id || !this.streamOf(id)) return;
    if (!this.#suspects.has(id) || !isSilence(reason)) this.#suspects.set(id, reason);
  }

  /** Says that a member is heard again. */
  unsuspect(id: number): void {
    const reason = this.#suspects.get(id);
    if (reason === undefined || !isSilence(reason)) return;
    this.#suspects.delete(id);
    const index = this.indexOf(id);
    if (index >= 0) this.#agreement?.unsuspect(index);
  }

  /** Whether the others have removed a peer for good. */
  isBanned(id: number): boolean {
    return this.#banned.has(id);
  }

  /** Asks for a pause, or for its end. */
  pause(isPaused: boolean): void {
    this.#wantsPause = isPaused;
  }

  get isPaused(): boolean {
    return this.roster.pausedAt >= 0;
  }

  /** The tick that is not stepped, as the game is paused. Infinity if it is not. */
  get stopTick(): number {
    const { pausedAt } = this.roster;
    return pausedAt < 0 ? Infinity : pausedAt;
  }

  /** Returns the decisions after an epoch, in order; undefined if some are no longer kept. */
  decisionsAfter(epoch: number): Uint8Array[] | undefined {
    const decisions: Uint8Array[] = [];
    for (let next = epoch + 1; next <= this.epoch; next++) {
      const bytes = this.#history.get(next);
      if (!bytes) return undefined;
      decisions.push(bytes);
    }
    return decisions;
  }

  /** Takes in a message of the agreement. Returns false if it is malformed. */
  receive(from: number, bytes: Uint8Array): boolean {
    const index = this.indexOf(from);
    if (index < 0 || !this.isVoter || this.#voterCount === 1) return false;
    // It is repeated.
    return !this.mayVote || this.#agree().receive(index, bytes);
  }

  /** Proposes what is due, and sends what the agreement has to say. */
  poll(now: number): void {
    this.#now = now;
    this.lastInputs.poll(now);
    this.requests.dropOld(now);
    if (!this.isVoter) return;
    if (this.#voterCount === 1) {
      if (this.#mayHaveWork && this.#hasWork()) this.#decideAlone(false);
      return;
    }
    if (!this.mayVote) return;
    if (this.#suspects.size > 0) {
      const agreement = this.#agree();
      for (const id of this.#suspects.keys()) agreement.suspect(this.indexOf(id));
    }
    if (this.#agreement && this.#voterCount >= MIN_DOUBTERS)
      this.streams.forEach((stream, index) => {
        if (stream !== this.own) this.#agreement!.doubt(index, now - stream.heardAt > DOUBT_AFTER);
      });
    // A decision replaces the agreement.
    if (this.#mayHaveWork && this.isCoordinator && this.#hasWork()) this.#agree().propose();
    this.#agreement?.poll(now);
  }

  /**
   * Whether this peer knows what the members of the last epoch may have confirmed. Otherwise a decision with its vote could cut that
   * off.
   */
  get mayVote(): boolean {
    if (this.lastInputs.areMissing) return false;
    for (const { isSeated, end, floor } of this.streams) if (isSeated && end < floor) return false;
    return true;
  }

  /** Decides without the other member of two, which is gone. */
  continueAlone(): void {
    this.#decideAlone(true);
  }

  #decideAlone(isForced: boolean): void {
    const suspects = new Set([...this.#suspects.keys()].map((id) => this.indexOf(id)));
    const own = this.streams.indexOf(this.own!);
    const reports = new Map([[own, { frozen: suspects, report: this.#freeze(suspects) }]]);
    this.adopt(this.#makeRoster(suspects, reports, isForced));
  }

  #agree(): Agreement {
    const members = this.roster.members;
    this.#agreement ??= new Agreement({
      epoch: this.epoch,
      members: members.length,
      voters: members.flatMap(({ isVoter }, index) => (isVoter ? [index] : [])),
      self: this.streams.indexOf(this.own!),
      interval: AGREE_EVERY,
      random: () => this.#options.random(),
      freeze: (frozen) => this.#freeze(frozen),
      makeValue: (suspects, reports) => rosterBytes(this.#makeRoster(suspects, reports, false)),
      isPossible: (value, isDecided) => this.#isPossible(value, isDecided),
      decided: (value) => this.adopt(readRoster(value, this.#core.simulation.players)!),
      send: (to, bytes) => this.#options.sendAgreement(members[to]!, bytes),
    });
    return this.#agreement;
  }

  /** Returns the next roster, as a peer has sent it; undefined if it is malformed or cannot follow the current one. */
  readNext(bytes: Uint8Array): Roster | undefined {
    const { simulation, rollback } = this.#core;
    const roster = readRoster(bytes, simulation.players);
    if (roster?.epoch !== this.epoch + 1) return undefined;
    // Others take the word of the voters: they may have lost track.
    return !this.isVoter || canFollow(this.roster, roster, rollback.confirmed) ? roster : undefined;
  }

  /** Whether a member may have proposed this, or say that it was decided. */
  #isPossible(value: Uint8Array, isDecided: boolean): boolean {
    const roster = this.readNext(value);
    if (!roster) return false;
    return !isDecided || roster.members.some(({ id }) => id === this.#core.id);
  }

  /** Stops taking in the inputs of some members, and reports how far they are known here. */
  #freeze(frozen: ReadonlySet<number>): Uint8Array {
    this.#reportedKnown = Math.min(this.#reportedKnown, this.known);
    for (const index of frozen) this.streams[index]!.isFrozen = true;
    return reportBytes(this.#core, frozen, (id) => this.#suspects.get(id) ?? "timeout");
  }

  // Proposals

  get #mayHaveWork(): boolean {
    return this.#suspects.size > 0 || this.#wantsPause !== undefined || this.requests.areThereAny;
  }

  /** Whether there is something to decide on. Only the coordinator asks: it turns down requests that cannot be granted. */
  #hasWork(): boolean {
    if (this.#suspects.size > 0) return true;
    if (this.#wantsPause !== undefined) {
      if (this.#wantsPause !== this.isPaused) return true;
      this.#wantsPause = undefined;
    }
    return this.isCalm && this.requests.isAnyGranted(this.#now);
  }

  #makeRoster(
    suspects: ReadonlySet<number>,
    voterReports: ReadonlyMap<number, VoterReport>,
    isForced: boolean,
  ): Roster {
    const { roster } = this;
    const reports = Array.from(voterReports.values(), ({ report }) => readReport(report));
    const remaining = roster.members.filter((_, index) => !suspects.has(index));
    const { pausedAt, from } = this.#changeTick();
    const joining = this.requests.joining(remaining, from, this.#now);
    const next: Roster = {
      epoch: roster.epoch + 1,
      members: [...remaining, ...joining],
      drops: dropsOf(roster, suspects, reports),
      floors: [
        ...remaining.map((member) => floorOf(roster, member, reports)),
        ...joining.map((member) => member.from),
      ],
      pausedAt,
      isForced,
    };
    return this.#voterCount === 1 ? next : shortened(next);
  }

  /** Chooses the tick at which a join or a pause applies. Nobody can know the inputs of that tick yet. */
  #changeTick(): { readonly pausedAt: number; readonly from: number } {
    const { rate } = this.#core.simulation;
    const newest = this.own!.isSeated
      ? this.own!.end
      : Math.max(this.#core.tick, ...this.streams.map(({ end }) => end));
    const soon = newest + Math.ceil((LEAD_SECONDS * rate[0]) / rate[1]);
    const before = this.roster.pausedAt;
    const wants = this.#wantsPause ?? this.isPaused;
    const pausedAt = wants ? (before >= 0 ? before : soon) : -1;
    const from = before >= 0 ? before : soon;
    // Until the others agree, the own inputs stop before it, so that no tick from there on is complete.
    if (pausedAt === soon || (before < 0 && this.requests.areThereAny))
      this.gate = Math.max(from, this.own!.end);
    return { pausedAt, from };
  }

  // Adoption

  /** Makes a roster the current one. */
  adopt(roster: Roster): void {
    this.#history.set(roster.epoch, rosterBytes(roster));
    this.#history.delete(roster.epoch - HISTORY);
    if (roster.isForced) this.hasForced = true;
    for (const drop of roster.drops) this.#drop(drop);
    this.#replace(roster, 0);
  }

  #drop(drop: Drop): void {
    const { id, cut, reason } = drop;
    const stream = this.streamOf(id);
    if (!stream) return;
    // A state can be repaired once: the member comes back with that of the others.
    if (isFinal(reason) || (reason === "desync" && this.#differed.has(id))) this.#banned.add(id);
    if (reason === "desync") this.#differed.add(id);
    if (reason !== "left" && !isFinal(reason))
      for (const seat of stream.member.seats) this.requests.keep(seat, id, this.#now);
    // Only others that decided without us can cut off what is confirmed here.
    if (cut < this.#core.rollback.confirmed) this.isLost = true;
    endStream(this.#core, stream, drop);
    this.lastInputs.add(stream, cut, this.#now);
  }

  #replace(roster: Roster, tick: number): void {
    const { id } = this.#core;
    const before = this.roster;
    const streamsBefore = this.streams;
    this.roster = roster;
    this.#voterCount = roster.members.filter(({ isVoter }) => isVoter).length;
    this.streams = roster.members.map(
      (member) =>
        streamsBefore.find(({ member: old }) => old.id === member.id && old.from === member.from) ??
        this.#beginStream(member, tick),
    );
    this.streams.forEach((stream, i) => {
      stream.isFrozen = false;
      stream.floor = roster.floors[i] ?? 0;
    });
    this.own = this.streamOf(id);
    this.owners.forEach((_, seat) => {
      this.owners[seat] = this.streams.find(({ member }) => member.seats.includes(seat));
    });
    this.gate = Infinity;
    this.#reportedKnown = Infinity;
    this.#agreement = undefined;
    for (const suspect of this.#suspects.keys()) if (!this.streamOf(suspect)) this.#suspects.delete(suspect);
    this.#options.adopted(before, streamsBefore);
  }

  /** Begins the stream of a new member. Its inputs before `tick` are part of a state that was loaded. */
  #beginStream(member: Member, tick: number): Stream {
    const { simulation, rollback, tick: now } = this.#core;
    const stream = new Stream(simulation.packing, member);
    stream.end = Math.max(tick, member.from);
    stream.heardAt = stream.progressAt = stream.connectedAt = this.#now;
    this.requests.onJoined(member);
    this.names.add(member);
    // A stream that began before the state that was loaded changes nothing.
    if (member.from < rollback.confirmed || member.seats.length === 0) return stream;
    for (const seat of member.seats)
      for (let t = member.from; t < now; t++) rollback.log.setAbsent(t, seat, false);
    rollback.invalidate(member.from);
    return stream;
  }
}
