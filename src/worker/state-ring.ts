// A ring of states in shared memory. One thread writes them, another one reads them; neither ever waits for the other.
//
// The writer fills the oldest slot that the reader has not claimed. The reader claims the slots that it blends. Each slot has a version,
// which is odd while the slot is written. Both sides first announce what they are about to do, and then look at what the other side has
// announced. So if both want the same slot, at least one of them notices:
//
//     writer: version = odd, then reads the claims:    a claim on the slot? then it puts the version back and takes another slot
//     reader: claim = slot,  then reads the version:   odd, or changed? then it drops the claim and keeps what it had before

/** Slots that the reader can claim at a time: those that it has, and those that it is about to take. */
const CLAIMS = 4;
/** The fewest slots: those that are claimed, the newest one, and one to write to. */
export const MIN_SLOTS = CLAIMS + 2;

const NONE = -1;
/** Stands for the version of a slot that the reader has claimed. Even, as versions of complete states are. */
const HELD = -2;
/** Words before those of the slots: the claims, the newest slot, and one that is not used. */
const NEWEST = CLAIMS;
const HEAD = CLAIMS + 2;
/** Doubles of each slot: the tick of its state, its timeline, and when it was ready on the writer's clock. */
const TICK = 0;
const TIMELINE = 1;
const READY_AT = 2;
const DOUBLES = 3;

/** The bytes that describe the slots. The states themselves are elsewhere. */
export const ringBytes = (slots: number): number => 8 * Math.ceil((HEAD + slots) / 2) + 8 * DOUBLES * slots;

/** What both sides share: who has which slot, and what is in it. */
class RingControl {
  protected readonly slots: number;
  protected readonly words: Int32Array;
  protected readonly doubles: Float64Array;

  constructor(buffer: SharedArrayBuffer | ArrayBuffer, slots: number) {
    const words = 2 * Math.ceil((HEAD + slots) / 2);
    this.slots = slots;
    this.words = new Int32Array(buffer, 0, words);
    this.doubles = new Float64Array(buffer, 4 * words, DOUBLES * slots);
  }
}

/** The side that writes states. */
export class RingWriter extends RingControl {
  #slot = NONE;

  /** Prepares the ring: all slots are empty. Call it before the reader is created. */
  reset(): void {
    this.words.fill(0).fill(NONE, 0, HEAD);
    this.doubles.fill(NONE);
  }

  /** Chooses the slot to write to, and announces that. Write to it, then call `publish`. */
  begin(): number {
    const { words, doubles, slots } = this;
    const newest = Atomics.load(words, NEWEST);
    // The oldest one first. At most four slots are claimed, and one is the newest: one is always free.
    let after = -Infinity;
    for (;;) {
      let slot = NONE;
      let oldest = Infinity;
      for (let i = 0; i < slots; i++) {
        const tick = doubles[DOUBLES * i + TICK]! + i / 4096;
        if (i !== newest && tick > after && tick < oldest) {
          oldest = tick;
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

  /** Announces that the slot holds the state of a tick. */
  publish(tick: number, timeline: number, readyAt: number): void {
    const slot = this.#slot;
    const at = DOUBLES * slot;
    this.doubles[at + TICK] = tick;
    this.doubles[at + TIMELINE] = timeline;
    this.doubles[at + READY_AT] = readyAt;
    Atomics.add(this.words, HEAD + slot, 1);
    Atomics.store(this.words, NEWEST, slot);
    this.#slot = NONE;
  }
}

/** The side that reads states. */
export class RingReader extends RingControl {
  /** The slots of the two states to blend: those around the wanted tick, as far as they are there. -1 until there is a state. */
  previous = NONE;
  current = NONE;
  /** Which of the two pairs of claims is in use. */
  #pair = 0;
  /** How often a slot was taken away while it was claimed, and the old pair stayed in use. */
  retries = 0;

  /** The tick of the newest state; -1 if there is none. */
  get newest(): number {
    const slot = Atomics.load(this.words, NEWEST);
    return slot === NONE ? NONE : this.doubles[DOUBLES * slot + TICK]!;
  }
  /** When the newest state was ready, on the writer's clock. */
  get newestReadyAt(): number {
    const slot = Atomics.load(this.words, NEWEST);
    return slot === NONE ? NONE : this.doubles[DOUBLES * slot + READY_AT]!;
  }

  tickOf(slot: number): number {
    return this.doubles[DOUBLES * slot + TICK]!;
  }
  timelineOf(slot: number): number {
    return this.doubles[DOUBLES * slot + TIMELINE]!;
  }

  /**
   * Claims the two states around a tick with a fraction: the last one up to it, and the first one after it. If one of them is missing,
   * the nearest state takes its place. Never waits: if the writer takes a slot away, another attempt follows, and at last the
   * states of the call before stay. They remain valid until the next call.
   */
  claim(tick: number): void {
    for (let attempt = 0; attempt < 4; attempt++) {
      if (this.#claim(tick)) return;
      this.retries++;
    }
  }

  #claim(wanted: number): boolean {
    const { words, doubles, slots } = this;
    let [before, after] = [NONE, NONE];
    let [beforeTick, afterTick] = [-Infinity, Infinity];
    let [beforeVersion, afterVersion] = [0, 0];
    for (let slot = 0; slot < slots; slot++) {
      // The writer may look at a slot that is ours already, but leaves it alone.
      const version = this.#isHeld(slot) ? HELD : Atomics.load(words, HEAD + slot);
      const tick = doubles[DOUBLES * slot + TICK]!;
      if (version === 0 || version & 1) continue;
      if (tick <= wanted && tick > beforeTick) {
        before = slot;
        beforeTick = tick;
        beforeVersion = version;
      }
      if (tick > wanted && tick < afterTick) {
        after = slot;
        afterTick = tick;
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

  #isHeld(slot: number): boolean {
    return slot === this.previous || slot === this.current;
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
    this.previous = this.current = NONE;
  }
}
