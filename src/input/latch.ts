import { badValue, requireArguments, requireFunction, requireOptions, unknownName } from "../errors/index.js";
import { edgeFractions, type EdgeFraction } from "./edge-fractions.js";
import { EdgeQueue } from "./edge-queue.js";
import type { ButtonNames, FractionNames, InputFields, InputValues, ValueNames } from "./fields.js";
import { bitsOf, Packing, writeBits, type Slot } from "./packing.js";
import type { InputRequest, InputSource } from "./source.js";

/** Options of `inputLatch`. */
export interface LatchOptions<I extends InputFields> {
  /**
   * The button whose edges each `fraction` times: `{ fireAt: { of: "fire" } }`. The fraction is written in the tick
   * that sees the edge.
   */
  readonly fractions?: {
    readonly [K in FractionNames<I>]?: {
      readonly of: ButtonNames<I>;
      /** Which edge of the button to time. Default: "press". */
      readonly edge?: "press" | "release" | undefined;
    };
  };
}

const OPTIONS = Object.keys({ fractions: 1 } satisfies Record<keyof LatchOptions<InputFields>, 1>);

/** Maximum edges of a button that wait for steps. */
const MAX_EDGES = 32;
/** Maximum values of an axis or int that wait for steps. */
const MAX_VALUES = 16;
/** A longer gap between frames, in milliseconds, is a pause: it is not shared out among the next steps. */
const MAX_GAP = 1000;

/** Indices into `#frame`. */
const FRAME_START = 0;
const FRAME_END = 1;
/** Start of the time that the frame's steps share. Earlier than the frame if frames before it ran no step. */
const SHARED_START = 2;

/** The default timestamp: earlier than any other, so the next step sees the event. */
const NEXT_STEP = -Infinity;

/**
 * @internal What happened to a latch, for one in another thread. `slot` is an index into `packing.slots`; `bits` is the value of an axis
 * or int. -1 if there is none.
 */
export type LatchListener = (
  kind: "press" | "release" | "set" | "releaseAll" | "forget",
  slot: number,
  bits: number,
  timestamp: number,
) => void;

/**
 * Buffers what devices report at any time until a step samples it. Exactly one step sees each press and each release,
 * in order: a step takes at most one edge of each button, and the rest waits for the following steps. The latch holds
 * only what no step has seen yet, so a rollback needs nothing from it.
 */
export class InputLatch<I extends InputFields = InputFields> implements InputSource {
  readonly packing: Packing<I>;
  readonly onePlayer = true;
  readonly #names = new Map<string, number>();
  readonly #slots: readonly Slot[];
  /** By slot: the fractions that time its edges. */
  readonly #fractions: readonly (readonly EdgeFraction[])[];
  /** By slot: the times of a button's edges, or the bits and times of an axis or int. */
  readonly #waiting: readonly EdgeQueue[];
  /** By slot: how many callers hold the button. */
  readonly #holders: Uint32Array;
  /** By slot: the newest bits of an axis or int. */
  readonly #newest: Uint32Array;
  /** The words that the last step saw. */
  readonly #seen: Uint32Array;
  /** By slot: when the button was pressed, if the last step saw that press; NaN otherwise. */
  readonly #pressedAt: Float64Array;
  /** A mask of all bits except fractions, which last for one tick. */
  readonly #lasting: Uint32Array;
  readonly #frame = new Float64Array([NaN, NaN, NaN]);
  /** Steps of the current frame. */
  #steps = 0;
  /** Steps of the current frame that were due at the last sample. */
  #due = 0;
  #lost = 0;
  #releases = 0;
  readonly #polls: (() => void)[] = [];
  /** @internal The button that each fraction times. */
  readonly options: LatchOptions<I>;
  #listener: LatchListener | undefined;

