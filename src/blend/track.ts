import { badValue } from "../errors/index.js";
import { moveObject } from "./move.js";
import type { Shape } from "./shape.js";
import type { TrackList } from "./track-list.js";
import { markView, type Placement, type Shift, type Tracker } from "./trackers.js";

/** The states of an object that has left its list, in case it returns. */
export interface KeptStates {
  readonly previous: Float64Array;
  readonly current: Float64Array;
  readonly heldPrevious: readonly unknown[];
  readonly heldCurrent: readonly unknown[];
  /** The steps at whose beginning, and at whose end, it was last read; -1 if its states were discarded since. */
  entered: number;
  left: number;
}

/** An object that a list has, or had, and its view. */
export class Track implements Tracker {
  readonly view: object;
  /** Its index in the list, and where its numbers and held values begin; meaningless while `kept` is set. */
  index = -1;
  numbers = 0;
  held = 0;
  /** Set while it is not in the list. */
  kept: KeptStates | undefined;
  /** The last version of the list that had it. */
  version = 0;

  constructor(
    readonly owner: TrackList,
    readonly object: object,
    readonly shape: Shape,
  ) {
    this.view = shape.createView();
    markView(this.view);
  }

  teleport(row: number | undefined): void {
    rejectRow("teleport", row);
    this.owner.teleport(this);
  }

  shift(by: Shift, row: number | undefined, move: () => void): void {
    rejectRow("shift", row);
    this.owner.shift(this, by, move);
  }

  contact(fraction: number, at: Placement, row: number | undefined): boolean {
    rejectRow("contact", row);
    return this.owner.contact(this, fraction, at);
  }

  move(by: Shift): void {
    moveObject(this.object, by);
  }
}

function rejectRow(call: string, row: number | undefined): void {
  if (row !== undefined) badValue(`${call}: row`, "omitted for an object", row, `${call}(object)`);
}
