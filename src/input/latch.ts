import { badValue, requireFunction, requireType } from "../errors/index.js";
import type { ButtonNames, FractionNames, InputFields, InputValues, ValueNames } from "./fields.js";
import { momentsOf, type Moment } from "./moments.js";
import { bitsOf, Packing, writeBits, type Slot } from "./packing.js";
import type { InputRequest, InputSource } from "./source.js";
import { EdgeQueue } from "./edge-queue.js";

/** Options of `inputLatch`. */
export interface LatchOptions<I extends InputFields> {
  /**
   * Which button's edge each `fraction` tells the moment of: `{ fireAt: { of: "fire" } }`. It is written in the very tick
   * in which the edge is seen.
   */
  readonly fractions?: {
    readonly [K in FractionNames<I>]?: {
      readonly of: ButtonNames<I>;
      /** Default "press". */
      readonly edge?: "press" | "release" | undefined;
    };
  };
}

/** Edges of a button that wait for steps, and values of an axis: no more are kept. */
const MOST_EDGES = 32;
const MOST_VALUES = 16;
/** Milliseconds without a step after which time has stood still: what fell into them is old, and not spread. */
const LONGEST_GAP = 1000;

/** Where the numbers of a frame lie. */
const FROM = 0;
const TO = 1;
/** When the time began that its steps share: the frames before it that ran none count in. */
const BEGIN = 2;

/** Above all others: what is told without a time is seen by the next step. */
const AT_ONCE = -Infinity;

/**
 * What lies between devices, which speak at any time, and steps, which listen at theirs. Each press and each release is
 * seen by exactly one step, in order: a step takes at most one edge of a button, and what is left waits for the next. It
 * holds only what no step has seen yet; what a rollback needs lies in the state.
 */
export class InputLatch<I extends InputFields = InputFields> implements InputSource {
  readonly packing: Packing<I>;
  readonly onePlayer = true;
  readonly #names = new Map<string, number>();
  readonly #slots: readonly Slot[];
  readonly #moments: readonly (readonly Moment[])[];
  /** The times of edges of buttons; the bits of values, and their times. By the number of the field. */
  readonly #waiting: readonly EdgeQueue[];
  /** How many hold a button. */
  readonly #holders: Uint32Array;
  /** The newest bits of each value. */
  readonly #newest: Uint32Array;
  /** What the last step saw. */
  readonly #seen: Uint32Array;
  /** When each button was pressed, if the last step saw it; else NaN. */
  readonly #pressed: Float64Array;
  /** All bits but those of fractions, which are told once. */
  readonly #lasting: Uint32Array;
  readonly #frame = new Float64Array([NaN, NaN, NaN]);
  /** Steps of the present frame, and those that were still due at the last sample. */
  #steps = 0;
  #due = 0;
  #lost = 0;
  #letGo = 0;
  readonly #polls: (() => void)[] = [];

  /** @internal Use `inputLatch`. */
  constructor(packing: Packing<I>, options: LatchOptions<I>) {
    if (!(packing instanceof Packing))
      badValue("inputLatch: packing", "that of a simulation", packing, "game.packing");
    requireType("inputLatch: options", options, "object", '{ fractions: { fireAt: { of: "fire" } } }');
    const { slots } = packing;
    this.packing = packing;
    this.#slots = slots;
    slots.forEach(({ name }, i) => this.#names.set(name, i));
    this.#waiting = slots.map(
      ({ field }) => new EdgeQueue(field.kind === "button" ? MOST_EDGES : MOST_VALUES),
    );
    this.#moments = momentsOf(slots, options.fractions ?? {});
    this.#holders = new Uint32Array(slots.length);
    this.#pressed = new Float64Array(slots.length).fill(NaN);
    this.#newest = new Uint32Array(slots.length);
    this.#seen = new Uint32Array(packing.words);
    this.#lasting = new Uint32Array(packing.words).fill(-1);
    for (const { field, word, mask } of slots) if (field.kind === "fraction") this.#lasting[word]! &= ~mask;
  }

