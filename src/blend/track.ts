import { badValue } from "../errors/index.js";
import { markView, type Tracker, type Shift } from "./trackers.js";
import type { BlendFactor } from "./batch.js";
import { checkShift, moveObject } from "./move.js";
import type { Shape } from "./shape.js";

/** Counts the steps of a loop, and other events that discard earlier states. */
export interface StepCounter {
  step: number;
}

const NEVER = -1;

/** The previous and the current state of one object, and its view. */
export class Track implements Tracker {
  readonly object: object;
  readonly owner: object;
  readonly view: object;
  readonly #shape: Shape;
  readonly #counter: StepCounter;
  readonly #previous: Float64Array;
  readonly #current: Float64Array;
  readonly #heldPrevious: unknown[];
  readonly #heldCurrent: unknown[];
  readonly #heldShown: unknown[];
  /** The last step at whose beginning, and at whose end, the object was read. */
  #entered = NEVER;
  #left = NEVER;
  /** Whether the two states are equal, so that the object can be shown as it is. */
  #isAtRest = true;

  constructor(owner: object, object: object, shape: Shape, counter: StepCounter) {
    this.owner = owner;
    this.object = object;
    this.#shape = shape;
    this.#counter = counter;
    this.#previous = new Float64Array(shape.numbers);
    this.#current = new Float64Array(shape.numbers);
    this.#heldPrevious = newArray(shape.held);
    this.#heldCurrent = newArray(shape.held);
    this.#heldShown = newArray(shape.held);
    this.view = shape.createView();
    markView(this.view);
  }

  enter(): void {
    this.#shape.read(this.object, this.#previous, this.#heldPrevious);
    this.#entered = this.#counter.step;
  }

  leave(): void {
    this.#shape.read(this.object, this.#current, this.#heldCurrent);
    this.#left = this.#counter.step;
    // New in this step, or teleported by it: there is no previous state.
    if (this.#entered !== this.#counter.step || this.#isTeleported(this.#heldPrevious, this.#heldCurrent))
      this.#discardPrevious();
    else this.#isAtRest = isSame(this.#previous, this.#current, 0, this.#shape.numbers);
  }

  draw(factor: BlendFactor): void {
    const shape = this.#shape;
    const current = this.#current;
    const held = this.#heldShown;
    const shown = shape.scratch;
    shape.read(this.object, shown, held);
    if (this.#left !== this.#counter.step || this.#isTeleported(this.#heldCurrent, held)) {
      shape.read(this.object, current, this.#heldCurrent);
      this.#left = this.#counter.step;
      this.#discardPrevious();
    } else {
      for (let i = 0; i < shape.ranges.length && !this.#isAtRest; i++) {
        const { kind, from, to } = shape.ranges[i]!;
        // Show changes after the step at once.
        if (isSame(shown, current, from, to)) kind.blend(shown, this.#previous, current, from, to, factor);
      }
      if (factor.t < 1)
        for (let i = 0; i < held.length; i++)
          if (held[i] === this.#heldCurrent[i]) held[i] = this.#heldPrevious[i];
    }
    shape.write(this.view, shown, held);
  }

  teleport(row: number | undefined): void {
    rejectRow("teleport", row);
    this.#entered = this.#left = NEVER;
  }

  shift(by: Shift, row: number | undefined, move: () => void): void {
    rejectRow("shift", row);
    checkShift(by, this.#shape.kinds);
    const isInStep = this.#entered === this.#counter.step && this.#left !== this.#counter.step;
    const now = new Float64Array(this.#shape.numbers);
    const held: unknown[] = [];
    this.#shape.read(this.object, now, held);
    const ranges = this.#shape.ranges.filter(
      ({ name, from, to }) => by.has(name) && (isInStep || isSame(now, this.#current, from, to)),
    );
    move();
    this.#shape.read(this.object, now, held);
    for (const { name, from, to } of ranges)
      for (let i = from; i < to; i++) {
        this.#previous[i]! += by.get(name)![i - from] ?? 0;
        // Read it from the object, which may store fewer digits.
        this.#current[i] = now[i]!;
      }
  }

  move(by: Shift): void {
    moveObject(this.object, by);
  }

  /** Makes the previous state equal to the current one. */
  #discardPrevious(): void {
    this.#previous.set(this.#current);
    this.#isAtRest = true;
    for (let i = 0; i < this.#heldCurrent.length; i++) this.#heldPrevious[i] = this.#heldCurrent[i];
  }

  #isTeleported(before: unknown[], after: unknown[]): boolean {
    const { teleports } = this.#shape;
    for (let i = 0; i < teleports.length; i++)
      if (before[teleports[i]!] !== after[teleports[i]!]) return true;
    return false;
  }
}

const NONE: unknown[] = [];
const newArray = (length: number): unknown[] => (length > 0 ? Array.from({ length }) : NONE);

function rejectRow(call: string, row: number | undefined): void {
  if (row !== undefined) badValue(`${call}: row`, "omitted for an object", row, `${call}(object)`);
}

function isSame(a: Float64Array, b: Float64Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (a[i] !== b[i]) return false;
  return true;
}
