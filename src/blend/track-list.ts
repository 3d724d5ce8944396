import { badValue, requireType } from "../errors/index.js";
import type { BlendFactor, StepLength } from "./batch.js";
import { newStates, ObjectTracks, type ShapeRange } from "./object-tracks.js";
import type { States } from "./passes.js";
import type { Shapes } from "./shape.js";
import { Track, type KeptStates } from "./track.js";
import { trackersOf } from "./trackers.js";

const NEVER = -1;

/**
 * Blends the objects of a list, which may change at any time. Their states lie in the order of the list, so that a pass over all
 * objects of a shape is one loop. When the list changes, the states are sorted again.
 */
export class TrackList extends ObjectTracks {
  readonly views: object[] = [];
  readonly #list: () => readonly object[];
  /** Counts steps, and other events that discard earlier states. */
  #step = 0;
  /** The steps at whose beginning, and at whose end, the list was last read. */
  #enteredStep = 0;
  #leftStep = 0;
  /** Whether the public views are in the order of the list. */
  #areViewsSorted = false;
  /** Counts changes of the list. */
  #version = 0;
  /** What the last change of the list has replaced, to be reused by the next one. */
  #spareTracks: Track[] = [];
  #spareStates = newStates(0);

  constructor(shapes: Shapes, list: () => readonly object[]) {
    super(shapes);
    this.#list = list;
  }

  override enter(step: StepLength): void {
    this.#follow();
    super.enter(step);
    this.#enteredStep = ++this.#step;
  }

  override leave(step: StepLength): void {
    // Objects that are new in the list have no states yet. A frame, or the next step, reads them.
    super.leave(step);
    this.#leftStep = this.#step;
  }

  override draw(factor: BlendFactor): void {
    this.#follow();
    super.draw(factor);
    if (this.#areViewsSorted) return;
    this.#areViewsSorted = true;
    this.views.length = 0;
    for (const { view } of this.tracks) this.views.push(view);
  }

  override forget(): void {
    this.#leftStep = ++this.#step;
    super.forget();
  }

  override end(): void {
    super.end();
    this.#sort([]);
  }

  override teleport(track: Track): void {
    if (track.kept) track.kept.entered = track.kept.left = NEVER;
    else super.teleport(track);
  }

  override isEntered(track: Track): boolean {
    return track.kept ? track.kept.entered === this.#enteredStep : super.isEntered(track);
  }

  /** Sorts the states if the list has changed. */
  #follow(): void {
    const list = this.#list();
    if (!Array.isArray(list))
      badValue("smoothAll: list", "an array, or a function that returns one", list, "crates");
    const { objects } = this.states;
    let isSame = list.length === objects.length;
    for (let i = 0; isSame && i < list.length; i++) isSame = list[i] === objects[i];
    if (!isSame) this.#sort(list as object[]);
  }

  /** Sorts the states into the order of the list. */
  #sort(list: readonly object[]): void {
    const [oldTracks, old] = [this.tracks, this.states];
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
    for (const track of oldTracks) if (track.version !== version && !track.kept) this.#keep(track, old);
    for (const range of ranges) for (let i = range.first; i < range.end; i++) place(tracks[i]!, i, range);
    // Hold no reference to objects that have left.
    for (const array of [old.objects, old.views, old.heldPrevious, old.heldCurrent, oldTracks])
      array.length = 0;
    this.tracks = tracks;
    this.states = states;
    this.ranges = ranges;
    this.#spareTracks = oldTracks;
    this.#spareStates = old;
    this.#areViewsSorted = false;
  }

  /** Copies an object with its states, from wherever they are, to its new place. */
  #copy(track: Track, old: States, states: States, i: number, range: ShapeRange): void {
    const { shape, kept, index, numbers: fromNumbers, held: fromHeld } = track;
    const numbers = range.numbers + (i - range.first) * shape.numbers;
    // Pushed one by one, as engines are slower on arrays whose length was set.
    states.objects.push(track.object);
    states.views.push(track.view);
    if (index < 0 && !kept) {
      for (let j = 0; j < shape.held.length; j++) {
        states.heldPrevious.push(undefined);
        states.heldCurrent.push(undefined);
      }
      super.teleport(track);
      return;
    }
    const from = kept ?? old;
    for (let j = 0; j < shape.numbers; j++) {
      states.previous[numbers + j] = from.previous[fromNumbers + j]!;
      states.current[numbers + j] = from.current[fromNumbers + j]!;
    }
    for (let j = 0; j < shape.held.length; j++) {
      states.heldPrevious.push(from.heldPrevious[fromHeld + j]);
      states.heldCurrent.push(from.heldCurrent[fromHeld + j]);
    }
    if (kept && kept.entered !== this.#enteredStep) this.lacksPrevious.add(track);
    if (kept && kept.left !== this.#leftStep) this.lacksCurrent.add(track);
  }

  /** Keeps the states of an object that has left the list, in case it returns. */
  #keep(track: Track, old: States): void {
    const { shape, numbers, held } = track;
    const previous = old.previous.slice(numbers, numbers + shape.numbers);
    const current = old.current.slice(numbers, numbers + shape.numbers);
    const kept: KeptStates = {
      previous,
      current,
      next: current,
      before: previous,
      after: current,
      heldPrevious: old.heldPrevious.slice(held, held + shape.held.length),
      heldCurrent: old.heldCurrent.slice(held, held + shape.held.length),
      entered: this.lacksPrevious.delete(track) ? NEVER : this.#enteredStep,
      left: this.lacksCurrent.delete(track) ? NEVER : this.#leftStep,
    };
    track.kept = kept;
    track.numbers = track.held = 0;
  }

  #find(object: object, i: number): Track {
    requireType(`smoothAll: list[${i}]`, object, "object", "an array that contains only objects");
    const known = trackersOf(object).find(({ owner }) => owner === this);
    return known ? (known as Track) : new Track(this, object, this.shapes.of(object));
  }
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
