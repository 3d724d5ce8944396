import { requireType } from "../errors/index.js";
import { checkCall, listen } from "./listen.js";
import { ObjectTracks } from "./object-tracks.js";
import { Shapes } from "./shape.js";
import { TrackList } from "./track-list.js";
import type { SmoothFields, Known, SmoothLoop, SmoothOptions, View } from "./types.js";

/**
 * Returns a view of an object to draw. Before each frame, it is filled with the blend of the object before and after the last
 * step. The object itself is only read. Changes outside a step are shown at once. If a beat moves the object, pass the beat
 * instead of the loop.
 */
export function smooth<T extends object, const F extends SmoothFields<T>>(
  loop: SmoothLoop,
  object: T,
  fields: Known<T, F>,
  options: SmoothOptions = {},
): View<T, F> {
  checkCall("smooth", loop, options);
  requireType("smooth: object", object, "object", "{ x: 0 }");
  const tracks = new ObjectTracks(new Shapes("smooth", fields, options.ahead));
  const view = tracks.set(object);
  tracks.draw({ alpha: 1 });
  listen(loop, view, tracks);
  return view as View<T, F>;
}

/**
 * Returns views of an array of objects, or of a function that returns one, in the same order. Objects may be added, removed and
 * reordered at any time. Each keeps its view.
 */
export function smoothAll<T extends object, const F extends SmoothFields<T>>(
  loop: SmoothLoop,
  list: readonly T[] | (() => readonly T[]),
  fields: Known<T, F>,
  options: SmoothOptions = {},
): readonly View<T, F>[] {
  checkCall("smoothAll", loop, options);
  const current = typeof list === "function" ? list : () => list;
  const tracks = new TrackList(new Shapes("smoothAll", fields, options.ahead), current);
  tracks.draw({ alpha: 1 });
  listen(loop, tracks.views, tracks);
  return tracks.views as View<T, F>[];
}
