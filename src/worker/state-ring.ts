// A ring of states in shared memory. One thread writes them, another one reads them; neither ever waits for the other.
//
// The writer fills the oldest slot that the reader has not claimed. The reader claims the slots that it blends. Each slot has a version,
// which is odd while the slot is written. Both sides first announce what they are about to do, and then look at what the other side has
// announced. So if both want the same slot, at least one of them notices:
//
//     writer: version = odd, then reads the claims:    a claim on the slot? then it puts the version back and takes another slot
//     reader: claim = slot,  then reads the version:   odd, or changed? then it drops the claim and keeps what it had before
import {
  HEAD_DOUBLES,
  IS_REVISION,
  HEAD_FLAGS,
  HEAD_MOMENT,
  HEAD_NUMBER,
  HEAD_SINCE,
  HEAD_TIMELINE,
  IS_SPECULATED,
} from "./state-head.js";

/** Slots that the reader can claim at a time: two pairs to blend, one in use and one to come; the same for the newest state. */
const PAIRS = 4;
const CLAIMS = PAIRS + 2;
/** The fewest slots: those that are claimed, the newest one, and one to write to. */
export const MIN_SLOTS = CLAIMS + 2;

/** Moments are rounded: two that differ by less, in milliseconds, are the same. */
const ROUNDING = 0.001;
const NONE = -1;
/** Stands for the version of a slot that the reader has claimed. Even, as versions of complete states are. */
const HELD = -2;
/** Words before those of the slots: the claims, the newest slot, and one that is not used. */
const NEWEST = CLAIMS;
const HEAD = CLAIMS + 2;

/** The bytes that describe the slots. The states themselves are elsewhere. */
export const ringBytes = (slots: number): number =>
  8 * Math.ceil((HEAD + slots) / 2) + 8 * HEAD_DOUBLES * slots;

/** What both sides share: who has which slot, and what is in it. */
class RingControl {
  readonly slots: number;
  protected readonly words: Int32Array;
  /** The heads of all slots, one after the other. */
  readonly heads: Float64Array;

  constructor(buffer: SharedArrayBuffer | ArrayBuffer, slots: number) {
    const words = 2 * Math.ceil((HEAD + slots) / 2);
    this.slots = slots;
    this.words = new Int32Array(buffer, 0, words);
    this.heads = new Float64Array(buffer, 4 * words, HEAD_DOUBLES * slots);
  }
}

/** The side that writes states. */
export class RingWriter extends RingControl {
  #slot = NONE;
  /** How many states were written. */
  #count = 0;

  /** Prepares the ring: all slots are empty. Call it before the reader is created. */
  reset(): void {
    this.words.fill(0).fill(NONE, 0, HEAD);
    this.heads.fill(NONE);
  }

  /** Chooses the slot to write to, and announces that. Write to it, then call `publish`. */
  begin(): number {
    const { words, heads, slots } = this;
    const newest = Atomics.load(words, NEWEST);
    // The oldest one first; empty ones have equal numbers. At most six slots are claimed, and one is the newest: one is always free.
    let after = -Infinity;
    for (;;) {
      let slot = NONE;
      let oldest = Infinity;
      for (let i = 0; i < slots; i++) {
        const age = heads[HEAD_DOUBLES * i + HEAD_NUMBER]! + i / 4096;
        if (i !== newest && age > after && age < oldest) {
          oldest = age;
          slot = i;
        }
      }
      // The reader has moved its claims meanwhile: look again.
      if (slot === NONE) {
        after = -Infinity;
        continue;
      }
      Atomics.add(words, HEAD + slot, 1);
      if (!this.#isClaimed(slot)) return (this.#slot = slot);
      Atomics.sub(words, HEAD + slot, 1);
      after = oldest;
    }
  }

  #isClaimed(slot: number): boolean {
    for (let i = 0; i < CLAIMS; i++) if (Atomics.load(this.words, i) === slot) return true;
    return false;
  }

