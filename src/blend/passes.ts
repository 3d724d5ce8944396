import type { BlendFactor } from "./batch.js";
import type { AnyKind } from "./shape.js";

/** The path of a number or a held value in an object: a field, or a key of a field. */
export type Path = readonly [name: string] | readonly [name: string, key: string | number];

/** A blended field: its kind, and the paths of its numbers. They lie at `from` among the numbers of the object. */
export interface FieldPaths {
  readonly kind: AnyKind;
  readonly from: number;
  readonly paths: readonly Path[];
}

/** What an object holds that is shown. */
export interface ObjectPaths {
  readonly fields: readonly FieldPaths[];
  /** Count of the numbers of all fields. */
  readonly numbers: number;
  /** Values that are not blended. */
  readonly held: readonly Path[];
  /** Indices of the held values whose change is a teleport. */
  readonly teleports: readonly number[];
}

/** The states of many objects, one after the other. */
export interface States {
  readonly objects: object[];
  readonly views: object[];
  readonly previous: Float64Array;
  readonly current: Float64Array;
  readonly shown: Float64Array;
  readonly heldPrevious: unknown[];
  readonly heldCurrent: unknown[];
}

/** Consecutive objects of one shape, from `first` to before `end`, and where their numbers and held values begin. */
export interface Range {
  readonly first: number;
  readonly end: number;
  readonly numbers: number;
  readonly held: number;
}

/** What happens to all objects of one shape when a step begins, when it ends, and when a frame is drawn. */
export interface Passes {
  /** Reads the previous states. Returns false as soon as the list differs from the objects that have states. */
  enter(list: readonly object[], states: States, range: Range): boolean;
  /** Reads the current states. An object that the step teleported loses its previous state. */
  leave(states: States, range: Range): void;
  /**
   * Fills the views with a blend. Numbers that were written after the step are shown as they are. Returns false as soon as the
   * list differs from the objects that have states.
   */
  draw(list: readonly object[], states: States, range: Range, factor: BlendFactor): boolean;
}

/**
 * Returns the passes over objects of one shape. They are compiled, as a loop over names is many times slower and creates
 * garbage: in such a loop, engines box each fraction. Falls back to the loop if the page's content security policy forbids
 * `new Function`.
 */
export function passesOf(paths: ObjectPaths): Passes {
  try {
    return compiled(paths);
  } catch {
    return interpreted(paths);
  }
}

export function compiled({ fields, numbers, held, teleports }: ObjectPaths): Passes {
  const at = (object: string, path: Path) =>
    `${object}${path.map((key) => `[${JSON.stringify(key)}]`).join("")}`;
  const all = fields.flatMap(({ paths }) => paths);
  const number = (array: string, i: number) => `${array}[k+${i}]`;
  const value = (array: string, i: number) => `${array}[h+${i}]`;
  const read = (array: string) => all.map((path, i) => `${number(array, i)}=${at("o", path)};`).join("");
  // Storing a fraction in an array allocates, so store only changes.
  const readHeld = (array: string) =>
    held
      .map((path, i) => `if(${value(array, i)}!==${at("o", path)})${value(array, i)}=${at("o", path)};`)
      .join("");
  const discardPrevious =
    all.map((_, i) => `${number("P", i)}=${number("C", i)};`).join("") +
    held.map((_, i) => `${value("A", i)}=${value("B", i)};`).join("");
  const loop = (body: string) =>
    `let k=g.numbers,h=g.held;for(let i=g.first,e=g.end;i<e;i++,k+=${numbers},h+=${held.length}){${body}}`;
  const checkedLoop = (body: string) =>
    `${loop(`const o=T[i];if(o!==O[i])return false;${body}`)}return true;`;

  const drawField = ({ kind, from, paths }: FieldPaths, f: number): string => {
    const index = paths.map((_, j) => from + j);
    const reads = index.map(
      (i, j) => `let x${j}=${at("o", paths[j]!)};const c${j}=${number("C", i)},p${j}=${number("P", i)};`,
    );
    const isUnwritten = index.map((_, j) => `x${j}===c${j}`).join("&&");
    const isMoving = index.map((_, j) => `p${j}!==c${j}`).join("||");
    // The same as `lerp`: each half starts from its own end.
    const lerp = (j: number) => `x${j}=z?p${j}-(p${j}-c${j})*t:c${j}-(c${j}-p${j})*u;`;
    const isNear = `c0-p0>=${-kind.linearUpTo}&&c0-p0<=${kind.linearUpTo}`;
    const linear = index.map((_, j) => (paths.length > 1 ? `if(p${j}!==c${j})` : "") + lerp(j)).join("");
    const general = [
      ...index.map((i, j) => `${number("S", i)}=x${j};`),
      `K[${f}].blend(S,P,C,k+${from},k+${from + paths.length},F);`,
      ...index.map((i, j) => `x${j}=${number("S", i)};`),
    ].join("");
    const blends =
      kind.linearUpTo === Infinity
        ? linear
        : kind.linearUpTo > 0
          ? `if(${isNear}){${linear}}else{${general}}`
          : general;
    const writes = index.map((_, j) => `${at("v", paths[j]!)}=x${j};`);
    return `{${reads.join("")}if(${isUnwritten}&&(${isMoving})){${blends}}${writes.join("")}}`;
  };
  const drawHeld = held
    .map(
      (path, i) =>
        `{const y=${at("o", path)};${at("v", path)}=t<1&&y===${value("B", i)}?${value("A", i)}:y;}`,
    )
    .join("");
  const arrays = "const {objects:O,views:V,previous:P,current:C,shown:S,heldPrevious:A,heldCurrent:B}=r;";
  const make = (parameters: string, body: string) =>
    new Function("K", `return(${parameters})=>{${arrays}${body}}`)(fields.map(({ kind }) => kind));
  const discardIf = (isTeleported: string[], body: string) =>
    isTeleported.length > 0 ? `if(${isTeleported.join("||")}){${body}}` : "";
  const inStep = teleports.map((i) => `${value("A", i)}!==${value("B", i)}`);
  const afterStep = teleports.map((i) => `${value("B", i)}!==${at("o", held[i]!)}`);
  const readCurrent = `${read("C")}${readHeld("B")}`;
  return {
    enter: make("T,r,g", checkedLoop(`${read("P")}${readHeld("A")}`)),
    leave: make("r,g", loop(`const o=O[i];${readCurrent}${discardIf(inStep, discardPrevious)}`)),
    draw: make(
      "T,r,g,F",
      `const t=F.t,u=1-t,z=t<.5;${checkedLoop(
        `const v=V[i];${discardIf(afterStep, readCurrent + discardPrevious)}${fields.map(drawField).join("")}${drawHeld}`,
      )}`,
    ),
  };
}

