import type { Packing } from "../../input/index.js";
import { InputRows } from "../input-rows.js";
import { isProof, type DropReason, type Member } from "./roster.js";

const NEVER = -1e9 + 0.5;
/** Milliseconds of silence after which a member that is heard again has not been heard all the time. */
const GAP = 300;

/** What a member had when it left: the epoch, how far it had all, and the succession that it had answered. */
export interface Leave {
  readonly epoch: number;
  readonly have: number;
  readonly promised: number;
  readonly candidate: number;
}

/** The inputs of one member of the game: what is known of them. */
export class Stream {
  readonly member: Member;
  readonly rows: InputRows;
  /** Inputs are known for the ticks from `first` to `end - 1`. Before `first`, only those know them who have played since. */
  first: number;
  end: number;
  /** The member has departed: its inputs count up to this tick. */
  until = Infinity;
  // Times begin with a fraction, so that V8 keeps the fields as doubles and new values are not allocated.
  /** When we last had news of the member, directly or through others, in milliseconds; and since when without a gap. */
  heardAt = 0.5;
  heardSince = 0.5;
  /** When a packet came from the member itself. */
  heardDirectlyAt = NEVER;
  /** When a packet came from the member itself whose inputs continue what we know. */
  connectedAt = NEVER;
  /** When its inputs went on, in milliseconds. */
  progressAt = 0.5;
  /** What this peer has seen of its end; undefined while there is only silence. */
  gone: DropReason | undefined;
  /** Since when its packets say that it hears too few others. */
  deafSince = Infinity;
  left: Leave | undefined;
  /** Different inputs of it were received for the same tick. */
  isTwoFaced = false;
  /** The link to the member was closed. */
  isClosed = false;
  /** News of the member from before this time do not count, as they may be older than the close of its link. */
  deafUntil = NEVER;

  constructor(packing: Packing, member: Member, now = 0.5) {
    this.member = member;
    this.rows = new InputRows(packing, member.seats);
    this.rows.from = member.from;
    this.first = this.end = member.from;
    this.heardAt = this.heardSince = this.progressAt = this.connectedAt = now;
  }

  /** Notes news of the member from a time. */
  hear(at: number): void {
    if (at <= this.heardAt || (this.isClosed && at <= this.deafUntil)) return;
    if (at - this.heardAt > GAP) this.heardSince = at;
    this.heardAt = at;
  }

  /** Notes why the member is gone. Its own word counts most. */
  markGone(reason: DropReason): void {
    if (!isProof(this.gone)) this.gone = reason;
  }

  /** Whether the row before a tick is known, which the next rows are coded against. */
  canCodeFrom(tick: number): boolean {
    return tick > this.first || tick <= this.member.from;
  }

  /** Whether all rows from a tick on are known, and the row before it: then they can be passed on. */
  canSendFrom(tick: number): boolean {
    return tick > this.first || (tick <= this.member.from && this.first === this.member.from);
  }

  /** Whether a packet has come from the member itself. */
  get isHeardDirectly(): boolean {
    return this.heardDirectlyAt !== NEVER;
  }

  /** Whether ticks wait for this stream. Relays have no seat. */
  get isSeated(): boolean {
    return this.member.seats.length > 0;
  }

  /** Whether inputs that count may still be missing. */
  get isOpen(): boolean {
    return this.end < this.until;
  }
}
