import { get, set } from "./interpreted-passes.js";
import type { MotionStates } from "./motion.js";
import type { ObjectTracks } from "./object-tracks.js";
import type { Shape, ShapeField } from "./shape.js";
import { addTracker, markView, type Tracker } from "./trackers.js";

/** The states of an object that has left its list, in case it returns. */
export interface KeptStates extends MotionStates {
  readonly heldPrevious: readonly unknown[];
  readonly heldCurrent: readonly unknown[];
  /** The steps at whose beginning, and at whose end, it was last read; -1 if its states were discarded since. */
  entered: number;
  left: number;
}

/** An object with a view, and where its states are. */
export class Track implements Tracker {
  readonly view: object;
  readonly fields: readonly ShapeField[];
  /** Its index among the objects, and where its numbers and held values begin. */
  index = -1;
  numbers = 0;
  held = 0;
  /** Set while it is not in its list. */
  kept: KeptStates | undefined;
  /** The last version of the list that had it. */
  version = 0;

  constructor(
    readonly owner: ObjectTracks,
    readonly object: object,
    readonly shape: Shape,
  ) {
    this.view = shape.createView();
    this.fields = shape.fields;
    markView(this.view);
    addTracker(object, this);
  }

  teleport(): void {
    this.owner.teleport(this);
  }

  statesOf(): MotionStates {
    return this.kept ?? this.owner.states;
  }

  isEntered(): boolean {
    return this.owner.isInStep && this.owner.isEntered(this);
  }

  range(): readonly [number, number] {
    return [0, 1];
  }

  isWritten({ from, paths }: ShapeField): boolean {
    const { current } = this.statesOf();
    return paths.some((path, j) => get(this.object, path) !== current[this.numbers + from + j]);
  }

  read({ paths }: ShapeField, part: number): number {
    return get(this.object, paths[part]!) as number;
  }

  show({ paths }: ShapeField, part: number, value: number): void {
    set(this.view, paths[part]!, value);
  }
}
