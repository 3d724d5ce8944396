import type { FieldPaths, ObjectPaths, Passes, Path } from "./passes.js";

// In the code: r all states, o object, v view, P and C previous and current numbers, S shown numbers, A and B previous and current
// held values, k and h where the numbers and held values of the object begin, K the kinds and M the motion of each field, F the
// step or the blend factor, with d seconds or the factor t. Short methods are inline, as a call per field and object costs more than
// what it does.

/** The code that gets a value of an object. */
export const at = (object: string, path: Path) =>
  `${object}${path.map((key) => `[${JSON.stringify(key)}]`).join("")}`;
/** The code of number `i` of an object. */
export const number = (array: string, i: number) => `${array}[k+${i}]`;
/** Code for each number of a field. */
export const each = ({ paths }: FieldPaths, code: (j: number, path: Path) => string, separator = "") =>
  paths.map((path, j) => code(j, path)).join(separator);

/** The code that reads the numbers of an object into an array. */
export const read = (array: string, field: FieldPaths) =>
  each(field, (j, path) => `${number(array, field.from + j)}=${at("o", path)};`);
/** The code that calls a method of a field's motion. */
export const call = (method: string, { from, paths, extra }: FieldPaths, f: number, out = "", factor = "") =>
  `M[${f}].${method}(${out}r,k+${from},${paths.length},k+${extra},${paths.length}${factor});`;

/** The code that shows a field: the result of `blend`, code for x0, x1, …; or the numbers as they are if they were written after the step. */
export const show = (field: FieldPaths, blend: string) =>
  `{${each(field, (j, path) => `let x${j}=${at("o", path)};`)}if(${each(
    field,
    (j) => `x${j}===${number("C", field.from + j)}`,
    "&&",
  )}){${blend}}${each(field, (j, path) => `${at("v", path)}=x${j};`)}}`;

/** The code that shows a field as a blend of the previous and the current numbers from `start` on. */
export function drawBetween(field: FieldPaths, f: number, start: number): string {
  const { kind, paths } = field;
  const ends = each(
    field,
    (j) => `const p${j}=${number("P", start + j)},c${j}=x${j}=${number("C", start + j)};`,
  );
  const isMoving = each(field, (j) => `p${j}!==c${j}`, "||");
  // The same as `lerp`: each half starts from its own end.
  const linear = each(
    field,
    (j) =>
      `${paths.length > 1 ? `if(p${j}!==c${j})` : ""}x${j}=z?p${j}-(p${j}-c${j})*t:c${j}-(c${j}-p${j})*u;`,
  );
  const general = `K[${f}].blend(S,P,C,k+${start},k+${start + paths.length},F);${each(field, (j) => `x${j}=${number("S", start + j)};`)}`;
  const isNear = `Math.abs(c0-p0)<=${kind.linearUpTo}`;
  const blend =
    kind.linearUpTo === Infinity
      ? linear
      : kind.linearUpTo > 0
        ? `if(${isNear}){${linear}}else{${general}}`
        : general;
  return show(field, `${ends}if(${isMoving}){${blend}}`);
}

/** Compiles the passes over objects of one shape. */
export function compiled({ fields, numbers, held, teleports, ahead }: ObjectPaths): Passes {
  const value = (array: string, i: number) => `${array}[h+${i}]`;
  const code = (code: (field: FieldPaths, f: number) => string) => fields.map(code).join("");
  const heldCode = (code: (value: string, i: number) => string) =>
    held.map((path, i) => code(at("o", path), i)).join("");
  // Storing a fraction in an array allocates, so store only changes.
  const readHeld = (array: string) =>
    heldCode((now, i) => `if(${value(array, i)}!==${now})${value(array, i)}=${now};`);
  const current = code((field) => read("C", field));
  const discardPrevious =
    code(
      (field, f) =>
        each(field, (j) => `${number("P", field.from + j)}=${number("C", field.from + j)};`) +
        (field.motion ? call("forget", field, f) : ""),
    ) + heldCode((_, i) => `${value("A", i)}=${value("B", i)};`);
  /** Discards previous states if one of the held values differs. */
  const discardIf = (isTeleported: (i: number) => string, body: string) =>
    teleports.length > 0 ? `if(${teleports.map(isTeleported).join("||")}){${body}}` : "";

  const make = (header: string, body: string) =>
    new Function(
      "K",
      "M",
      `return(r,g,F)=>{const{objects:O,views:V,previous:P,current:C,shown:S,heldPrevious:A,heldCurrent:B}=r,${header};let k=g.numbers,h=g.held;for(let i=g.first,e=g.end;i<e;i++,k+=${numbers},h+=${held.length}){const o=O[i],v=V[i];${body}}}`,
    )(
      fields.map(({ kind }) => kind),
      fields.map(({ motion }) => motion),
    );
  return {
    enter: make(
      "d=F.dt",
      code((field, f) => field.motion?.enterCode(field, f) ?? read("P", field)) + readHeld("A"),
    ),
    leave: make(
      "d=F.dt",
      current +
        code((field, f) => field.motion?.leaveCode(field, f) ?? "") +
        readHeld("B") +
        discardIf((i) => `${value("A", i)}!==${value("B", i)}`, discardPrevious),
    ),
    draw: make(
      "t=F.alpha,u=1-t,z=t<.5",
      discardIf((i) => `${value("B", i)}!==${at("o", held[i]!)}`, current + readHeld("B") + discardPrevious) +
        code((field, f) => field.motion?.drawCode(field, f) ?? drawBetween(field, f, field.from)) +
        held
          .map(
            (path, i) =>
              `{const y=${at("o", path)};${at("v", path)}=t+${ahead}<1&&y===${value("B", i)}?${value("A", i)}:y;}`,
          )
          .join(""),
    ),
  };
}
