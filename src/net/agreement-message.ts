// The messages of voters to each other. All numbers are big-endian.
//
//   every message       kind 1 byte · epoch 4
//   1 state             · version 4 · promised: round 4, owner 1 · accepted: round 4, owner 1
//                       · frozen: a bit per member · the report, or the value if one was accepted
//   2 decided           · the value
//   3 done              (nothing)

/** The longest value, in bytes. */
export const MAX_VALUE = 1000;
/** The longest report, in bytes. */
export const MAX_REPORT = 400;
/** The most members of an epoch. */
export const MAX_MEMBERS = 64;
/** The highest round of a ballot. Honest voters never get near it. */
const MAX_ROUND = 2 ** 31;

const HEAD = 5;
const STATE_HEAD = HEAD + 14;
/** The longest message, in bytes. */
const MAX_BYTES = STATE_HEAD + MAX_MEMBERS / 8 + MAX_VALUE;

const STATE = 1;
const DECIDED = 2;
const DONE = 3;

/**
 * Numbers a ballot: by its round, then by the voter that owns it, so that greater ballots are greater numbers. 0 is no
 * ballot.
 */
export const ballotOf = (round: number, owner: number): number => round * MAX_MEMBERS + owner;

/** Returns the voter that owns a ballot. */
export const ownerOf = (ballot: number): number => ballot % MAX_MEMBERS;

/** Returns the round of a ballot. */
export const roundOf = (ballot: number): number => Math.floor(ballot / MAX_MEMBERS);

/** Returns the lowest ballot of a voter above another ballot; 0 if the rounds are used up. */
export function ballotAbove(ballot: number, owner: number): number {
  const round = Math.max(1, Math.floor(ballot / MAX_MEMBERS));
  const sameRound = ballotOf(round, owner);
  if (sameRound > ballot) return sameRound;
  return round < MAX_ROUND ? sameRound + MAX_MEMBERS : 0;
}

/** What a voter says about itself. */
export interface VoterState {
  /** Counts the changes of this voter's state. */
  readonly version: number;
  /** The ballot below which it accepts nothing. */
  readonly promised: number;
  /** The members whose inputs it has frozen. */
  readonly frozen: ReadonlySet<number>;
  /** The caller's report for the promise. Empty if a value was accepted, as then no report is needed. */
  readonly report: Uint8Array;
  /** The highest ballot whose value it accepted; 0 if none. */
  readonly accepted: number;
  readonly value: Uint8Array;
}

export type AgreementMessage =
  | { readonly kind: "state"; readonly state: VoterState }
  | { readonly kind: "decided"; readonly value: Uint8Array }
  | { readonly kind: "done" };

const NOTHING = new Uint8Array(0);

/** Writes and reads the messages of one epoch. */
export class AgreementCodec {
  readonly #epoch: number;
  readonly #members: number;
  readonly #voters: readonly number[];
  readonly #buffer = new Uint8Array(MAX_BYTES);
  readonly #view = new DataView(this.#buffer.buffer);

  constructor(epoch: number, members: number, voters: readonly number[]) {
    this.#epoch = epoch;
    this.#members = members;
    this.#voters = voters;
    this.#view.setUint32(1, epoch);
  }

  /** Returns a state as a message. It is valid until the next message is written. */
  state({ version, promised, frozen, report, accepted, value }: VoterState): Uint8Array {
    const buffer = this.#buffer;
    buffer[0] = STATE;
    this.#view.setUint32(HEAD, version);
    this.#writeBallot(HEAD + 4, promised);
    this.#writeBallot(HEAD + 9, accepted);
    const end = STATE_HEAD + this.#setBytes;
    buffer.fill(0, STATE_HEAD, end);
    for (const index of frozen) buffer[STATE_HEAD + (index >> 3)]! |= 1 << (index & 7);
    const rest = accepted > 0 ? value : report;
    buffer.set(rest, end);
    return buffer.subarray(0, end + rest.length);
  }

  /** Returns the message that tells a decision. It is valid until the next message is written. */
  decided(value: Uint8Array): Uint8Array {
    this.#buffer[0] = DECIDED;
    this.#buffer.set(value, HEAD);
    return this.#buffer.subarray(0, HEAD + value.length);
  }

  /** Returns the message that says that the sender knows the decision. It is valid until the next message is written. */
  done(): Uint8Array {
    this.#buffer[0] = DONE;
    return this.#buffer.subarray(0, HEAD);
  }

  /** Reads a message into memory of its own. Returns undefined unless all of it is valid and of this epoch. */
  read(bytes: Uint8Array): AgreementMessage | undefined {
    if (epochOf(bytes) !== this.#epoch) return undefined;
    if (bytes[0] === STATE) return this.#readState(bytes);
    if (bytes[0] === DECIDED && bytes.length <= HEAD + MAX_VALUE)
      return { kind: "decided", value: bytes.slice(HEAD) };
    return bytes[0] === DONE && bytes.length === HEAD ? { kind: "done" } : undefined;
  }

  #readState(bytes: Uint8Array): AgreementMessage | undefined {
    const end = STATE_HEAD + this.#setBytes;
    if (bytes.length < end) return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const version = view.getUint32(HEAD);
    const promised = this.#readBallot(view, HEAD + 4);
    const accepted = this.#readBallot(view, HEAD + 9);
    // A voter that promised nothing has nothing to say, and accepting a ballot implies the promise.
    if (promised < 1 || accepted < 0 || accepted > promised) return undefined;
    const frozen = this.#readSet(bytes);
    if (!frozen || bytes.length > end + (accepted > 0 ? MAX_VALUE : MAX_REPORT)) return undefined;
    const rest = bytes.slice(end);
    const state = { version, promised, frozen, accepted };
    return {
      kind: "state",
      state:
        accepted > 0
          ? { ...state, report: NOTHING, value: rest }
          : { ...state, report: rest, value: NOTHING },
    };
  }

  /** Returns the members of the frozen set, or undefined if a bit stands for no member. */
  #readSet(bytes: Uint8Array): Set<number> | undefined {
    const set = new Set<number>();
    for (let index = 0; index < this.#setBytes * 8; index++)
      if (bytes[STATE_HEAD + (index >> 3)]! & (1 << (index & 7))) set.add(index);
    return [...set].every((index) => index < this.#members) ? set : undefined;
  }

  #writeBallot(at: number, ballot: number): void {
    this.#view.setUint32(at, Math.floor(ballot / MAX_MEMBERS));
    this.#buffer[at + 4] = ownerOf(ballot);
  }

  /** Reads a ballot; -1 if there cannot be such a ballot. */
  #readBallot(view: DataView, at: number): number {
    const round = view.getUint32(at);
    const owner = view.getUint8(at + 4);
    if (round === 0) return owner === 0 ? 0 : -1;
    return round <= MAX_ROUND && this.#voters.includes(owner) ? ballotOf(round, owner) : -1;
  }

  get #setBytes(): number {
    return (this.#members + 7) >> 3;
  }
}

/** Returns the epoch of an agreement's message, to find the agreement that it belongs to; undefined if it is too short. */
export function epochOf(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEAD) return undefined;
  return ((bytes[1]! << 24) | (bytes[2]! << 16) | (bytes[3]! << 8) | bytes[4]!) >>> 0;
}
