import { Agreement, type VoterReport } from "./agreement.js";
import { BitReader, BitWriter } from "./bits.js";
import { LastInputs } from "./last-inputs.js";
import type { SeatRequest } from "./messages.js";
import type { PeerCore } from "./peer-core.js";
import {
  fromText,
  isFinal,
  isTick,
  NOBODY,
  REASONS,
  readRoster,
  rosterBytes,
  toText,
  type Drop,
  type DropReason,
  type Member,
  type Roster,
} from "./roster.js";
import { canFollow } from "./roster-change.js";
import { Stream } from "./stream.js";

/** What the membership needs besides the core. */
export interface MembershipOptions {
  /** Milliseconds for which the seat of a dropped member is kept for it. */
  readonly keepSeat: number;
  /** Returns a random number from 0 to less than 1. */
  random(): number;
  /** Sends a message of the agreement to a member, on any way. */
  sendAgreement(to: Member, bytes: Uint8Array): void;
  /** Tells a peer that its request for seats was turned down. */
  refuse(request: SeatRequest, code: "seat taken" | "game full"): void;
  /** The roster has changed. */
  adopted(before: Roster, streamsBefore: readonly Stream[]): void;
}

/** Ticks from a decision on a join or a pause to the tick it applies to: about the time that the agreement takes. */
const LEAD_SECONDS = 0.25;
/** Milliseconds between two messages of an agreement to each voter: in bursts of loss, some still get through. */
const AGREE_EVERY = 30;
/** Most members without a relay. */
const MAX_MESH = 8;
/** Names of players that are kept, those that left included. */
const MAX_SITTERS = 256;
/** Decisions that are kept for members that missed some. */
const HISTORY = 64;
/** Ticks of inputs in a report, if they fit. */
const REPORTED_TICKS = 128;
const MAX_REPORT = 380;
const MAX_VALUE = 980;
/** Milliseconds for which a request for seats is remembered. The peer repeats it. */
const REQUEST_AGE = 3000;

/** Whether a reason only means that nobody hears the member. It may turn out to be there. */
const isSilence = (reason: DropReason): boolean => reason === "timeout" || reason === "closed";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What a voter reports: how far it knows the inputs of each member, and more about those that are suspected. */
interface Report {
  readonly ends: readonly number[];
  readonly suspects: ReadonlyMap<number, StreamReport>;
}

/** How far a voter knows the inputs of a member, and the newest of them. */
interface StreamReport {
  /** Why the voter suspects it. */
  readonly reason: DropReason;
  readonly end: number;
  readonly first: number;
  readonly rows: Uint8Array;
}

