import { Curve } from "./curve.js";
import { Lead } from "./lead.js";
import type { FieldPaths, NumberAccess, ObjectPaths, Passes, Path } from "./passes.js";

// In the code: o object, v view, P and C previous and current numbers, S shown numbers, A and B previous and current held
// values, k and h where the numbers and held values of the object begin, K the kinds, M what is remembered about motion.

const at = (object: string, path: Path) =>
  `${object}${path.map((key) => `[${JSON.stringify(key)}]`).join("")}`;
const number = (array: string, i: number) => `${array}[k+${i}]`;
const value = (array: string, i: number) => `${array}[h+${i}]`;

/** Compiles the passes over objects of one shape. */
export function compiled({ fields, numbers, held, teleports, ahead }: ObjectPaths): Passes {
  const loop = (body: string) =>
    `let k=g.numbers,h=g.held;for(let i=g.first,e=g.end;i<e;i++,k+=${numbers},h+=${held.length}){${body}}`;
  const checkedLoop = (body: string) =>
    `${loop(`const o=T[i];if(o!==O[i])return false;${body}`)}return true;`;
  const hasVelocity = fields.some(({ velocity }) => velocity.length > 0);
  const length = hasVelocity ? "const d=D.dt;" : "";

  const read = (array: string, { from, paths }: FieldPaths) =>
    paths.map((path, j) => `${number(array, from + j)}=${at("o", path)};`).join("");
  const readVelocity = (array: string, { extra, velocity }: FieldPaths) =>
    velocity.map((path, j) => `${number(array, extra + j)}=${at("o", path)}*d;`).join("");
  // Storing a fraction in an array allocates, so store only changes.
  const readHeld = (array: string) =>
    held
      .map((path, i) => `if(${value(array, i)}!==${at("o", path)})${value(array, i)}=${at("o", path)};`)
      .join("");
  /** A call of a method that remembers motion. */
  const motion = (method: string, { from, paths, extra, motion: has }: FieldPaths, f: number, out = "") =>
    has ? `M[${f}].${method}(${out}r,k+${from},${paths.length},k+${extra},${paths.length});` : "";

  const enterField = (field: FieldPaths, f: number) => {
    if (!field.motion) return read("P", field);
    if (field.motion instanceof Lead) return enterLead(field);
    return `${readVelocity("P", field)}${read("S", field)}${motion("enter", field, f)}`;
  };
  const leaveField = (field: FieldPaths, f: number) =>
    field.motion instanceof Lead
      ? leaveLead(field, ahead, motion("leave", field, f, "S,"))
      : motion("leave", field, f, "S,");
  const readCurrent = fields.map((field) => read("C", field) + readVelocity("C", field)).join("");
  const discardPrevious =
    fields
      .flatMap(({ from, paths }) => paths.map((_, j) => from + j))
      .map((i) => `${number("P", i)}=${number("C", i)};`)
      .join("") +
    fields.map((field, f) => motion("forget", field, f)).join("") +
    held.map((_, i) => `${value("A", i)}=${value("B", i)};`).join("");
  const discardIf = (isTeleported: string[], body: string) =>
    isTeleported.length > 0 ? `if(${isTeleported.join("||")}){${body}}` : "";
  const inStep = teleports.map((i) => `${value("A", i)}!==${value("B", i)}`);
  const afterStep = teleports.map((i) => `${value("B", i)}!==${at("o", held[i]!)}`);
  const drawHeld = held
    .map(
      (path, i) =>
        `{const y=${at("o", path)};${at("v", path)}=t${ahead > 0 ? `+${ahead}` : ""}<1&&y===${value("B", i)}?${value("A", i)}:y;}`,
    )
    .join("");

  const arrays = "const {objects:O,views:V,previous:P,current:C,shown:S,heldPrevious:A,heldCurrent:B}=r;";
  const make = (parameters: string, body: string) =>
    new Function("K", "M", `return(${parameters})=>{${arrays}${body}}`)(
      fields.map(({ kind }) => kind),
      fields.map((field) => field.motion),
    );
  return {
    enter: make("T,r,g,D", `${length}${checkedLoop(`${fields.map(enterField).join("")}${readHeld("A")}`)}`),
    leave: make(
      "r,g,D",
      `${length}${loop(
        `const o=O[i];${readCurrent}${fields.map(leaveField).join("")}${readHeld("B")}${discardIf(inStep, discardPrevious)}`,
      )}`,
    ),
    draw: make(
      "T,r,g,F",
      `const t=F.t,u=1-t,z=t<.5;${checkedLoop(
        `const v=V[i];${discardIf(afterStep, fields.map((field) => read("C", field)).join("") + readHeld("B") + discardPrevious)}${fields.map(drawField).join("")}${drawHeld}`,
      )}`,
    ),
    access: fields.map(({ paths }) => paths.map(accessOf)),
  };
}

