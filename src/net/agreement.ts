// How the voters of an epoch agree on the next one: single-decree Paxos by gossip. Each voter sends its whole state to all
// others, again and again, so that lost, late and duplicated messages need no special care.
//
// - A promise of a ballot also freezes the inputs of the suspects: the voter learns no more of their streams in this epoch, and
//   reports how much it knows. The value of a ballot is made from the reports of a quorum. Any other quorum shares a voter with
//   it, so no quorum ever knows an input beyond what was reported: nobody can have confirmed a tick that the value cuts off.
// - All of this holds within one epoch. A quorum of the next one need not share a voter with a quorum of this one, if the voters
//   change: then the value itself has to carry over what may have been confirmed.
// - Safety never depends on who is suspected. Suspicion only decides who coordinates, and whom a value may drop.
import { badValue, requireFunction } from "../errors/index.js";
import {
  AgreementCodec,
  ballotAbove,
  ballotOf,
  MAX_MEMBERS,
  MAX_REPORT,
  MAX_VALUE,
  ownerOf,
  roundOf,
  type VoterState,
} from "./agreement-message.js";

export { epochOf } from "./agreement-message.js";

/** The longest pause before a decision is repeated to a voter that has not acknowledged it, in milliseconds. */
const MAX_PAUSE = 1000;
/**
 * The pause before the next ballot doubles at most this often. Rivals get in each other's way forever if it is shorter than a
 * hop: 64 intervals of 50 ms are enough for hops of 3 s.
 */
const MAX_DOUBLINGS = 6;
/** A ballot whose round is further above all known ones is ignored: otherwise, one voter could use up all rounds. */
const MAX_JUMP = 1000;

/** Whether `count` of the voters can decide: a majority, or half of them with the first. Two such sets always share a voter. */
export function isQuorum(count: number, hasFirst: boolean, voters: number): boolean {
  return 2 * count > voters || (2 * count === voters && hasFirst);
}

/** What a voter promised, for the value that a coordinator makes. */
export interface VoterReport {
  /** The members whose inputs the voter has frozen. */
  readonly frozen: ReadonlySet<number>;
  /** What its `freeze` returned. Bytes from a peer: do not trust them. */
  readonly report: Uint8Array;
}

/** How an agreement talks to its owner. Members are numbered by their place in the epoch's list. */
export interface AgreementOptions {
  /** The epoch that ends, from 0 to 2^32 - 1. Messages of other epochs are rejected. */
  readonly epoch: number;
  /** How many members the epoch has, at most 64. */
  readonly members: number;
  /** The members that vote, in ascending order. */
  readonly voters: readonly number[];
  /** The voter that this object acts for. A voter that lost its state must not take part in the same epoch again. */
  readonly self: number;
  /** Returns a random number from 0 to less than 1, so that rivals do not retry at the same time. */
  random(): number;
  /** Milliseconds between two messages to a voter while nothing changes. Default: 50, as often as a lost one can be noticed. */
  readonly interval?: number;
  /**
   * Freezes the inputs of some members, and returns a report on all of them: at most 400 bytes. From now on until the decision,
   * this peer must not take in any of their inputs; if it is among them itself, it must not sample any. Each call names all
   * members that were named before, and perhaps more. The set is valid during the call.
   */
  freeze(frozen: ReadonlySet<number>): Uint8Array;
  /**
   * Makes the value to decide on: at most 1,000 bytes. It may drop any of `suspects`, whose inputs are frozen by every voter in
   * `reports`, and nobody else. Both are valid during the call.
   */
  makeValue(suspects: ReadonlySet<number>, reports: ReadonlyMap<number, VoterReport>): Uint8Array;
  /**
   * Whether honest voters can accept a value that somebody has shown, or decide on it as somebody says. Default: always. Others are
   * rejected.
   */
  isPossible?(value: Uint8Array, isDecided: boolean): boolean;
  /** The voters have decided. Called once. */
  decided(value: Uint8Array): void;
  /** Sends a message to a voter, unreliably: up to 1,027 bytes, valid during the call. Only `poll` calls this. */
  send(to: number, bytes: Uint8Array): void;
}

/** One voter's part in the decision that ends an epoch. It does nothing until somebody suspects or proposes. */
export class Agreement {
  readonly #options: AgreementOptions;
  readonly #codec: AgreementCodec;
  readonly #others: readonly number[];
  readonly #interval: number;

  #promised = 0;
  readonly #frozen = new Set<number>();
  #report = new Uint8Array(0);
  #accepted = 0;
  #acceptedValue = new Uint8Array(0);
  #version = 0;