/**
 * Who plays, and what is known of everybody's inputs. Each change is a decision that the voters agree on, so that all members
 * change it at the same tick, whoever dies meanwhile.
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
  readonly #core: PeerCore;
  readonly #options: MembershipOptions;
  readonly #reader = new BitReader();
  readonly #writer = new BitWriter(1000);
  #agreement: Agreement | undefined;
  /** Encoded decisions by epoch. */
  readonly #history = new Map<number, Uint8Array>();
  readonly #suspects = new Map<number, DropReason>();
  readonly #requests = new Map<number, { readonly request: SeatRequest; readonly at: number }>();
  /** Seats that are kept for members that were dropped. */
  readonly #kept = new Map<number, { readonly id: number; readonly until: number }>();
  /** Who has taken seats, in order. */
  readonly #sitters: { readonly seat: number; readonly from: number; readonly name: string }[] = [];
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
    this.owners = Array.from({ length: players }, () => undefined);
    this.absentFrom = Array.from({ length: players }, () => 0);
  }

  get epoch(): number {
    return this.roster.epoch;
  }

  /**
   * All inputs before this tick count as known when ticks are confirmed. While the members agree, it does not grow: what is
   * confirmed must not be more than what this peer has reported.
   */
  get standing(): number {
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

  /** The name of the peer that had a seat in a tick; "" for none. */
  nameAt(seat: number, tick: number): string {
    let name = "";
    for (const sitter of this.#sitters) if (sitter.seat === seat && sitter.from <= tick) name = sitter.name;
    return name;
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

  /** Takes over a game whose state at `tick` was loaded. Returns how far each stream was known before. */
  join(roster: Roster, tick: number, absentFrom: readonly number[]): ReadonlyMap<Stream, number> {
    const ends = new Map(this.streams.map((stream) => [stream, stream.end]));
    this.isLost = this.hasForced = false;
    this.#history.clear();
    this.lastInputs.clear();
    absentFrom.forEach((from, seat) => (this.absentFrom[seat] = from));
    this.#replace(roster, tick);
    for (const stream of this.streams) {
      if ((ends.get(stream) ?? 0) >= tick) continue;
      stream.end = Math.max(stream.end, tick);
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

  /** Notes a request for seats. The coordinator decides on it. */
  request(request: SeatRequest): void {
    if (this.#requests.size < 64 || this.#requests.has(request.id))
      this.#requests.set(request.id, { request, at: this.#now });
  }

  /** Asks for a pause, or for its end. */
  pause(isPaused: boolean): void {
    this.#wantsPause = isPaused;
  }

  get isPaused(): boolean {
    return this.roster.pausedAt >= 0;
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
    if (this.#requests.size > 0)
      for (const [id, { at }] of this.#requests) if (now - at > REQUEST_AGE) this.#requests.delete(id);
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

  // Reports

  /** Stops taking in the inputs of some members, and reports how far they are known here. */
  #freeze(frozen: ReadonlySet<number>): Uint8Array {
    this.#reportedKnown = Math.min(this.#reportedKnown, this.known);
    const reports: unknown[] = [this.streams.map(({ end }) => end)];
    const isTooLong = () => encoder.encode(JSON.stringify(reports)).length > MAX_REPORT;
    for (const index of frozen) {
      const stream = this.streams[index]!;
      stream.isFrozen = true;
      const { end, member } = stream;
      const place = reports.push(0) - 1;
      // The more rows, the fewer members miss some that come before. Without rows, these need a snapshot.
      for (const ticks of [REPORTED_TICKS, end - this.#core.rollback.confirmed, 0]) {
        const first = this.#afterCommands(stream, Math.max(member.from, end - Math.max(0, ticks)));
        const rows = ticks > 0 ? toText(this.#rowsOf(stream, first)) : "";
        reports[place] = [
          index,
          end,
          first,
          rows,
          REASONS.indexOf(this.#suspects.get(member.id) ?? "timeout"),
        ];
        if (!isTooLong()) break;
      }
    }
    return encoder.encode(JSON.stringify(reports));
  }

  /** Returns the first tick from `first` on after which a stream has no more commands. */
  #afterCommands({ end, member }: Stream, first: number): number {
    const { log } = this.#core.rollback;
    if (!log.isCommanded) return first;
    for (let tick = end - 1; tick >= first; tick--) if (log.hasCommands(tick, member.seats)) return tick + 1;
    return first;
  }

  /** Codes the inputs from a tick to the end of a stream. */
  #rowsOf({ rows, end }: Stream, first: number): Uint8Array {
    this.#writer.reset();
    rows.writeFrom(this.#writer, this.#core.rollback.log, first, end);
    return this.#writer.isFull ? new Uint8Array(0) : this.#writer.bytes().slice();
  }

  #readReport(bytes: Uint8Array): Report {
    const found = new Map<number, StreamReport>();
    let data: unknown;
    try {
      data = JSON.parse(decoder.decode(bytes));
    } catch {
      return { ends: [], suspects: found };
    }
    const [ends, ...items] = Array.isArray(data) ? (data as unknown[]).slice(0, 65) : [];
    for (const item of items) {
      const [index, end, first, text, code] = Array.isArray(item) ? (item as unknown[]) : [];
      const rows = typeof text === "string" ? fromText(text) : undefined;
      if (isTick(index) && isTick(end) && isTick(first) && first <= end && rows)
        found.set(index, { end, first, rows, reason: REASONS[code as number] ?? "timeout" });
    }
    return { ends: Array.isArray(ends) && ends.every(isTick) ? ends : [], suspects: found };
  }

  // Proposals

  get #mayHaveWork(): boolean {
    return this.#suspects.size > 0 || this.#wantsPause !== undefined || this.#requests.size > 0;
  }

  /** Whether there is something to decide on. Only the coordinator asks: it turns down requests that cannot be granted. */
  #hasWork(): boolean {
    if (this.#suspects.size > 0) return true;
    if (this.#wantsPause !== undefined) {
      if (this.#wantsPause !== this.isPaused) return true;
      this.#wantsPause = undefined;
    }
    if (this.isCalm)
      for (const { request } of this.#requests.values()) if (this.#seatsFor(request)) return true;
    return false;
  }

  /** Returns the seats that a request gets, or undefined. Turns down what cannot be granted. */
  #seatsFor(request: SeatRequest): readonly number[] | undefined {
    const { id, seats, count } = request;
    const member = this.streamOf(id);
    if (member) {
      // It came back before anyone noticed that it was gone. If it sits already, nothing is to be done.
      return undefined;
    }
    const isFree = (seat: number): boolean => {
      const kept = this.#kept.get(seat);
      return !this.owners[seat] && !(kept && kept.id !== id && kept.until > this.#now);
    };
    const all = this.owners.map((_, seat) => seat);
    const kept = all.filter((seat) => isFree(seat) && this.#kept.get(seat)?.id === id);
    const free = [...kept, ...all.filter((seat) => isFree(seat) && !kept.includes(seat))];
    const granted = seats.length > 0 ? seats.filter(isFree) : free.slice(0, count);
    // A mesh of more would send too much, and its agreements would not fit into messages. Beyond that, a relay is needed.
    const isMesh = this.roster.members[0]!.seats.length > 0;
    const hasRoom = !isMesh || this.roster.members.length < MAX_MESH;
    if (hasRoom && granted.length === Math.max(seats.length, count) && granted.length > 0)
      return [...granted].sort((a, b) => a - b);
    this.#requests.delete(id);
    const isFull = !hasRoom || this.owners.every((owner) => owner !== undefined);
    this.#options.refuse(request, isFull ? "game full" : "seat taken");
    return undefined;
  }

  #makeRoster(
    suspects: ReadonlySet<number>,
    reports: ReadonlyMap<number, VoterReport>,
    isForced: boolean,
  ): Roster {
    const { roster } = this;
    const known = [...reports.values()].map(({ report }) => this.#readReport(report));
    const drops: Drop[] = [];
    for (const index of suspects) {
      const member = roster.members[index]!;
      let best: StreamReport | undefined;
      for (const report of known) {
        const found = report.suspects.get(index);
        if (found && (!best || found.end > best.end || (found.end === best.end && found.rows.length > 0)))
          best = found;
      }
      const cut = Math.max(member.from, best?.end ?? 0);
      const reason = this.#reasonFor(index, known);
      const first = best && best.rows.length > 0 ? best.first : cut;
      drops.push({ id: member.id, reason, cut, first, rows: best?.rows ?? new Uint8Array(0) });
    }
    const remaining = roster.members.filter((_, index) => !suspects.has(index));
    const { pausedAt, from } = this.#changeTick();
    const joined = this.#joined(remaining, from);
    const make = (list: readonly Drop[]): Roster => ({
      epoch: roster.epoch + 1,
      members: [...remaining, ...joined],
      floors: [
        ...remaining.map((member) => this.#floorOf(member, known)),
        ...joined.map((member) => member.from),
      ],
      drops: list,
      pausedAt,
      isForced,
    });
    const whole = make(drops);
    if (this.#voterCount === 1 || rosterBytes(whole).length <= MAX_VALUE) return whole;
    return make(drops.map((drop) => ({ ...drop, first: drop.cut, rows: new Uint8Array(0) })));
  }

  /** Why a member is dropped: what one of those that decide knows is better than silence. */
  #reasonFor(index: number, reports: readonly Report[]): DropReason {
    let reason: DropReason = "timeout";
    for (const { suspects } of reports) {
      const given = suspects.get(index)?.reason ?? "timeout";
      if (isSilence(reason) && given !== "timeout") reason = given;
    }
    return reason;
  }

  /** The tick up to which one of those that decide knows the inputs of a member that stays. */
  #floorOf(member: Member, reports: readonly Report[]): number {
    const index = this.roster.members.indexOf(member);
    return reports.reduce((floor, { ends }) => Math.max(floor, ends[index] ?? 0), member.from);
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
    if (pausedAt === soon || (before < 0 && this.#requests.size > 0))
      this.gate = Math.max(from, this.own!.end);
    return { pausedAt, from };
  }

  #joined(remaining: readonly Member[], from: number): Member[] {
    const joined: Member[] = [];
    const taken = new Set(remaining.flatMap(({ seats }) => seats));
    // A relay votes alone: all members are connected to it only.
    const isVoter = remaining.every((member) => member.seats.length > 0 || !member.isVoter);
    for (const { request } of this.#requests.values()) {
      if (joined.some(({ id }) => id === request.id)) continue;
      const seats = this.#seatsFor(request);
      const isFull = isVoter && remaining.length + joined.length >= MAX_MESH;
      if (!seats || isFull || seats.some((seat) => taken.has(seat))) continue;
      for (const seat of seats) taken.add(seat);
      // Not before the inputs of whoever had the seats end.
      const first = Math.max(from, ...seats.map((seat) => this.absentFrom[seat]!));
      joined.push({ id: request.id, name: request.name, seats, isVoter, from: first });
    }
    return joined;
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

  /** Ends the stream of a member that was dropped. */
  #drop({ id, cut, first, rows, reason }: Drop): void {
    const { simulation, tick, rollback } = this.#core;
    const { log, confirmed } = rollback;
    const stream = this.streamOf(id);
    if (!stream) return;
    // A state can be repaired once: the member comes back with that of the others.
    if (isFinal(reason) || (reason === "desync" && this.#differed.has(id))) this.#banned.add(id);
    if (reason === "desync") this.#differed.add(id);
    if (stream.end < cut && rows.length > 0 && first <= stream.end) this.#fill(stream, first, cut, rows);
    this.lastInputs.add(stream, cut, this.#now);
    // Only others that decided without us can cut off what is confirmed here.
    if (cut < confirmed) this.isLost = true;
    const none = new Uint32Array(simulation.packing.words);
    const { seats, from } = stream.member;
    for (const seat of seats) {
      const before = this.absentFrom[seat]!;
      this.absentFrom[seat] = cut;
      if (reason !== "left" && !isFinal(reason))
        this.#kept.set(seat, { id, until: this.#now + this.#options.keepSeat });
      // Write down when the seat was absent, also for ticks that this peer has not reached. Before that, another member had it.
      for (let t = Math.max(confirmed, Math.min(before, from)); t < Math.max(tick, stream.end, cut); t++) {
        const isAbsent = t < from || t >= cut;
        log.setAbsent(t, seat, isAbsent);
        if (isAbsent) log.writeSeat(t, seat, none, 0);
      }
    }
    for (let t = cut; t < stream.end; t++) log.setCommands(t, stream.member.seats, []);
    this.#core.rollback.invalidate(cut);
  }

  #fill(stream: Stream, first: number, cut: number, bytes: Uint8Array): void {
    const { simulation, rollback } = this.#core;
    const { log } = rollback;
    const width = simulation.packing.words;
    this.#reader.start(bytes);
    stream.rows.readFrom(this.#reader, first, cut, (tick, row) => {
      if (tick < stream.end) return;
      stream.member.seats.forEach((seat, i) => {
        if (log.writeSeat(tick, seat, row, i * width)) this.#core.rollback.invalidate(tick);
      });
      stream.end = tick + 1;
    });
  }

  #replace(roster: Roster, tick: number): void {
    const { simulation, id, rollback } = this.#core;
    const { log } = rollback;
    const before = this.roster;
    const streamsBefore = this.streams;
    this.roster = roster;
    this.#voterCount = roster.members.filter(({ isVoter }) => isVoter).length;
    this.streams = roster.members.map((member) => {
      const old = streamsBefore.find(
        (stream) => stream.member.id === member.id && stream.member.from === member.from,
      );
      const stream = old ?? new Stream(simulation.packing, member);
      if (!old) {
        stream.end = Math.max(tick, member.from);
        stream.heardAt = stream.progressAt = stream.connectedAt = this.#now;
        this.#requests.delete(member.id);
        // A stream that began before the state that was loaded changes nothing.
        const isNew = member.from >= this.#core.rollback.confirmed;
        for (const seat of member.seats) {
          this.#kept.delete(seat);
          this.#sitters.push({ seat, from: member.from, name: member.name });
          if (this.#sitters.length > MAX_SITTERS) this.#sitters.shift();
          for (let t = member.from; isNew && t < this.#core.tick; t++) log.setAbsent(t, seat, false);
        }
        if (isNew && member.seats.length > 0) this.#core.rollback.invalidate(member.from);
      }
      stream.isFrozen = false;
      return stream;
    });
    this.own = this.streamOf(id);
    this.owners.forEach((_, seat) => {
      this.owners[seat] = this.streams.find(({ member }) => member.seats.includes(seat));
    });
    this.streams.forEach((stream, i) => (stream.floor = roster.floors[i] ?? 0));
    this.gate = Infinity;
    this.#reportedKnown = Infinity;
    this.#agreement = undefined;
    for (const suspect of this.#suspects.keys()) if (!this.streamOf(suspect)) this.#suspects.delete(suspect);
    this.#options.adopted(before, streamsBefore);
  }
}
