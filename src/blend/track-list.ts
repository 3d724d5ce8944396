import { badValue, requireType } from "../errors/index.js";
import type { BlendFactor, StepLength } from "./batch.js";
import { get } from "./interpreted-passes.js";
import { Extrapolation } from "./extrapolation.js";
import type { Smoother } from "./listen.js";
import { checkContact, checkShift } from "./move.js";
import { ObjectContacts } from "./object-contacts.js";
import type { Range, States } from "./passes.js";
import type { Shape, Shapes } from "./shape.js";
import { Track, type KeptStates } from "./track.js";
import { addTracker, removeTracker, trackersOf, type Placement, type Shift } from "./trackers.js";

const NEVER = -1;

/** Consecutive objects of one shape. */
interface ShapeRange extends Range {
  readonly shape: Shape;
}

/**
 * Tracks a list of objects, which may change at any time. Their states lie in the order of the list, so that a pass over all
 * objects of a shape is one loop. When the list changes, the states are sorted again.
 */
export class TrackList implements Smoother {
  readonly views: object[] = [];
  readonly #call: string;
  readonly #list: () => readonly object[];
  readonly #shapes: Shapes;
  /** Counts steps, and other events that discard earlier states. */
  #step = 0;
  /** The steps at whose beginning, and at whose end, the list was last read. */
  #enteredStep = 0;
  #leftStep = 0;
  #tracks: Track[] = [];
  #states = newStates(0);
  #ranges: ShapeRange[] = [];
  /** Objects that were not read when the last step began, or when it ended: they are new, or were teleported since. */
  readonly #lacksPrevious = new Set<Track>();
  readonly #lacksCurrent = new Set<Track>();
  /** Between `enter` and `leave`. */
  #isInStep = false;
  /** Whether the public views are in the order of the list. */
  #areViewsSorted = false;
  /** Seconds of the last step. */
  #length: StepLength = { dt: 0 };
  /** Moments of the last step that the picture goes through. */
  readonly #contacts = new ObjectContacts();
  /** Counts changes of the list. */
  #version = 0;
  /** What the last change of the list has replaced, to be reused by the next one. */
  #spareTracks: Track[] = [];
  #spareStates = newStates(0);

  constructor(call: string, list: () => readonly object[], shapes: Shapes) {
    this.#call = call;
    this.#list = list;
    this.#shapes = shapes;
  }

