import { requireType } from "../errors/index.js";
import { addTracker, removeTracker } from "./trackers.js";
import { checkCall, listen, type Smoother } from "./listen.js";
import { Shapes } from "./shape.js";
import { Track, type StepCounter } from "./track.js";
import { Tracks } from "./tracks.js";
import type { SmoothFields, Known, SmoothLoop, SmoothOptions, View } from "./types.js";

/**
 * Returns a view of an object to draw. Before each frame, it is filled with the blend of the object before and after the last
 * step. The object itself is only read. Changes outside a step are shown at once.
 */
export function smooth<T extends object, const F extends SmoothFields<T>>(
  loop: SmoothLoop,
  object: T,
  fields: Known<T, F>,
  options: SmoothOptions = {},
): View<T, F> {
  checkCall("smooth", loop, options);
  requireType("smooth: object", object, "object", "{ x: 0 }");
  const counter: StepCounter = { step: 0 };
  const smoother: Smoother = {
    enter() {
      counter.step++;
      track.enter();
    },
    leave: () => track.leave(),
    draw: (factor) => track.draw(factor),
    forget: () => void counter.step++,
    end: () => removeTracker(object, track),
  };
  const track = new Track(smoother, object, new Shapes("smooth", fields).of(object), counter);
  track.draw({ t: 1 });
  addTracker(object, track);
  listen(loop, options, track.view, smoother);
  return track.view as View<T, F>;
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
  const tracks = new Tracks(current, new Shapes("smoothAll", fields));
  tracks.draw({ t: 1 });
  listen(loop, options, tracks.views, tracks);
  return tracks.views as View<T, F>[];
}
