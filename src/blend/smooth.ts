import { requireType } from "../errors/index.js";
import { addKeeper, removeKeeper } from "./keepers.js";
import { checkCall, listen, type Smoother } from "./listen.js";
import { Shapes } from "./shape.js";
import { Track, type Era } from "./track.js";
import { Tracks } from "./tracks.js";
import type { SmoothFields, Known, SmoothLoop, SmoothOptions, View } from "./types.js";

/**
 * Returns what to draw of an object: filled before each frame with the blend of its states before and after the last
 * step. The object itself is only read. What is written to it outside a step is shown at once.
 */
export function smooth<T extends object, const F extends SmoothFields<T>>(
  loop: SmoothLoop,
  object: T,
  fields: Known<T, F>,
  options: SmoothOptions = {},
): View<T, F> {
  checkCall("smooth", loop, options);
  requireType("smooth: object", object, "object", "{ x: 0 }");
  const era: Era = { step: 0 };
  const smoother: Smoother = {
    enter() {
      era.step++;
      track.enter();
    },
    leave: () => track.leave(),
    draw: (at) => track.draw(at),
    forget: () => void era.step++,
    end: () => removeKeeper(object, track),
  };
  const track = new Track(smoother, object, new Shapes("smooth", fields).of(object), era);
  track.draw({ t: 1 });
  addKeeper(object, track);
  listen(loop, options, track.view, smoother);
  return track.view as View<T, F>;
}

/**
 * The same for a list of objects, or a function that returns one: what is returned has the view of each at its
 * place. Objects may come, go and change places at any time; each keeps its view.
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