  /** Whom this voter believes to be gone, now. All of them are frozen. */
  readonly #suspects = new Set<number>();
  /** Whether this voter has not waited for a coordinator that fell silent. */
  #hasTakenOver = false;
  /** Who is silent at the moment. */
  readonly #doubts = new Set<number>();
  /** The newest state of each voter that was heard. */
  readonly #states = new Map<number, VoterState>();
  /** The highest ballot that anyone has promised, as far as this voter knows. */
  #highest = 0;
  /** How often another voter's ballot became the highest. */
  #rivals = 0;
  /** When to open the next ballot, if this voter coordinates and another's ballot is the highest; NaN until that is drawn. */
  #retryAt = NaN;

  #value: Uint8Array | undefined;
  /** The voters that know the decision, and those to answer. */
  readonly #done = new Set<number>();
  readonly #owed = new Set<number>();
  #pause: number;
  /** When to send to all. */
  #dueAt = -Infinity;

  constructor(options: AgreementOptions) {
    const { epoch, members, voters, self, interval = 50 } = options;
    if (!isWhole(epoch, 0, 2 ** 32 - 1))
      badValue("Agreement: epoch", "a whole number from 0 to 2^32 - 1", epoch, 0);
    if (!isWhole(members, 1, MAX_MEMBERS))
      badValue("Agreement: members", `a whole number from 1 to ${MAX_MEMBERS}`, members, 8);
    if (
      !voters.every((voter, i) => Number.isInteger(voter) && voter > (voters[i - 1] ?? -1) && voter < members)
    )
      badValue("Agreement: voters", "indices of members in ascending order", voters, "[0, 1]");
    if (!voters.includes(self)) badValue("Agreement: self", "one of the voters", self, voters[0]);
    if (!(interval > 0)) badValue("Agreement: interval", "a positive number of milliseconds", interval, 50);
    for (const name of ["random", "freeze", "makeValue", "decided", "send"] as const)
      requireFunction(`Agreement: ${name}`, options[name]);
    this.#options = options;
    this.#codec = new AgreementCodec(epoch, members, voters);
    this.#others = voters.filter((voter) => voter !== self);
    this.#interval = this.#pause = interval;
  }

  /** The decided value; undefined until this voter knows it. */
  get value(): Uint8Array | undefined {
    return this.#value;
  }

  /** Whether an agreement is under way: somebody suspects or proposes, and this voter knows no decision yet. */
  get isActive(): boolean {
    return this.#highest > 0 && this.#value === undefined;
  }

  /** Whether every voter knows the decision. Until then, keep calling `receive` and `poll`, for those that lag behind. */
  get isSettled(): boolean {
    return this.#value !== undefined && this.#others.every((voter) => this.#done.has(voter));
  }

  /** The members whose inputs this voter has frozen. */
  get frozen(): ReadonlySet<number> {
    return this.#frozen;
  }

  /** The members that this voter suspects: as told by `suspect`, or by the first voter that made it coordinate. */
  get suspects(): ReadonlySet<number> {
    return this.#suspects;
  }

  /** The voter that should open ballots: the first one that this voter neither suspects nor doubts. */
  get coordinator(): number {
    return this.#options.voters.find((voter) => !this.#suspects.has(voter) && !this.#doubts.has(voter))!;
  }

