import type { BlendFactor, StepLength } from "./batch.js";
import type { FieldPaths, ObjectPaths, Passes, Path, Range, States } from "./passes.js";

type Tree = Record<string | number, unknown>;

export function get(object: object, [name, key]: Path): unknown {
  const value = (object as Tree)[name];
  return key === undefined ? value : (value as Tree)[key];
}

export function set(object: object, [name, key]: Path, value: unknown): void {
  if (key === undefined) (object as Tree)[name] = value;
  else ((object as Tree)[name] as Tree)[key] = value;
}

/** Does the same as `compiled`, without compiling. */
export function interpreted({ fields, numbers, held, teleports, ahead }: ObjectPaths): Passes {
  /** Visits each object: its numbers begin at `k`, its held values at `h`. */
  const pass =
    <T>(visit: (object: object, states: States, k: number, h: number, info: T, view: object) => void) =>
    (states: States, range: Range, info: T) => {
      for (let i = range.first, n = 0; i < range.end; i++, n++)
        visit(
          states.objects[i]!,
          states,
          range.numbers + n * numbers,
          range.held + n * held.length,
          info,
          states.views[i]!,
        );
    };
  const readHeld = (object: object, out: unknown[], h: number) =>
    held.forEach((path, j) => (out[h + j] = get(object, path)));
  const readAll = (object: object, out: Float64Array, k: number) => {
    for (const { from, paths } of fields) read(object, out, k + from, paths);
  };
  const discardPrevious = (states: States, k: number, h: number) => {
    const { previous, current, heldPrevious, heldCurrent } = states;
    for (const field of fields) {
      const { length } = field.paths;
      for (let j = k + field.from; j < k + field.from + length; j++) previous[j] = current[j]!;
      field.motion?.forget(states, k + field.from, length, k + field.extra, length);
    }
    held.forEach((_, j) => (heldPrevious[h + j] = heldCurrent[h + j]));
  };
  const drawField = (field: FieldPaths, states: States, k: number, factor: BlendFactor) => {
    const { kind, from, paths, motion, extra } = field;
    const { length } = paths;
    const { previous, current, shown } = states;
    for (let j = k + from; j < k + from + length; j++) if (shown[j] !== current[j]) return;
    if (motion) motion.blend(shown, states, k + from, length, k + extra, length, factor);
    else kind.blend(shown, previous, current, k + from, k + from + length, factor);
  };
  return {
    enter: pass<StepLength>((object, states, k, h, { dt }) => {
      for (const { motion, from, paths, extra, velocity } of fields) {
        read(object, motion ? states.shown : states.previous, k + from, paths);
        read(object, states.previous, k + extra, velocity, dt);
        motion?.enter(states, k + from, paths.length, k + extra, paths.length);
      }
      readHeld(object, states.heldPrevious, h);
    }),
    leave: pass<StepLength>((object, states, k, h, { dt }) => {
      const { current, shown, heldPrevious, heldCurrent } = states;
      readAll(object, current, k);
      for (const { motion, from, paths, extra, velocity } of fields) {
        read(object, current, k + extra, velocity, dt);
        motion?.leave(shown, states, k + from, paths.length, k + extra, paths.length);
      }
      readHeld(object, heldCurrent, h);
      if (teleports.some((j) => heldPrevious[h + j] !== heldCurrent[h + j])) discardPrevious(states, k, h);
    }),
    draw: pass<BlendFactor>((object, states, k, h, factor, view) => {
      const { current, shown, heldPrevious, heldCurrent } = states;
      if (teleports.some((j) => heldCurrent[h + j] !== get(object, held[j]!))) {
        readAll(object, current, k);
        readHeld(object, heldCurrent, h);
        discardPrevious(states, k, h);
      }
      readAll(object, shown, k);
      for (const field of fields) {
        drawField(field, states, k, factor);
        field.paths.forEach((path, j) => set(view, path, shown[k + field.from + j]));
      }
      held.forEach((path, j) => {
        const value = get(object, path);
        const isHeld = factor.alpha + ahead < 1 && value === heldCurrent[h + j];
        set(view, path, isHeld ? heldPrevious[h + j] : value);
      });
    }),
  };
}

/** Reads numbers of an object, times a factor. */
function read(object: object, out: Float64Array, from: number, paths: readonly Path[], factor = 1): void {
  paths.forEach((path, j) => (out[from + j] = (get(object, path) as number) * factor));
}
