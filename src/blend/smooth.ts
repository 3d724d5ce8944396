import { refuse, requireType } from "../time/refuse.js";
import { addHistory, historiesOf, removeHistory } from "./history.js";
import type { Moment } from "./batch.js";
import { checkCall, listen, type Shower } from "./listen.js";
import { Shapes } from "./shape.js";
import { Track, type Era } from "./track.js";
import type { Fields, Known, SmoothLoop, SmoothOptions, View } from "./types.js";

/**
 * Returns what to draw of an object: filled before each frame with the blend of its states before and after the last
 * step. The object itself is only read. What is written to it outside a step is shown at once.
 */
export function smooth<T extends object, const F extends Fields<T>>(
  loop: SmoothLoop,
  object: T,
  fields: Known<T, F>,
  options: SmoothOptions = {},
): View<T, F> {
  checkCall("smooth", loop, options);
  requireType("smooth: object", object, "object", "{ x: 0 }");
  const era: Era = { step: 0 };
  const shower: Shower = {
    enter() {
      era.step++;
      track.enter();
    },
    leave: () => track.leave(),
    draw: (at) => track.draw(at),
    forget: () => void era.step++,
    end: () => removeHistory(object, track),
  };
  const track = new Track(shower, object, new Shapes("smooth", fields).of(object), era);
  track.draw({ t: 1 });
  addHistory(object, track);
  listen(loop, options, track.view, shower);
  return track.view as View<T, F>;
}

/**
 * The same for a list of objects, or a function that returns one: what is returned has the view of each at its
 * place. Objects may come, go and change places at any time; each keeps its view.
 */
export function smoothAll<T extends object, const F extends Fields<T>>(
  loop: SmoothLoop,
  list: readonly T[] | (() => readonly T[]),
  fields: Known<T, F>,
  options: SmoothOptions = {},
): readonly View<T, F>[] {
  checkCall("smoothAll", loop, options);
  const current = typeof list === "function" ? list : () => list;
  const tracks = new Tracks(current, new Shapes("smoothAll", fields));
  tracks.draw({ t: 1 });
  listen(loop, options, tracks.views, tracks);
  return tracks.views as View<T, F>[];
}

/** Those of a list of objects. */
class Tracks implements Shower {
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

  draw(at: Moment): void {
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
    for (const track of this.#tracks) removeHistory(track.object, track);
    this.#tracks.length = 0;
  }

  /** The tracks of the list as it is now. */
  #look(): readonly Track[] {
    const list = this.#list();
    const tracks = this.#tracks;
    if (!Array.isArray(list))
      refuse("smoothAll: list", "an array, or a function that returns one", list, "crates");
    for (let i = 0; i < list.length; i++)
      if (tracks[i]?.object !== list[i]) tracks[i] = this.#find(list[i] as object, i);
    if (tracks.length > list.length) tracks.length = list.length;
    return tracks;
  }

  #find(object: object, i: number): Track {
    requireType(`smoothAll: list[${i}]`, object, "object", "an array of objects only");
    const known = historiesOf(object).find(({ owner }) => owner === this);
    if (known) return known as Track;
    const track = new Track(this, object, this.#shapes.of(object), this.#era);
    addHistory(object, track);
    return track;
  }
}