  /**
   * Says whether a member has been silent for a while, though not long enough to be suspected. It is not dropped for that, but the next
   * voter coordinates meanwhile: a coordinator that dies would cost the others its whole timeout.
   */
  doubt(index: number, isSilent: boolean): void {
    this.#requireOther("Agreement.doubt", index);
    if (!isSilent) this.#doubts.delete(index);
    else if (!this.#doubts.has(index)) {
      this.#doubts.add(index);
      // Once, at once. If it was there after all, the two must not get in each other's way.
      if (ownerOf(this.#highest) !== index || this.#accepted === this.#highest || this.#hasTakenOver) return;
      this.#hasTakenOver = true;
      this.#retryAt = -Infinity;
    }
  }

  /** Says that a member seems to be gone. Freezes its inputs. */
  suspect(index: number): void {
    this.#requireOther("Agreement.suspect", index);
    if (this.#value !== undefined || this.#suspects.has(index)) return;
    this.#suspects.add(index);
    // Nobody will finish its ballot.
    if (ownerOf(this.#highest) === index) this.#retryAt = -Infinity;
    this.#promiseUnasked();
  }

  /**
   * Says that a suspected member is there after all. Its inputs stay frozen until the decision, but this voter no longer wants to
   * drop it, and lets it coordinate.
   */
  unsuspect(index: number): void {
    this.#requireOther("Agreement.unsuspect", index);
    if (this.#value === undefined && this.#suspects.delete(index)) this.#advance();
  }

  /**
   * Asks for a decision, although nobody is suspected: a member joins, leaves or is kicked, or the game pauses. Calls `freeze`, so
   * that the report can tell the coordinator what this voter wants; repeat it when that changes. If the decision does not contain
   * it, propose it again in the next epoch.
   */
  propose(): void {
    // No report is needed once a value was accepted.
    if (this.#value === undefined && this.#accepted === 0) this.#promiseUnasked();
  }

  /** Takes in a message of a member. Returns false, and ignores it, if it is malformed or not from another voter. */
  receive(from: number, bytes: Uint8Array): boolean {
    if (!this.#others.includes(from)) return false;
    const message = this.#codec.read(bytes);
    if (!message) return false;
    if (message.kind === "state") return this.#takeState(from, message.state);
    if (message.kind === "decided") return this.#takeDecision(from, message.value);
    if (this.#value !== undefined) this.#done.add(from);
    return true;
  }

  /** Sends what is due. Call it every tick. */
  poll(now: number): void {
    if (this.#value !== undefined) return this.#tellDecision(now, this.#value);
    this.#retry(now);
    if (this.#promised === 0 || now < this.#dueAt) return;
    this.#dueAt = now + this.#interval;
    const bytes = this.#codec.state(this.#state);
    for (const voter of this.#others) this.#options.send(voter, bytes);
  }

  get #state(): VoterState {
    return {
      version: this.#version,
      promised: this.#promised,
      frozen: this.#frozen,
      report: this.#report,
      accepted: this.#accepted,
      value: this.#acceptedValue,
    };
  }

  /** Sends the state at the next poll. */
  #changed(): void {
    this.#version++;
    this.#dueAt = -Infinity;
  }

  #requireOther(call: string, index: number): void {
    const { members, self } = this.#options;
    if (!isWhole(index, 0, members - 1) || index === self)
      badValue(`${call}: index`, `the index of another member, below ${members}`, index, self === 0 ? 1 : 0);
  }

  /** Promises the coordinator its first ballot before it asks, which saves a message. A coordinator opens its ballot so. */
  #promiseUnasked(): void {
    this.#promise(Math.max(this.#promised, ballotOf(1, this.coordinator)), this.#suspects);
    this.#advance();
  }

  /** Promises a ballot, or repeats a promise with more suspects or another report. */
  #promise(ballot: number, suspects: ReadonlySet<number>): void {
    const before = this.#frozen.size;
    for (const index of suspects) this.#frozen.add(index);
    const report = ownBytes("freeze", this.#options.freeze(this.#frozen), MAX_REPORT);
    const isMore = ballot > this.#promised || this.#frozen.size > before;
    if (!isMore && isEqual(report, this.#report)) return;
    this.#report = report;
    this.#promised = ballot;
    this.#highest = Math.max(this.#highest, ballot);
    this.#changed();
  }

  #accept(ballot: number, value: Uint8Array): void {
    this.#promised = this.#accepted = ballot;
    this.#acceptedValue = value.slice();
    this.#changed();
  }

  #takeState(from: number, state: VoterState): boolean {
    if (this.#value !== undefined) {
      this.#done.delete(from);
      this.#owed.add(from);
      return true;
    }
    // A duplicate, or overtaken by a newer one.
    if (state.version <= (this.#states.get(from)?.version ?? -1)) return true;
    if (roundOf(state.promised) > roundOf(this.#highest) + MAX_JUMP) return false;
    if (state.accepted > this.#accepted && !this.#isPossible(state.value, false)) return false;
    this.#states.set(from, state);
    if (state.promised > this.#highest) {
      this.#highest = state.promised;
      this.#retryAt = NaN;
      if (ownerOf(state.promised) !== this.#options.self) this.#rivals++;
    }
    // A ballot has only one value, so it does not matter who shows it.
    if (state.accepted >= this.#promised && state.accepted > this.#accepted)
      this.#accept(state.accepted, state.value);
    this.#follow(from, state);
    this.#advance();
    return true;
  }

  #isPossible(value: Uint8Array, isDecided: boolean): boolean {
    return this.#options.isPossible?.(value, isDecided) ?? true;
  }

  /** Promises what another voter asks for. The first news of an agreement is a reason to take part. */
  #follow(from: number, { promised, accepted, frozen }: VoterState): void {
    // Its value is known already, so no promise is needed.
    if (promised < this.#promised || accepted === promised) return;
    if (ownerOf(promised) === from) {
      if (promised > this.#promised || !isSubset(frozen, this.#frozen)) this.#promise(promised, frozen);
    } else if (this.#promised === 0) this.#join(from, frozen);
  }

  /** Promises the coordinator its first ballot, on behalf of a voter that did so. */
  #join(from: number, frozen: ReadonlySet<number>): void {
    const { self } = this.#options;
    const { coordinator } = this;
    const suspects = new Set(frozen);
    // If we are suspected ourselves, our inputs may go on until the coordinator agrees.
    suspects.delete(self);
    if (coordinator === self) {
      suspects.delete(from);
      for (const index of suspects) this.#suspects.add(index);
    }
    this.#promise(ballotOf(1, coordinator), suspects);
  }

  /** Picks a value and decides, if it is time. */
  #advance(): void {
    if (ownerOf(this.#promised) === this.#options.self && this.#promised > this.#accepted) this.#pick();
    this.#decideByCount();
  }

  /** Accepts a value for the own ballot when a quorum has promised it. */
  #pick(): void {
    const { voters, self } = this.#options;
    const reports = new Map<number, VoterReport>();
    let highest = 0;
    let value: Uint8Array | undefined;
    for (const voter of voters) {
      const state = voter === self ? this.#state : this.#states.get(voter);
      if (state?.promised !== this.#promised || !isSubset(this.#suspects, state.frozen)) continue;
      reports.set(voter, state);
      // A value that may have been decided must not be replaced.
      if (state.accepted > highest) {
        highest = state.accepted;
        value = state.value;
      }
    }
    if (!isQuorum(reports.size, reports.has(voters[0]!), voters.length)) return;
    value ??= ownBytes("makeValue", this.#options.makeValue(this.#suspects, reports), MAX_VALUE);
    this.#accept(this.#promised, value);
  }

  /** Decides on a value that a quorum has accepted in one ballot. */
  #decideByCount(): void {
    const { voters, self } = this.#options;
    const accepted = (voter: number): number =>
      voter === self ? this.#accepted : (this.#states.get(voter)?.accepted ?? 0);
    for (const voter of voters) {
      const ballot = accepted(voter);
      if (ballot === 0) continue;
      const count = voters.filter((other) => accepted(other) === ballot).length;
      if (!isQuorum(count, accepted(voters[0]!) === ballot, voters.length)) continue;
      return this.#decide(voter === self ? this.#acceptedValue : this.#states.get(voter)!.value);
    }
  }

  #takeDecision(from: number, value: Uint8Array): boolean {
    if (this.#value === undefined && !this.#isPossible(value, true)) return false;
    this.#done.add(from);
    this.#owed.add(from);
    if (this.#value === undefined) this.#decide(value);
    return true;
  }

  #decide(value: Uint8Array): void {
    this.#value = value;
    this.#dueAt = -Infinity;
    this.#states.clear();
    this.#options.decided(value);
  }

  /** Opens a ballot above all others, if this voter coordinates and the highest one is another's. Lets that one finish first. */
  #retry(now: number): void {
    const { self, random } = this.#options;
    const isOurs = this.#highest === this.#promised && ownerOf(this.#highest) === self;
    if (this.#highest === 0 || isOurs || this.coordinator !== self) return;
    if (Number.isNaN(this.#retryAt))
      this.#retryAt = now + this.#interval * 2 ** Math.min(this.#rivals, MAX_DOUBLINGS) * (1 + random());
    if (now < this.#retryAt) return;
    const ballot = ballotAbove(this.#highest, self);
    if (ballot === 0) return;
    this.#promise(ballot, this.#suspects);
    this.#advance();
  }

  /** Answers voters that asked, and repeats the decision to those that have not said that they know it. */
  #tellDecision(now: number, value: Uint8Array): void {
    const isDue = now >= this.#dueAt;
    if (isDue) {
      this.#dueAt = now + this.#pause;
      this.#pause = Math.min(2 * this.#pause, MAX_PAUSE);
    }
    for (const voter of this.#others) {
      const isDone = this.#done.has(voter);
      if (this.#owed.has(voter) || (isDue && !isDone))
        this.#options.send(voter, isDone ? this.#codec.done() : this.#codec.decided(value));
    }
    this.#owed.clear();
  }
}

const isWhole = (value: unknown, min: number, max: number): boolean =>
  Number.isInteger(value) && (value as number) >= min && (value as number) <= max;

const isSubset = (part: ReadonlySet<number>, whole: ReadonlySet<number>): boolean => {
  for (const index of part) if (!whole.has(index)) return false;
  return true;
};

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, i) => byte === other[i]);

/** Copies what a callback returned. */
function ownBytes(name: string, bytes: unknown, max: number): Uint8Array<ArrayBuffer> {
  if (!(bytes instanceof Uint8Array))
    badValue(`Agreement: the result of ${name}`, "a Uint8Array", bytes, "new Uint8Array(4)");
  if (bytes.length > max)
    badValue(`Agreement: the result of ${name}`, `at most ${max} bytes`, bytes.length, "fewer");
  return bytes.slice();
}