  enter(step: StepLength): void {
    const list = this.#read();
    this.#step++;
    this.#isInStep = true;
    this.#length = step;
    this.#contacts.clear();
    for (let i = 0; i < this.#ranges.length; i++) {
      const range = this.#ranges[i]!;
      // The list has changed: sort its states, and start again.
      if (!range.shape.passes.enter(list, this.#states, range, step)) i = this.#sort(list);
    }
    this.#enteredStep = this.#step;
    if (this.#lacksCurrent.size > 0)
      for (const track of this.#lacksCurrent) if (!track.kept) this.#forgetMotion(track);
    if (this.#lacksPrevious.size > 0) this.#lacksPrevious.clear();
  }

  leave(step: StepLength): void {
    this.#isInStep = false;
    this.#length = step;
    // Objects that are new in the list have no states yet. A frame, or the next step, reads them.
    for (let i = 0; i < this.#ranges.length; i++)
      this.#ranges[i]!.shape.passes.leave(this.#states, this.#ranges[i]!, step);
    this.#contacts.leave(this.#states);
    // Sets are asked for their size first, as a loop over one allocates.
    if (this.#lacksPrevious.size > 0)
      for (const track of this.#lacksPrevious) if (!track.kept) this.#discardPrevious(track);
    this.#leftStep = this.#step;
    if (this.#lacksCurrent.size > 0) this.#lacksCurrent.clear();
  }

  draw(factor: BlendFactor): void {
    const list = this.#read();
    if (this.#lacksCurrent.size > 0) this.#readNew();
    for (let i = 0; i < this.#ranges.length; i++) {
      const range = this.#ranges[i]!;
      if (range.shape.passes.draw(list, this.#states, range, factor)) continue;
      i = this.#sort(list);
      this.#readNew();
    }
    this.#contacts.draw(this.#states, factor);
    if (this.#areViewsSorted) return;
    this.#areViewsSorted = true;
    this.views.length = 0;
    for (const { view } of this.#tracks) this.views.push(view);
  }

  /** Reads the objects that were not read at the end of the last step, and shows them as they are. */
  #readNew(): void {
    for (const track of this.#lacksCurrent) {
      if (track.kept) continue;
      const { shape, index, numbers, held } = track;
      shape.passes.leave(this.#states, { first: index, end: index + 1, numbers, held }, this.#length);
      this.#discardPrevious(track);
      this.#lacksCurrent.delete(track);
    }
  }

  /** Makes the previous state of an object equal to the current one. */
  #discardPrevious(track: Track): void {
    const { shape, numbers, held } = track;
    const { previous, current, heldPrevious, heldCurrent } = this.#states;
    for (let i = numbers; i < numbers + shape.numbers; i++) previous[i] = current[i]!;
    for (let i = held; i < held + shape.held.length; i++) heldPrevious[i] = heldCurrent[i];
    this.#forgetMotion(track);
  }

  #forgetMotion({ shape, numbers }: Track): void {
    for (const { motion, from, paths, extra } of shape.fields)
      motion?.forget(this.#states, numbers + from, paths.length, numbers + extra, paths.length);
  }

  /** Returns the list. Sorts the states if its length has changed. */
  #read(): readonly object[] {
    const list = this.#list();
    if (!Array.isArray(list))
      badValue(`${this.#call}: list`, "an array, or a function that returns one", list, "crates");
    if (list.length !== this.#tracks.length) this.#sort(list as object[]);
    return list as object[];
  }

  forget(): void {
    this.#leftStep = ++this.#step;
    for (const track of this.#tracks) this.#lacksCurrent.add(track);
  }

  end(): void {
    for (const track of this.#tracks) removeTracker(track.object, track);
    this.#sort([]);
  }

  /** Discards the earlier states of an object. */
  teleport(track: Track): void {
    if (track.kept) track.kept.entered = track.kept.left = NEVER;
    this.#lacksPrevious.add(track);
    this.#lacksCurrent.add(track);
  }

  /** Moves an object by `move`, and its states by the same amounts, so that its visible motion continues. */
  shift(track: Track, by: Shift, move: () => void): void {
    const { object, shape, kept } = track;
    checkShift(by, shape.kinds);
    const { previous, current } = kept ?? this.#states;
    const start = kept ? 0 : track.numbers;
    const isEntered = kept ? kept.entered === this.#enteredStep : !this.#lacksPrevious.has(track);
    const isInStep = this.#isInStep && isEntered;
    const fields = shape.fields.filter(
      ({ name, from, paths }) =>
        by.has(name) &&
        (isInStep || paths.every((path, j) => get(object, path) === current[start + from + j])),
    );
    move();
    for (const field of fields) {
      const { name, from, paths, motion, extra } = field;
      paths.forEach((path, j) => {
        const amount = by.get(name)![j] ?? 0;
        previous[start + from + j]! += amount;
        // Read it from the object, which may store fewer digits.
        current[start + from + j] = get(object, path) as number;
        this.#contacts.shift(track, shape.fields.indexOf(field), j, amount, previous[start + from + j]!);
        if (motion instanceof Extrapolation) {
          previous[start + extra + j]! += amount;
          current[start + extra + j]! += amount;
        }
      });
    }
  }

  /** Notes where an object was at a fraction of the step. Returns whether a step is running. */
  contact(track: Track, fraction: number, at: Placement): boolean {
    checkContact(at, track.shape.kinds);
    if (this.#isInStep && !track.kept && !this.#lacksPrevious.has(track))
      this.#contacts.note(track, this.#states, fraction, at);
    return this.#isInStep;
  }

  /** Sorts the states into the order of the list. Returns -1, the index before the first range. */
  #sort(list: readonly object[]): number {
    const [oldTracks, old] = [this.#tracks, this.#states];
    const tracks = this.#spareTracks;
    tracks.length = 0;
    // First of all, as this throws for a bad list.
    for (let i = 0; i < list.length; i++)
      tracks.push(list[i] === old.objects[i] ? oldTracks[i]! : this.#find(list[i]!, i));
    const ranges = rangesOf(tracks);
    const { numbers } = sizeOf(ranges);
    const states = this.#spareStates.previous.length >= numbers ? this.#spareStates : newStates(2 * numbers);
    const version = ++this.#version;
    for (const range of ranges)
      for (let i = range.first; i < range.end; i++) {
        const track = tracks[i]!;
        this.#copy(track, old, states, i, range);
        track.version = version;
      }
    for (const track of oldTracks) if (track.version !== version) track.kept ??= this.#keep(track, old);
    for (const range of ranges) for (let i = range.first; i < range.end; i++) place(tracks[i]!, i, range);
    // Hold no reference to objects that have left.
    for (const array of [old.objects, old.views, old.heldPrevious, old.heldCurrent, oldTracks])
      array.length = 0;
    this.#tracks = tracks;
    this.#states = states;
    this.#ranges = ranges;
    this.#spareTracks = oldTracks;
    this.#spareStates = old;
    this.#areViewsSorted = false;
    return -1;
  }

  /** Copies an object with its states, from wherever they are, to its new place. */
  #copy(track: Track, old: States, states: States, i: number, range: ShapeRange): void {
    const { shape, kept, index } = track;
    const numbers = range.numbers + (i - range.first) * shape.numbers;
    // Pushed one by one, as engines are slower on arrays whose length was set.
    states.objects.push(track.object);
    states.views.push(track.view);
    if (!kept && index < 0) {
      for (let j = 0; j < shape.held.length; j++) {
        states.heldPrevious.push(undefined);
        states.heldCurrent.push(undefined);
      }
      this.#lacksPrevious.add(track);
      this.#lacksCurrent.add(track);
      return;
    }
    const from = kept ?? old;
    const fromNumbers = kept ? 0 : track.numbers;
    const fromHeld = kept ? 0 : track.held;
    for (let j = 0; j < shape.numbers; j++) {
      states.previous[numbers + j] = from.previous[fromNumbers + j]!;
      states.current[numbers + j] = from.current[fromNumbers + j]!;
    }
    for (let j = 0; j < shape.held.length; j++) {
      states.heldPrevious.push(from.heldPrevious[fromHeld + j]);
      states.heldCurrent.push(from.heldCurrent[fromHeld + j]);
    }
    if (kept && kept.entered !== this.#enteredStep) this.#lacksPrevious.add(track);
    if (kept && kept.left !== this.#leftStep) this.#lacksCurrent.add(track);
  }

  /** Returns the states of an object that has left the list, in case it returns. */
  #keep(track: Track, old: States): KeptStates {
    const { shape, numbers, held } = track;
    return {
      previous: old.previous.slice(numbers, numbers + shape.numbers),
      current: old.current.slice(numbers, numbers + shape.numbers),
      heldPrevious: old.heldPrevious.slice(held, held + shape.held.length),
      heldCurrent: old.heldCurrent.slice(held, held + shape.held.length),
      entered: this.#lacksPrevious.delete(track) ? NEVER : this.#enteredStep,
      left: this.#lacksCurrent.delete(track) ? NEVER : this.#leftStep,
    };
  }

  #find(object: object, i: number): Track {
    requireType(`${this.#call}: list[${i}]`, object, "object", "an array that contains only objects");
    const known = trackersOf(object).find(({ owner }) => owner === this);
    if (known) return known as Track;
    const track = new Track(this, object, this.#shapes.of(object));
    addTracker(object, track);
    return track;
  }
}

function newStates(numbers: number): States {
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

function rangesOf(tracks: readonly Track[]): ShapeRange[] {
  const ranges: ShapeRange[] = [];
  let first = 0;
  for (let i = 1; i <= tracks.length; i++) {
    const { shape } = tracks[first]!;
    if (tracks[i]?.shape === shape) continue;
    ranges.push({ shape, first, end: i, ...sizeOf(ranges) });
    first = i;
  }
  return ranges;
}

/** Returns how many numbers and held values the objects of all ranges have. */
function sizeOf(ranges: readonly ShapeRange[]): { numbers: number; held: number } {
  const last = ranges.at(-1);
  if (!last) return { numbers: 0, held: 0 };
  const count = last.end - last.first;
  return {
    numbers: last.numbers + count * last.shape.numbers,
    held: last.held + count * last.shape.held.length,
  };
}

/** Notes where an object and its states lie. */
function place(track: Track, index: number, { shape, first, numbers, held }: ShapeRange): void {
  track.index = index;
  track.numbers = numbers + (index - first) * shape.numbers;
  track.held = held + (index - first) * shape.held.length;
  track.kept = undefined;
}
