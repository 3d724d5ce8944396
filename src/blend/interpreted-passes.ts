import { Curve } from "./curve.js";
import type { FieldPaths, ObjectPaths, Passes, Path, Range, States } from "./passes.js";

type Tree = Record<string | number, unknown>;

export function get(object: object, [name, key]: Path): unknown {
  const value = (object as Tree)[name];
  return key === undefined ? value : (value as Tree)[key];
}

function set(object: object, [name, key]: Path, value: unknown): void {
  if (key === undefined) (object as Tree)[name] = value;
  else ((object as Tree)[name] as Tree)[key] = value;
}

/** Does the same as `compiled`, without compiling. */
export function interpreted({ fields, numbers, held, teleports, ahead }: ObjectPaths): Passes {
  const each = (range: Range, visit: (i: number, k: number, h: number) => void) => {
    for (let n = 0; n < range.end - range.first; n++)
      visit(range.first + n, range.numbers + n * numbers, range.held + n * held.length);
  };
  const isCurrent = (list: readonly object[], { objects }: States, { first, end }: Range) => {
    for (let i = first; i < end; i++) if (list[i] !== objects[i]) return false;
    return true;
  };
  const readHeld = (object: object, out: unknown[], h: number) => {
    for (let j = 0; j < held.length; j++) out[h + j] = get(object, held[j]!);
  };
  const enterField = (states: States, field: FieldPaths, object: object, k: number, dt: number) => {
    const { motion, from, paths, extra, velocity } = field;
    const { length } = paths;
    read(object, motion ? states.shown : states.previous, k + from, paths, 1);
    if (velocity.length > 0) read(object, states.previous, k + extra, velocity, dt);
    motion?.enter(states, k + from, length, k + extra, length);
  };
  const readCurrent = (states: States, object: object, k: number, dt: number) => {
    for (const { from, paths, extra, velocity } of fields) {
      read(object, states.current, k + from, paths, 1);
      if (velocity.length > 0) read(object, states.current, k + extra, velocity, dt);
    }
  };
  const discardPrevious = (states: States, k: number, h: number) => {
    const { previous, current, heldPrevious, heldCurrent } = states;
    for (const { from, paths, extra, motion } of fields) {
      for (let j = k + from; j < k + from + paths.length; j++) previous[j] = current[j]!;
      motion?.forget(states, k + from, paths.length, k + extra, paths.length);
    }
    for (let j = h; j < h + held.length; j++) heldPrevious[j] = heldCurrent[j];
  };
  return {
    enter(list, states, range, step) {
      if (!isCurrent(list, states, range)) return false;
      each(range, (i, k, h) => {
        for (const field of fields) enterField(states, field, states.objects[i]!, k, step.dt);
        readHeld(states.objects[i]!, states.heldPrevious, h);
      });
      return true;
    },
    leave(states, range, step) {
      const { heldPrevious, heldCurrent } = states;
      each(range, (i, k, h) => {
        readCurrent(states, states.objects[i]!, k, step.dt);
        for (const { from, paths, extra, motion } of fields)
          motion?.leave(states.shown, states, k + from, paths.length, k + extra, paths.length);
        readHeld(states.objects[i]!, heldCurrent, h);
        if (teleports.some((j) => heldPrevious[h + j] !== heldCurrent[h + j])) discardPrevious(states, k, h);
      });
    },
    draw(list, states, range, factor) {
      if (!isCurrent(list, states, range)) return false;
      const { previous, current, shown, heldPrevious, heldCurrent } = states;
      each(range, (i, k, h) => {
        const object = states.objects[i]!;
        const view = states.views[i]!;
        if (teleports.some((j) => heldCurrent[h + j] !== get(object, held[j]!))) {
          for (const { from, paths } of fields) read(object, current, k + from, paths, 1);
          readHeld(object, heldCurrent, h);
          discardPrevious(states, k, h);
        }
        for (const { kind, from, paths, motion, extra } of fields) {
          const { length } = paths;
          read(object, shown, k + from, paths, 1);
          // What is drawn ahead is blended from one extrapolation to the next, which are extra numbers.
          const start = k + (motion && !(motion instanceof Curve) ? extra : from);
          if (isSame(shown, current, k + from, length)) {
            if (motion instanceof Curve)
              motion.blend(shown, states, k + from, length, k + extra, length, factor);
            else if (!isSame(previous, current, start, length))
              kind.blend(shown, previous, current, start, start + length, factor);
            else if (motion) for (let j = 0; j < length; j++) shown[start + j] = current[start + j]!;
            paths.forEach((path, j) => set(view, path, shown[start + j]));
          } else paths.forEach((path, j) => set(view, path, shown[k + from + j]));
        }
        held.forEach((path, j) => {
          const value = get(object, path);
          const isHeld = factor.t + ahead < 1 && value === heldCurrent[h + j];
          set(view, path, isHeld ? heldPrevious[h + j] : value);
        });
      });
      return true;
    },
    access: fields.map(({ paths }) =>
      paths.map((path) => ({
        isUnwritten: (object, current, i) => get(object, path) === current[i],
        show: (view, shown, i) => set(view, path, shown[i]),
      })),
    ),
  };
}

/** Reads numbers of an object, times a factor. */
function read(object: object, out: Float64Array, from: number, paths: readonly Path[], factor: number): void {
  for (let j = 0; j < paths.length; j++) out[from + j] = (get(object, paths[j]!) as number) * factor;
}

function isSame(a: Float64Array, b: Float64Array, from: number, count: number): boolean {
  for (let j = from; j < from + count; j++) if (a[j] !== b[j]) return false;
  return true;
}
