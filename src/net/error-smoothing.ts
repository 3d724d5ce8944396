import { badValue, misuse, requireNumber } from "../errors/index.js";
import type { Arrays } from "../state/arrays.js";
import type { Fields, Layout, ReadonlyWorld } from "../state/index.js";
import { RowOffsets } from "./row-offsets.js";
import { smoothingRules, type SmoothingOptions } from "./smoothing-options.js";

/** The numbers of a world, and its index: the world that steps write to is 0. */
interface WorldMemory extends Arrays {
  readonly index: number;
}

/** After this many ticks, no error is left that anybody would want to see. */
const FORGET_TICKS = 1000;

/**
 * Hides corrections. When a rollback or a server changes a state that was already drawn, a row would jump. Instead, the
 * difference between what was drawn and what is right is added to the view, and decays. Only views are written to, never the state.
 *
 * Errors follow the blend modes of the layout: fields without one are shown as they are. Rows that only one of the two states
 * has, and rows that were passed to `skipBlend`, jump.
 */
export class ErrorSmoother<S extends Fields = Fields> {
  readonly #offsets: readonly RowOffsets[];

  constructor(layout: Layout<S>, options: SmoothingOptions = {}) {
    const rules = smoothingRules("errorSmoothing", options);
    this.#offsets = layout.owners.map((owner) => new RowOffsets(owner, rules));
  }

  /** Rows, and groups, whose view is not where it should be yet. */
  get count(): number {
    let count = 0;
    for (let i = 0; i < this.#offsets.length; i++) count += this.#offsets[i]!.count;
    return count;
  }

  /**
   * Call it when the past was corrected. `before` and `after` show the same moment, as it was and as it is: two states of the
   * shown tick, or two views at the same alpha, which hide the correction completely. Neither contains the errors that `apply` adds.
   * Returns the distance of the largest correction of a position; Infinity if a row came or went.
   */
  corrected(before: ReadonlyWorld<S>, after: ReadonlyWorld<S>): number {
    const [old, now] = [memoryOf("before", before), memoryOf("after", after)];
    let largest = 0;
    for (let i = 0; i < this.#offsets.length; i++)
      largest = Math.max(largest, this.#offsets[i]!.correct(old, now));
    return largest;
  }

  /** Lets the errors decay. Call it once per frame with the ticks that passed, also fractions. */
  advance(ticks: number): void {
    requireNumber("ErrorSmoother.advance: ticks", ticks, 0, Infinity, 0.5);
    if (ticks > FORGET_TICKS) return this.clear();
    for (let i = 0; i < this.#offsets.length; i++) {
      const offsets = this.#offsets[i]!;
      for (let left = ticks; left > 0 && offsets.count > 0; left--) offsets.shrink(left < 1 ? left : 1);
    }
  }

  /** Adds the errors to a view that was just blended. */
  apply(view: ReadonlyWorld<S>): void {
    const memory = memoryOf("view", view);
    if (memory.index === 0)
      misuse("in-use", "ErrorSmoother.apply", "this is the state itself", "Pass a view: state.at(snapshot)");
    for (let i = 0; i < this.#offsets.length; i++) {
      const offsets = this.#offsets[i]!;
      if (offsets.count > 0) offsets.apply(memory);
    }
  }

  /** Ends all errors: the next view shows what is right. */
  clear(): void {
    for (let i = 0; i < this.#offsets.length; i++) this.#offsets[i]!.clear();
  }
}

/** Creates an `ErrorSmoother` for the states of a layout. */
export function errorSmoothing<S extends Fields>(
  layout: Layout<S>,
  options: SmoothingOptions = {},
): ErrorSmoother<S> {
  return new ErrorSmoother(layout, options);
}

function memoryOf(name: string, world: unknown): WorldMemory {
  const { $memory: memory } = (world ?? {}) as { $memory?: WorldMemory };
  return memory ?? badValue(`ErrorSmoother: ${name}`, "a world or a view", world, "session.view(alpha)");
}
