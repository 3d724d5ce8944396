import { badValue } from "../errors/index.js";
import { markView, type Keeper, type Shift } from "./keepers.js";
import type { Picture } from "./batch.js";
import { checkShift, moveObject } from "./move.js";
import type { Shape } from "./shape.js";

/** Counts the steps of a loop, and all else that ends what was known of the states before. */
export interface Era {
  step: number;
}

const NEVER = -1;

/** The previous and the current state of one object, and its view. */
export class Track implements Keeper {
  readonly object: object;
  readonly owner: object;
  readonly view: object;
  readonly #shape: Shape;
  readonly #era: Era;
  readonly #previous: Float64Array;
  readonly #current: Float64Array;
  readonly #heldPrevious: unknown[];
  readonly #heldCurrent: unknown[];
  readonly #heldShown: unknown[];
  /** The last step at whose beginning, and at whose end, it was there. */
  #entered = NEVER;
  #left = NEVER;
  /** No number differs between the states: whatever the object has is to be shown. */
  #rests = true;

  constructor(owner: object, object: object, shape: Shape, era: Era) {
    this.owner = owner;
    this.object = object;
    this.#shape = shape;
    this.#era = era;
    this.#previous = new Float64Array(shape.numbers);
    this.#current = new Float64Array(shape.numbers);
    this.#heldPrevious = roomFor(shape.held);
    this.#heldCurrent = roomFor(shape.held);
    this.#heldShown = roomFor(shape.held);
    this.view = shape.createView();
    markView(this.view);
  }

  enter(): void {
    this.#shape.read(this.object, this.#previous, this.#heldPrevious);
    this.#entered = this.#era.step;
  }

  leave(): void {
    this.#shape.read(this.object, this.#current, this.#heldCurrent);
    this.#left = this.#era.step;
    // New in this step, or teleported by it: there is nothing to come from.
    if (this.#entered !== this.#era.step || this.#isCut(this.#heldPrevious, this.#heldCurrent))
      this.#settle();
    else this.#rests = isSame(this.#previous, this.#current, 0, this.#shape.numbers);
  }

  draw(at: Picture): void {
    const shape = this.#shape;
    const current = this.#current;
    const held = this.#heldShown;
    const shown = shape.scratch;
    shape.read(this.object, shown, held);
    if (this.#left !== this.#era.step || this.#isCut(this.#heldCurrent, held)) {
      shape.read(this.object, current, this.#heldCurrent);
      this.#left = this.#era.step;
      this.#settle();
    } else {
      for (let i = 0; i < shape.places.length && !this.#rests; i++) {
        const { kind, from, to } = shape.places[i]!;
        // What was written since the step is shown as it is.
        if (isSame(shown, current, from, to)) kind.blend(shown, this.#previous, current, from, to, at);
      }
      if (at.t < 1)
        for (let i = 0; i < held.length; i++)
          if (held[i] === this.#heldCurrent[i]) held[i] = this.#heldPrevious[i];
    }
    shape.write(this.view, shown, held);
  }

  teleport(row: number | undefined): void {
    refuseRow("teleport", row);
    this.#entered = this.#left = NEVER;
  }

  shift(by: Shift, row: number | undefined, move: () => void): void {
    refuseRow("shift", row);
    checkShift(by, this.#shape.kinds);
    const isInStep = this.#entered === this.#era.step && this.#left !== this.#era.step;
    const now = new Float64Array(this.#shape.numbers);
    const held: unknown[] = [];
    this.#shape.read(this.object, now, held);
    const places = this.#shape.places.filter(
      ({ name, from, to }) => by.has(name) && (isInStep || isSame(now, this.#current, from, to)),
    );
    move();
    this.#shape.read(this.object, now, held);
    for (const { name, from, to } of places)
      for (let i = from; i < to; i++) {
        this.#previous[i]! += by.get(name)![i - from] ?? 0;
        // As the object has it, which may hold fewer digits.
        this.#current[i] = now[i]!;
      }
  }

  move(by: Shift): void {
    moveObject(this.object, by);
  }

  /** Nothing before counts. */
  #settle(): void {
    this.#previous.set(this.#current);
    this.#rests = true;
    for (let i = 0; i < this.#heldCurrent.length; i++) this.#heldPrevious[i] = this.#heldCurrent[i];
  }

  #isCut(before: unknown[], after: unknown[]): boolean {
    const { cuts } = this.#shape;
    for (let i = 0; i < cuts.length; i++) if (before[cuts[i]!] !== after[cuts[i]!]) return true;
    return false;
  }
}

const NONE: unknown[] = [];
const roomFor = (held: number): unknown[] => (held > 0 ? Array.from({ length: held }) : NONE);

function refuseRow(call: string, row: number | undefined): void {
  if (row !== undefined) badValue(`${call}: row`, "left out, except for columns", row, `${call} without it`);
}

function isSame(a: Float64Array, b: Float64Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (a[i] !== b[i]) return false;
  return true;
}