  /** Announces that the slot holds a state, with its head. */
  publish(head: Float64Array): void {
    const slot = this.#slot;
    const at = HEAD_DOUBLES * slot;
    for (let i = 0; i < HEAD_DOUBLES; i++) this.heads[at + i] = head[i]!;
    this.heads[at + HEAD_NUMBER] = this.#count++;
    Atomics.add(this.words, HEAD + slot, 1);
    // A guess is not the newest state.
    if ((head[HEAD_FLAGS]! & IS_SPECULATED) === 0) Atomics.store(this.words, NEWEST, slot);
    this.#slot = NONE;
  }
}

/** The side that reads states. */
export class RingReader extends RingControl {
  /** The slots of the two states to blend: those around the wanted moment, as far as they are there. -1 until there is a state. */
  previous = NONE;
  current = NONE;
  /** The slot of the newest state that was claimed. -1 until there is one. */
  newest = NONE;
  /** Which of the two pairs of claims, and which of the two claims on the newest state, is in use. */
  #pair = 0;
  #newestClaim = 0;
  /** How often a slot was taken away while it was claimed, and the old one stayed in use. */
  retries = 0;

  /** Reads a figure of the state in a slot: see state-head.ts. */
  read(slot: number, figure: number): number {
    return this.heads[HEAD_DOUBLES * slot + figure]!;
  }

  /** Puts the snapshot of a slot on the timeline that it has in the worker. */
  copyTimeline(state: { setTimeline(snapshot: number, timeline: number): void }, slot: number): void {
    state.setTimeline(slot, this.heads[HEAD_DOUBLES * slot + HEAD_TIMELINE]!);
  }

  /** Reads the version of a slot: odd while it is written, 0 if it was never written. */
  version(slot: number): number {
    return Atomics.load(this.words, HEAD + slot);
  }

