import { badValue, requireType } from "../errors/index.js";
import type { Picture } from "./batch.js";
import { addKeeper, keepersOf, removeKeeper } from "./keepers.js";
import type { Smoother } from "./listen.js";
import type { Shapes } from "./shape.js";
import { Track, type Era } from "./track.js";

/** The tracks of a list of objects, each known by its object. */
export class Tracks implements Smoother {
  readonly views: object[] = [];
  readonly #list: () => readonly object[];
  readonly #shapes: Shapes;
  readonly #era: Era = { step: 0 };
  /** At their objects' places when these were last looked at. */
  readonly #tracks: Track[] = [];

  constructor(list: () => readonly object[], shapes: Shapes) {
    this.#list = list;
    this.#shapes = shapes;
  }

  enter(): void {
    this.#era.step++;
    const tracks = this.#look();
    for (let i = 0; i < tracks.length; i++) tracks[i]!.enter();
  }

  leave(): void {
    const tracks = this.#look();
    for (let i = 0; i < tracks.length; i++) tracks[i]!.leave();
  }

  draw(at: Picture): void {
    const tracks = this.#look();
    const { views } = this;
    if (views.length > tracks.length) views.length = tracks.length;
    for (let i = 0; i < tracks.length; i++) {
      const track = tracks[i]!;
      track.draw(at);
      if (views[i] !== track.view) views[i] = track.view;
    }
  }

  forget(): void {
    this.#era.step++;
  }

  end(): void {
    for (const track of this.#tracks) removeKeeper(track.object, track);
    this.#tracks.length = 0;
  }

  /** The tracks of the list as it is now. */
  #look(): readonly Track[] {
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
    requireType(`smoothAll: list[${i}]`, object, "object", "an array of objects only");
    const known = keepersOf(object).find(({ owner }) => owner === this);
    if (known) return known as Track;
    const track = new Track(this, object, this.#shapes.of(object), this.#era);
    addKeeper(object, track);
    return track;
  }
}
