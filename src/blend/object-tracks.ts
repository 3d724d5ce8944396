import type { BlendFactor, StepLength } from "./batch.js";
import type { Contacts } from "./contacts.js";
import type { AnyFields } from "./kinds.js";
import type { Smoother } from "./listen.js";
import type { Range, States } from "./passes.js";
import type { Shape, Shapes } from "./shape.js";
import { Track } from "./track.js";
import { removeTracker, type TrackerOwner } from "./trackers.js";

/** Consecutive objects of one shape. */
export interface ShapeRange extends Range {
  readonly shape: Shape;
}

/** Blends objects: keeps their states before and after the last step. `TrackList` follows a list of them, which may change. */
export class ObjectTracks implements Smoother, TrackerOwner {
  contacts: Contacts | undefined;
  isInStep = false;
  states: States = newStates(0);
  readonly kinds: AnyFields;
  readonly ahead: number;
  protected tracks: Track[] = [];
  protected ranges: readonly ShapeRange[] = [];
  /** Objects that were not read when the last step began, or when it ended: they are new, or were teleported since. */
  protected readonly lacksPrevious = new Set<Track>();
  protected readonly lacksCurrent = new Set<Track>();
  /** Seconds of the last step. */
  #length: StepLength = { dt: 0 };

  constructor(protected readonly shapes: Shapes) {
    this.kinds = shapes.kinds;
    this.ahead = shapes.ahead?.steps ?? 0;
  }

  /** Sets the only object. Returns its view. */
  set(object: object): object {
    const shape = this.shapes.of(object);
    const track = new Track(this, object, shape);
    const { view } = track;
    const nothing = () => shape.held.map(() => undefined);
    track.index = 0;
    this.tracks = [track];
    this.states = {
      ...newStates(shape.numbers),
      objects: [object],
      views: [view],
      heldPrevious: nothing(),
      heldCurrent: nothing(),
    };
    this.ranges = [{ shape, first: 0, end: 1, numbers: 0, held: 0 }];
    this.teleport(track);
    return view;
  }

  enter(step: StepLength): void {
    this.isInStep = true;
    this.#length = step;
    this.contacts?.clear();
    for (let i = 0; i < this.ranges.length; i++)
      this.ranges[i]!.shape.passes.enter(this.states, this.ranges[i]!, step);
    // Sets are asked for their size first, as a loop over one allocates.
    if (this.lacksCurrent.size > 0) for (const track of this.lacksCurrent) this.#forgetMotion(track);
    if (this.lacksPrevious.size > 0) this.lacksPrevious.clear();
  }

  leave(step: StepLength): void {
    this.isInStep = false;
    this.#length = step;
    for (let i = 0; i < this.ranges.length; i++)
      this.ranges[i]!.shape.passes.leave(this.states, this.ranges[i]!, step);
    this.contacts?.leave();
    if (this.lacksPrevious.size > 0) for (const track of this.lacksPrevious) this.#discardPrevious(track);
    if (this.lacksCurrent.size > 0) this.lacksCurrent.clear();
  }

  draw(factor: BlendFactor): void {
    if (this.lacksCurrent.size > 0) this.#readNew();
    for (let i = 0; i < this.ranges.length; i++)
      this.ranges[i]!.shape.passes.draw(this.states, this.ranges[i]!, factor);
    this.contacts?.draw(factor);
  }

  forget(): void {
    this.isInStep = false;
    for (const track of this.tracks) this.lacksCurrent.add(track);
  }

  end(): void {
    for (const track of this.tracks) removeTracker(track.object, track);
  }

  /** Discards the earlier states of an object. */
  teleport(track: Track): void {
    this.lacksPrevious.add(track);
    this.lacksCurrent.add(track);
  }

  /** Whether an object has a previous state. */
  isEntered(track: Track): boolean {
    return !this.lacksPrevious.has(track);
  }

  /** Reads the objects that were not read at the end of the last step, and shows them as they are. */
  #readNew(): void {
    for (const track of this.lacksCurrent) {
      const { shape, index, numbers, held } = track;
      shape.passes.leave(this.states, { first: index, end: index + 1, numbers, held }, this.#length);
      this.#discardPrevious(track);
    }
    this.lacksCurrent.clear();
  }

  /** Makes the previous state of an object equal to the current one. */
  #discardPrevious(track: Track): void {
    const { shape, numbers, held } = track;
    const { previous, current, heldPrevious, heldCurrent } = this.states;
    for (let i = numbers; i < numbers + shape.numbers; i++) previous[i] = current[i]!;
    for (let i = held; i < held + shape.held.length; i++) heldPrevious[i] = heldCurrent[i];
    this.#forgetMotion(track);
  }

  #forgetMotion({ fields, numbers }: Track): void {
    for (const { motion, from, stride, extra } of fields)
      motion?.forget(this.states, numbers + from, stride, numbers + extra, stride);
  }
}

export function newStates(numbers: number): States {
  const previous = new Float64Array(numbers);
  const current = new Float64Array(numbers);
  const shown = new Float64Array(numbers);
  return {
    objects: [],
    views: [],
    previous,
    current,
    shown,
    next: shown,
    before: previous,
    after: current,
    heldPrevious: [],
    heldCurrent: [],
  };
}
