import { badValue, requireType } from "../errors/index.js";
import type { BlendFactor } from "./batch.js";
import { addTracker, trackersOf, removeTracker } from "./trackers.js";
import type { Smoother } from "./listen.js";
import type { Shapes } from "./shape.js";
import { Track, type StepCounter } from "./track.js";

/** The tracks of a list of objects. */
export class Tracks implements Smoother {
  readonly views: object[] = [];
  readonly #list: () => readonly object[];
  readonly #shapes: Shapes;
  readonly #counter: StepCounter = { step: 0 };
  /** In the order of the objects when the list was last read. */
  readonly #tracks: Track[] = [];

  constructor(list: () => readonly object[], shapes: Shapes) {
    this.#list = list;
    this.#shapes = shapes;
  }

  enter(): void {
    this.#counter.step++;
    const tracks = this.#current();
    for (let i = 0; i < tracks.length; i++) tracks[i]!.enter();
  }

  leave(): void {
    const tracks = this.#current();
    for (let i = 0; i < tracks.length; i++) tracks[i]!.leave();
  }

  draw(factor: BlendFactor): void {
    const tracks = this.#current();
    const { views } = this;
    if (views.length > tracks.length) views.length = tracks.length;
    for (let i = 0; i < tracks.length; i++) {
      const track = tracks[i]!;
      track.draw(factor);
      if (views[i] !== track.view) views[i] = track.view;
    }
  }

  forget(): void {
    this.#counter.step++;
  }

  end(): void {
    for (const track of this.#tracks) removeTracker(track.object, track);
    this.#tracks.length = 0;
  }

  /** Returns the tracks of the current list. */
  #current(): readonly Track[] {
    const list = this.#list();
    const tracks = this.#tracks;
    if (!Array.isArray(list))
      badValue("smoothAll: list", "an array, or a function that returns one", list, "crates");
    for (let i = 0; i < list.length; i++)
      if (!tracks[i] || tracks[i]!.object !== list[i]) tracks[i] = this.#find(list[i] as object, i);
    if (tracks.length > list.length) tracks.length = list.length;
    return tracks;
  }

  #find(object: object, i: number): Track {
    requireType(`smoothAll: list[${i}]`, object, "object", "an array that contains only objects");
    const known = trackersOf(object).find(({ owner }) => owner === this);
    if (known) return known as Track;
    const track = new Track(this, object, this.#shapes.of(object), this.#counter);
    addTracker(object, track);
    return track;
  }
}
