import type { Packing } from "../input/index.js";
import { InputRows } from "./input-rows.js";
import type { Member } from "./roster.js";

const NEVER = -1e9 + 0.5;

/** The inputs of one member of the game: what is known of them. */
export class Stream {
  readonly member: Member;
  readonly rows: InputRows;
  /** Inputs are known for the ticks from `first` to `end - 1`. Before `first`, only those know them who have played since. */
  first: number;
  end: number;
  // Times begin with a fraction, so that V8 keeps the fields as doubles and new values are not allocated.
  /** When we last had news of the member, directly or through others, in milliseconds. */
  heardAt = 0.5;
  /** When a packet came from the member itself. */
  heardDirectlyAt = NEVER;
  /** When a packet came from the member itself whose inputs continue what we know. */
  connectedAt = NEVER;
  /** When its inputs went on, in milliseconds. */
  progressAt = 0.5;
  /** The members are about to agree on where this stream ends: it accepts nothing more. */
  isFrozen = false;
  /** Some voters of the last decision knew its inputs up to here, so they may be confirmed. Who knows less may not vote: see `Roster.floors`. */
  floor = 0;
  /** Different inputs of it were received for the same tick. */
  isTwoFaced = false;
  /** The link to the member was closed. */
  isClosed = false;
  /** News of the member from before this time do not count, as they may be older than the close of its link. */
  deafUntil = NEVER;

  constructor(packing: Packing, member: Member) {
    this.member = member;
    this.rows = new InputRows(packing, member.seats);
    this.rows.from = member.from;
    this.first = this.end = member.from;
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
}