  /** @internal Use `inputLatch`. */
  constructor(packing: Packing<I>, options: LatchOptions<I>) {
    if (!(packing instanceof Packing))
      badValue("inputLatch: packing", "the packing of a simulation", packing, "game.packing");
    requireOptions("inputLatch", options, OPTIONS, '{ fractions: { fireAt: { of: "fire" } } }');
    const { slots } = packing;
    this.packing = packing;
    this.options = options;
    this.#slots = slots;
    slots.forEach(({ name }, i) => this.#names.set(name, i));
    this.#waiting = slots.map(({ field }) => new EdgeQueue(field.kind === "button" ? MAX_EDGES : MAX_VALUES));
    this.#fractions = edgeFractions(slots, options.fractions ?? {});
    this.#holders = new Uint32Array(slots.length);
    this.#pressedAt = new Float64Array(slots.length).fill(NaN);
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
  /** Taps that no step will see, because 32 edges of the button were already waiting. */
  get lost(): number {
    return this.#lost;
  }

  /** @internal Number of calls of `releaseAll`. A press before the latest call no longer holds its button. */
  get releases(): number {
    return this.#releases;
  }

  /**
   * Presses a button. `timestamp` is in milliseconds of the driver's clock (`event.timeStamp` in a browser); without
   * it, the next step sees the press. A button that is pressed several times stays down until it is released as often.
   */
  press(name: ButtonNames<I>, timestamp: number = NEXT_STEP): void {
    const i = this.#button("InputLatch.press", name);
    requireTime("InputLatch.press", timestamp);
    this.#listener?.("press", i, -1, timestamp);
    if (this.#holders[i]! === 0) this.#addEdge(i, timestamp);
    this.#holders[i]! += 1;
  }

  /** Releases a button, once. Does nothing if it is not held. `timestamp` as in `press`. */
  release(name: ButtonNames<I>, timestamp: number = NEXT_STEP): void {
    const i = this.#button("InputLatch.release", name);
    requireTime("InputLatch.release", timestamp);
    this.#listener?.("release", i, -1, timestamp);
    if (this.#holders[i]! === 0) return;
    this.#holders[i]! -= 1;
    if (this.#holders[i]! === 0) this.#addEdge(i, timestamp);
  }

  /** Sets an axis or an int. A step sees the newest value. `timestamp` as in `press`. */
  set<K extends ValueNames<I>>(name: K, value: InputValues<I>[K], timestamp: number = NEXT_STEP): void {
    const i = this.#names.get(name);
    const kind = this.#slots[i ?? -1]?.field.kind;
    if (i === undefined || (kind !== "axis" && kind !== "int"))
      return unknownName("InputLatch.set", "axis or int", name, this.#namesOf("axis", "int"));
    requireTime("InputLatch.set", timestamp);
    const bits = bitsOf(this.#slots[i]!, value, "InputLatch.set");
    this.#listener?.("set", i, bits, timestamp);
    this.#addValue(i, bits, timestamp);
  }

  /** Releases all buttons, however often they are held, and centres all axes. Ints keep their value. */
  releaseAll(timestamp: number = NEXT_STEP): void {
    requireTime("InputLatch.releaseAll", timestamp);
    this.#releases += 1;
    this.#listener?.("releaseAll", -1, -1, timestamp);
    for (let i = 0; i < this.#slots.length; i++) {
      if (this.#holders[i]! > 0) {
        this.#holders[i] = 0;
        this.#addEdge(i, timestamp);
      }
      if (this.#slots[i]!.field.kind === "axis") this.#addValue(i, 0, timestamp);
    }
  }

  /**
   * Discards the presses and releases that no step has seen, for example after a pause. The next step sees which
   * buttons are held now, but no taps from the meantime.
   */
  forget(): void {
    this.#listener?.("forget", -1, -1, NEXT_STEP);
    for (let i = 0; i < this.#slots.length; i++)
      this.#waiting[i]!.keepLast(this.#slots[i]!.field.kind === "button" ? this.#waiting[i]!.length % 2 : 1);
  }

  /**
   * Calls `poll` before the first step of each frame, to read devices that send no events. Returns a function that
   * removes it.
   */
  onSample(poll: () => void): () => void {
    requireFunction("InputLatch.onSample: poll", poll);
    // Wrapped, as the same function may be added twice.
    const wrapped = () => poll();
    this.#polls.push(wrapped);
    return () => {
      const index = this.#polls.indexOf(wrapped);
      if (index >= 0) this.#polls.splice(index, 1);
    };
  }

  /** @internal Calls the polls of `onSample`, for a latch whose events another thread samples. */
  poll(): void {
    for (let i = 0; i < this.#polls.length; i++) this.#polls[i]!();
  }

  /** @internal Tells a listener what happens from now on: another thread has a latch with the same events. One at a time. */
  tellTo(listener: LatchListener | undefined): void {
    this.#listener = listener;
  }

  /** @internal How often each button is held, and the bits of each axis and int, by slot: what a latch in another thread begins with. */
  get held(): { readonly holders: readonly number[]; readonly values: readonly number[] } {
    return { holders: [...this.#holders], values: [...this.#newest] };
  }

  /** @internal Does what a listener was told. */
  take(kind: Parameters<LatchListener>[0], slot: number, bits: number, timestamp: number): void {
    const name = this.#slots[slot]?.name as never;
    if (kind === "press") this.press(name, timestamp);
    else if (kind === "release") this.release(name, timestamp);
    else if (kind === "set") this.#addValue(slot, bits, timestamp);
    else if (kind === "releaseAll") this.releaseAll(timestamp);
    else this.forget();
  }

  /**
   * Writes the words of a tick. If a frame runs several steps, each takes the events of its own share of the frame's
   * time, and the last step takes all that are left.
   */
  sample(words: Uint32Array, offset: number, request: InputRequest): void {
    const { due, frameStart, frameEnd, peek, duration = 0 } = request;
    const frame = this.#frame;
    const isSameFrame =
      due === this.#due - 1 && frameStart === frame[FRAME_START]! && frameEnd === frame[FRAME_END]!;
    if (!isSameFrame || peek) for (let i = 0; i < this.#polls.length; i++) this.#polls[i]!();
    let sharedStart = frameStart;
    const lastEnd = frame[FRAME_END]!;
    if (isSameFrame) sharedStart = frame[SHARED_START]!;
    else if (lastEnd < frameStart && frameStart - lastEnd < MAX_GAP) sharedStart = lastEnd;
    const steps = isSameFrame ? this.#steps : due;
    if (!peek) {
      frame[FRAME_START] = frameStart;
      frame[FRAME_END] = frameEnd;
      frame[SHARED_START] = sharedStart;
      this.#steps = steps;
      this.#due = due;
    }
    const share = (frameEnd - sharedStart) / steps;
    const start = sharedStart + (steps - due) * share;
    // Not start + share, which may differ in the last bit from the start of the next step. The last step of a frame has
    // no end: it takes everything.
    const end = due > 1 && frameEnd < Infinity ? sharedStart + (steps - due + 1) * share : NaN;

    const seen = this.#seen;
    for (let word = 0; word < seen.length; word++) words[offset + word] = seen[word]! & this.#lasting[word]!;
    for (let i = 0; i < this.#slots.length; i++) {
      const waiting = this.#waiting[i]!;
      const pressedAt = this.#pressedAt[i]!;
      if (!peek) this.#pressedAt[i] = NaN;
      if (waiting.length === 0) continue;
      const slot = this.#slots[i]!;
      if (slot.field.kind !== "button") {
        const passed = waiting.countBefore(end);
        if (passed === 0) continue;
        writeBits(slot, words, offset, waiting.bits(passed - 1));
        if (!peek) waiting.drop(passed);
      } else if (
        !(waiting.time(0) >= end) ||
        (duration > 0 && waiting.time(0) - pressedAt < duration * 1000)
      ) {
        // A tap shorter than a step is down for exactly one tick, even if its release falls into a later share.
        words[offset + slot.word]! ^= slot.mask;
        const isPress = (words[offset + slot.word]! & slot.mask) !== 0;
        const fractions = this.#fractions[i]!;
        for (let j = 0; j < fractions.length; j++) {
          const { slot: timed, ofPress } = fractions[j]!;
          if (ofPress !== isPress) continue;
          const reached = ((waiting.time(0) - start) / share) * timed.field.base;
          // 0 if the time is unknown (NaN).
          const bits = reached > 0 ? Math.min(timed.field.max, Math.floor(reached)) : 0;
          writeBits(timed, words, offset, bits);
        }
        if (peek) continue;
        if (isPress) this.#pressedAt[i] = waiting.time(0);
        waiting.drop(1);
      }
    }
    if (!peek) for (let word = 0; word < seen.length; word++) seen[word] = words[offset + word]!;
  }

  /**
   * Adds an edge of a button. If the queue is full, it cancels the edge before it: one tap is lost, and the final state
   * is right.
   */
  #addEdge(i: number, timestamp: number): void {
    // Another thread's latch has it.
    if (this.#listener) return;
    const waiting = this.#waiting[i]!;
    if (waiting.length < MAX_EDGES) return waiting.add(timestamp, 0);
    waiting.dropLast();
    this.#lost += 1;
  }

  /** Adds a value of an axis or int. If the queue is full, the oldest value is dropped. */
  #addValue(i: number, bits: number, timestamp: number): void {
    if (this.#newest[i]! === bits >>> 0) return;
    this.#newest[i] = bits;
    if (this.#listener) return;
    const waiting = this.#waiting[i]!;
    if (waiting.length === MAX_VALUES) waiting.drop(1);
    waiting.add(timestamp, bits);
  }

  #button(call: string, name: string): number {
    const i = this.#names.get(name);
    if (i === undefined || this.#slots[i]!.field.kind !== "button")
      return unknownName(call, "button", name, this.#namesOf("button"));
    return i;
  }

  #namesOf(...kinds: readonly string[]): string[] {
    return this.#slots.filter(({ field }) => kinds.includes(field.kind)).map((slot) => slot.name);
  }
}

function requireTime(call: string, timestamp: unknown): void {
  if (!(typeof timestamp === "number" && timestamp === timestamp))
    badValue(`${call}: timestamp`, "a number of milliseconds", timestamp, "event.timeStamp");
}

/**
 * Creates a latch for one player: `inputLatch(game.packing)`. Devices and bots press its buttons, and a session samples
 * it.
 */
export function inputLatch<I extends InputFields>(
  packing: Packing<I>,
  options: LatchOptions<NoInfer<I>> = {},
): InputLatch<I> {
  requireArguments("inputLatch", arguments.length, 2);
  return new InputLatch(packing, options);
}