/** The same as `Lead.enter`, inline. */
function enterLead({ from, paths, extra }: FieldPaths): string {
  const reads = paths.map((path, j) => `const x${j}=${at("o", path)};`).join("");
  const isUnwritten = paths.map((_, j) => `x${j}===${number("C", from + j)}`).join("&&");
  const set = (next: (j: number) => string) =>
    paths.map((_, j) => `${number("P", extra + j)}=${next(j)};`).join("");
  const moved = set((j) => number("C", extra + j));
  const previous = paths.map((_, j) => `${number("P", from + j)}=x${j};`).join("");
  return `{${reads}if(${isUnwritten}){${moved}}else{${set((j) => `x${j}`)}}${previous}}`;
}

/** The same as `Lead.leave`, inline where the field moves along a line. */
function leaveLead({ kind, from, paths, extra }: FieldPaths, ahead: number, general: string): string {
  if (kind.linearUpTo === 0) return general;
  const linear = paths
    .map((_, j) => {
      const [p, c] = [number("P", from + j), number("C", from + j)];
      return `${number("C", extra + j)}=${p}===${c}?${c}:${c}-(${c}-${p})*${1 - (1 + ahead)};`;
    })
    .join("");
  if (kind.linearUpTo === Infinity) return linear;
  const move = `${number("C", from)}-${number("P", from)}`;
  return `if(${move}>=${-kind.linearUpTo}&&${move}<=${kind.linearUpTo}){${linear}}else{${general}}`;
}

/** The code that blends a field into the view, unless it was written after the step. */
function drawField({ kind, from, paths, motion, extra }: FieldPaths, f: number): string {
  const index = paths.map((_, j) => from + j);
  const isUnwritten = index.map((_, j) => `x${j}===c${j}`).join("&&");
  const writes = index.map((_, j) => `${at("v", paths[j]!)}=x${j};`).join("");
  if (motion instanceof Curve) {
    const reads = index.map((i, j) => `let x${j}=${at("o", paths[j]!)};const c${j}=${number("C", i)};`);
    const blend = `M[${f}].blend(S,r,k+${from},${paths.length},k+${extra},${paths.length},F);`;
    const results = index.map((i, j) => `x${j}=${number("S", i)};`).join("");
    return `{${reads.join("")}if(${isUnwritten}){${blend}${results}}${writes}}`;
  }
  // What is drawn ahead is blended from one extrapolation to the next, which are extra numbers.
  const start = motion ? extra : from;
  const ends = index.map((_, j) => ({
    from: `p${j}`,
    to: motion ? `q${j}` : `c${j}`,
    code: motion ? `q${j}=${number("C", extra + j)},` : "",
  }));
  const reads = index.map(
    (i, j) =>
      `let x${j}=${at("o", paths[j]!)};const c${j}=${number("C", i)},${ends[j]!.code}p${j}=${number("P", start + j)};`,
  );
  const isMoving = ends.map((end) => `${end.from}!==${end.to}`).join("||");
  // The same as `lerp`: each half starts from its own end.
  const linear = ends
    .map(({ from: p, to: c }, j) => {
      const lerp = `x${j}=z?${p}-(${p}-${c})*t:${c}-(${c}-${p})*u;`;
      return (paths.length > 1 ? `if(${p}!==${c})` : "") + lerp;
    })
    .join("");
  const { from: p0, to: c0 } = ends[0]!;
  const isNear = `${c0}-${p0}>=${-kind.linearUpTo}&&${c0}-${p0}<=${kind.linearUpTo}`;
  const general = [
    ...index.map((_, j) => `${number("S", start + j)}=x${j};`),
    `K[${f}].blend(S,P,C,k+${start},k+${start + paths.length},F);`,
    ...index.map((_, j) => `x${j}=${number("S", start + j)};`),
  ].join("");
  const blends =
    kind.linearUpTo === Infinity
      ? linear
      : kind.linearUpTo > 0
        ? `if(${isNear}){${linear}}else{${general}}`
        : general;
  const ahead = motion ? ends.map(({ to }, j) => `x${j}=${to};`).join("") : "";
  return ahead
    ? `{${reads.join("")}if(${isUnwritten}){${ahead}if(${isMoving}){${blends}}}${writes}}`
    : `{${reads.join("")}if(${isUnwritten}&&(${isMoving})){${blends}}${writes}}`;
}

function accessOf(path: Path): NumberAccess {
  return {
    isUnwritten: new Function("o", "C", "i", `return ${at("o", path)}===C[i]`) as NumberAccess["isUnwritten"],
    show: new Function("v", "S", "i", `${at("v", path)}=S[i]`) as NumberAccess["show"],
  };
}