type Tree = Record<string | number, unknown>;

export function get(object: object, [name, key]: Path): unknown {
  const value = (object as Tree)[name];
  return key === undefined ? value : (value as Tree)[key];
}

function set(object: object, [name, key]: Path, value: unknown): void {
  if (key === undefined) (object as Tree)[name] = value;
  else ((object as Tree)[name] as Tree)[key] = value;
}

export function interpreted({ fields, numbers, held, teleports }: ObjectPaths): Passes {
  const all = fields.flatMap(({ paths }) => paths);
  const each = (range: Range, visit: (i: number, k: number, h: number) => void) => {
    for (let n = 0; n < range.end - range.first; n++)
      visit(range.first + n, range.numbers + n * numbers, range.held + n * held.length);
  };
  const isCurrent = (list: readonly object[], { objects }: States, { first, end }: Range) => {
    for (let i = first; i < end; i++) if (list[i] !== objects[i]) return false;
    return true;
  };
  const read = (object: object, out: Float64Array, k: number, heldOut: unknown[], h: number) => {
    for (let j = 0; j < all.length; j++) out[k + j] = get(object, all[j]!) as number;
    for (let j = 0; j < held.length; j++) heldOut[h + j] = get(object, held[j]!);
  };
  const discardPrevious = (
    { previous, current, heldPrevious, heldCurrent }: States,
    k: number,
    h: number,
  ) => {
    for (let j = k; j < k + numbers; j++) previous[j] = current[j]!;
    for (let j = h; j < h + held.length; j++) heldPrevious[j] = heldCurrent[j];
  };
  const isSame = (a: Float64Array, b: Float64Array, from: number, to: number) => {
    for (let j = from; j < to; j++) if (a[j] !== b[j]) return false;
    return true;
  };
  return {
    enter(list, states, range) {
      if (!isCurrent(list, states, range)) return false;
      each(range, (i, k, h) => read(states.objects[i]!, states.previous, k, states.heldPrevious, h));
      return true;
    },
    leave(states, range) {
      const { heldPrevious, heldCurrent } = states;
      each(range, (i, k, h) => {
        read(states.objects[i]!, states.current, k, heldCurrent, h);
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
          read(object, current, k, heldCurrent, h);
          discardPrevious(states, k, h);
        }
        for (const { kind, from, paths } of fields) {
          const [start, end] = [k + from, k + from + paths.length];
          paths.forEach((path, j) => (shown[start + j] = get(object, path) as number));
          if (isSame(shown, current, start, end) && !isSame(previous, current, start, end))
            kind.blend(shown, previous, current, start, end, factor);
          paths.forEach((path, j) => set(view, path, shown[start + j]));
        }
        held.forEach((path, j) => {
          const value = get(object, path);
          const isHeld = factor.t < 1 && value === heldCurrent[h + j];
          set(view, path, isHeld ? heldPrevious[h + j] : value);
        });
      });
      return true;
    },
  };
}