  /** Edges that no step has seen yet. */
  get waiting(): number {
    let edges = 0;
    for (let i = 0; i < this.#slots.length; i++)
      if (this.#slots[i]!.field.kind === "button") edges += this.#waiting[i]!.length;
    return edges;
  }
  /** Presses that no step will see, each with its release: a button whose 32 edges wait takes no more. */
  get lost(): number {
    return this.#lost;
  }

  /** @internal How often all were made to let go: who pressed before then holds no more. */
  get letGo(): number {
    return this.#letGo;
  }

  /**
   * A button goes down, at a time in milliseconds of the clock that the loop's driver has (`event.timeStamp` in a
   * browser). Several may hold it: it is down until as many have let it go. Without a time the next step sees it.
   */
  press(name: ButtonNames<I>, timestamp: number = AT_ONCE): void {
    const i = this.#button("InputLatch.press", name);
    requireTime("InputLatch.press", timestamp);
    if (this.#holders[i]! === 0) this.#turn(i, timestamp);
    this.#holders[i]! += 1;
  }

  /** One that held a button lets it go. Where none did, nothing happens. */
  release(name: ButtonNames<I>, timestamp: number = AT_ONCE): void {
    const i = this.#button("InputLatch.release", name);
    requireTime("InputLatch.release", timestamp);
    if (this.#holders[i]! === 0) return;
    this.#holders[i]! -= 1;
    if (this.#holders[i]! === 0) this.#turn(i, timestamp);
  }

  /** An axis or a whole number has another value from then on. A step sees the newest. */
  set<K extends ValueNames<I>>(name: K, value: InputValues<I>[K], timestamp: number = AT_ONCE): void {
    const i = this.#names.get(name);
    const kind = this.#slots[i ?? -1]?.field.kind;
    if (i === undefined || (kind !== "axis" && kind !== "int"))
      return this.#refuseName("InputLatch.set", name, ["axis", "int"], "aim");
    requireTime("InputLatch.set", timestamp);
    this.#hold(i, bitsOf(this.#slots[i]!, value), timestamp);
  }

  /** All let go of all buttons, and sticks are at rest. Whole numbers stay: a choice is not held. */
  releaseAll(timestamp: number = AT_ONCE): void {
    requireTime("InputLatch.releaseAll", timestamp);
    this.#letGo += 1;
    for (let i = 0; i < this.#slots.length; i++) {
      if (this.#holders[i]! > 0) {
        this.#holders[i] = 0;
        this.#turn(i, timestamp);
      }
      if (this.#slots[i]!.field.kind === "axis") this.#hold(i, 0, timestamp);
    }
  }

  /**
   * Forgets what was done and undone without a step, as while a game was paused: the next step sees what is held now, and
   * no tap of the meantime.
   */
  forget(): void {
    for (let i = 0; i < this.#slots.length; i++)
      this.#waiting[i]!.keepLast(this.#slots[i]!.field.kind === "button" ? this.#waiting[i]!.length % 2 : 1);
  }

  /** Calls before the first step of each frame: to ask devices that do not speak by themselves. Returns what ends it. */
  onSample(poll: () => void): () => void {
    requireFunction("InputLatch.onSample: poll", poll);
    // A function of its own, as the same one may be given twice.
    const own = () => poll();
    this.#polls.push(own);
    return () => {
      const at = this.#polls.indexOf(own);
      if (at >= 0) this.#polls.splice(at, 1);
    };
  }

  /**
   * Writes the words of a tick. Where a frame runs several steps, each takes what fell into its own share of the frame's
   * time; the last one takes all that is left.
   */
  sample(words: Uint32Array, at: number, request: InputRequest): void {
    const { due, from, to, peek, length = 0 } = request;
    const frame = this.#frame;
    const goesOn = due === this.#due - 1 && from === frame[FROM]! && to === frame[TO]!;
    if (!goesOn || peek) for (let i = 0; i < this.#polls.length; i++) this.#polls[i]!();
    let begin = from;
    const before = frame[TO]!;
    if (goesOn) begin = frame[BEGIN]!;
    else if (before < from && from - before < LONGEST_GAP) begin = before;
    const steps = goesOn ? this.#steps : due;
    if (!peek) {
      frame[FROM] = from;
      frame[TO] = to;
      frame[BEGIN] = begin;
      this.#steps = steps;
      this.#due = due;
    }
    const share = (to - begin) / steps;
    const start = begin + (steps - due) * share;
    // Not start + share: it is, to the bit, where the next one starts. The last step has no end: nothing is held back.
    const end = due > 1 && to < Infinity ? begin + (steps - due + 1) * share : NaN;

    const seen = this.#seen;
    for (let word = 0; word < seen.length; word++) words[at + word] = seen[word]! & this.#lasting[word]!;
    for (let i = 0; i < this.#slots.length; i++) {
      const waiting = this.#waiting[i]!;
      const pressed = this.#pressed[i]!;
      if (!peek) this.#pressed[i] = NaN;
      if (waiting.length === 0) continue;
      const slot = this.#slots[i]!;
      if (slot.field.kind !== "button") {
        const passed = waiting.countBefore(end);
        if (passed === 0) continue;
        writeBits(slot, words, at, waiting.bits(passed - 1));
        if (!peek) waiting.drop(passed);
      } else if (!(waiting.time(0) >= end) || (length > 0 && waiting.time(0) - pressed < length)) {
        // Let go sooner than a step lasts, it is down for one: whatever share of the frame it fell into.
        words[at + slot.word]! ^= slot.mask;
        const isPress = (words[at + slot.word]! & slot.mask) !== 0;
        const moments = this.#moments[i]!;
        for (let j = 0; j < moments.length; j++) {
          const { slot: moment, ofPress } = moments[j]!;
          if (ofPress !== isPress) continue;
          const reached = ((waiting.time(0) - start) / share) * moment.field.base;
          // What cannot be told is 0.
          const bits = reached > 0 ? Math.min(moment.field.most, Math.floor(reached)) : 0;
          writeBits(moment, words, at, bits);
        }
        if (peek) continue;
        if (isPress) this.#pressed[i] = waiting.time(0);
        waiting.drop(1);
      }
    }
    if (!peek) for (let word = 0; word < seen.length; word++) seen[word] = words[at + word]!;
  }

  /** A button's edge. Where too many wait, it takes the one before it away: a tap less, and what is down is still right. */
  #turn(i: number, timestamp: number): void {
    const waiting = this.#waiting[i]!;
    if (waiting.length < MOST_EDGES) return waiting.add(timestamp, 0);
    waiting.dropLast();
    this.#lost += 1;
  }

  /** A value. Where too many wait, the oldest goes: it is no longer the newest of any step but an early one. */
  #hold(i: number, bits: number, timestamp: number): void {
    if (this.#newest[i]! === bits >>> 0) return;
    this.#newest[i] = bits;
    const waiting = this.#waiting[i]!;
    if (waiting.length === MOST_VALUES) waiting.drop(1);
    waiting.add(timestamp, bits);
  }

  #button(call: string, name: string): number {
    const i = this.#names.get(name);
    if (i === undefined || this.#slots[i]!.field.kind !== "button")
      return this.#refuseName(call, name, ["button"], "jump");
    return i;
  }

  #refuseName(call: string, name: string, kinds: readonly string[], likely: string): never {
    const names = this.#slots.filter(({ field }) => kinds.includes(field.kind)).map((slot) => slot.name);
    badValue(`${call}: name`, `one of ${names.join(", ") || "none"}`, name, names[0] ?? likely);
  }
}

function requireTime(call: string, timestamp: unknown): void {
  if (!(typeof timestamp === "number" && timestamp === timestamp))
    badValue(`${call}: timestamp`, "a number of milliseconds", timestamp, "event.timeStamp");
}

/** A latch for one player of a simulation: `inputLatch(game.packing)`. Devices and bots speak to it, a session asks it. */
export function inputLatch<I extends InputFields>(
  packing: Packing<I>,
  options: LatchOptions<NoInfer<I>> = {},
): InputLatch<I> {
  return new InputLatch(packing, options);
}