  /** Claims the newest state. Returns whether it is another one than before. Never waits. */
  claimNewest(): boolean {
    const { words } = this;
    for (let attempt = 0; attempt < 4; attempt++) {
      const slot = Atomics.load(words, NEWEST);
      if (slot === NONE) return false;
      if (slot === this.newest) return false;
      // The writer never takes the newest slot, but it may have published another one, and taken this one, since then.
      const version = Atomics.load(words, HEAD + slot);
      const free = PAIRS + 1 - this.#newestClaim;
      Atomics.store(words, free, slot);
      const isMine = (version & 1) === 0 && Atomics.load(words, HEAD + slot) === version;
      // The writer may have refilled the slot that we found before, and not yet said so: then that one was the newest already.
      const isNews = isMine && (this.newest === NONE || this.#isNewer(slot, this.newest));
      Atomics.store(words, isNews ? PAIRS + this.#newestClaim : free, NONE);
      if (isMine && !isNews) return false;
      if (isNews) {
        this.#newestClaim = 1 - this.#newestClaim;
        this.newest = slot;
        return true;
      }
      this.retries++;
    }
    return false;
  }

  /**
   * Claims the two states around the moment `at[0]`: the last one up to it, and the first one after it. If one of them is missing, the nearest
   * state takes its place. Never waits: if the writer takes a slot away, another attempt follows, and at last the states of the call
   * before stay. They remain valid until the next call.
   */
  claim(at: Float64Array): void {
    for (let attempt = 0; attempt < 4; attempt++) {
      if (this.#claim(at)) return;
      this.retries++;
    }
  }

  #claim(at: Float64Array): boolean {
    const { words, heads, slots } = this;
    const wanted = at[0]!;
    const hasRevisions = this.#hasRevisions();
    let before = NONE;
    let after = NONE;
    let beforeVersion = 0;
    let afterVersion = 0;
    for (let slot = 0; slot < slots; slot++) {
      // The writer may look at a slot that is ours already, but leaves it alone.
      const version = this.#isHeld(slot) ? HELD : Atomics.load(words, HEAD + slot);
      if (version === 0 || version & 1) continue;
      const head = HEAD_DOUBLES * slot;
      if (heads[head + HEAD_SINCE]! > wanted || (hasRevisions && this.#isRevised(slot, at))) continue;
      if (heads[head + HEAD_MOMENT]! <= wanted) {
        if (before === NONE || this.#isLater(slot, before)) {
          before = slot;
          beforeVersion = version;
        }
      } else if (after === NONE || !this.#isEarlier(after, slot)) {
        after = slot;
        afterVersion = version;
      }
    }
    if (before === NONE && after === NONE) return true;
    if (before === NONE) {
      before = after;
      beforeVersion = afterVersion;
    }
    if (after === NONE) {
      after = before;
      afterVersion = beforeVersion;
    }
    const free = 2 * (1 - this.#pair);
    Atomics.store(words, free, before);
    Atomics.store(words, free + 1, after);
    const isMine = this.#isStill(before, beforeVersion) && this.#isStill(after, afterVersion);
    const old = isMine ? 2 * this.#pair : free;
    Atomics.store(words, old, NONE);
    Atomics.store(words, old + 1, NONE);
    if (!isMine) return false;
    this.#pair = 1 - this.#pair;
    this.previous = before;
    this.current = after;
    return true;
  }

  /** Whether a state changed what is shown. Mostly there is none, and the search is shorter. */
  #hasRevisions(): boolean {
    const { heads, slots } = this;
    for (let slot = 0; slot < slots; slot++)
      if (heads[HEAD_DOUBLES * slot + HEAD_FLAGS]! & IS_REVISION) return true;
    return false;
  }

  /** Whether a later state changed what is shown from a moment on, and this state lies after that moment. */
  #isRevised(slot: number, at: Float64Array): boolean {
    const { heads, slots } = this;
    const wanted = at[0]!;
    const moment = heads[HEAD_DOUBLES * slot + HEAD_MOMENT]!;
    const number = heads[HEAD_DOUBLES * slot + HEAD_NUMBER]!;
    for (let other = 0; other < slots; other++) {
      const head = HEAD_DOUBLES * other;
      const version = this.version(other);
      if (version & 1 || (heads[head + HEAD_FLAGS]! & IS_REVISION) === 0) continue;
      const since = heads[head + HEAD_SINCE]!;
      const isLater = heads[head + HEAD_NUMBER]! > number;
      // The writer must not have replaced it meanwhile: half of it would be that of another state.
      if (isLater && since <= wanted && moment > since + ROUNDING && this.version(other) === version)
        return true;
    }
    return false;
  }

  /** Whether state `a` belongs to a later moment than `b`; of two for the same moment, the newer one does. */
  #isLater(a: number, b: number): boolean {
    const one = this.read(a, HEAD_MOMENT);
    const other = this.read(b, HEAD_MOMENT);
    return one > other + ROUNDING || (one >= other - ROUNDING && this.#isNewer(a, b));
  }

  /** Whether state `a` belongs to an earlier moment than `b`; of two for the same moment, the newer one does. */
  #isEarlier(a: number, b: number): boolean {
    const one = this.read(a, HEAD_MOMENT);
    const other = this.read(b, HEAD_MOMENT);
    return one < other - ROUNDING || (one <= other + ROUNDING && this.#isNewer(a, b));
  }

  #isNewer(a: number, b: number): boolean {
    return this.read(a, HEAD_NUMBER) > this.read(b, HEAD_NUMBER);
  }

  #isHeld(slot: number): boolean {
    return slot === this.previous || slot === this.current || slot === this.newest;
  }

  /**
   * Whether a slot was not touched since its version was read. A slot that is held moves from one claim to another: a writer that looks
   * at the claims one by one right now could miss both, so the old claim stays if there is one.
   */
  #isStill(slot: number, version: number): boolean {
    const now = Atomics.load(this.words, HEAD + slot);
    return version === HELD ? (now & 1) === 0 : now === version;
  }

  /** Gives all slots back. */
  release(): void {
    for (let i = 0; i < CLAIMS; i++) Atomics.store(this.words, i, NONE);
    this.previous = this.current = this.newest = NONE;
  }
}
