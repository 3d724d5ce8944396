import { at, enter, forget, leave, number, readCurrent } from "./compiled-motion.js";
import { Curve } from "./curve.js";
import type { FieldPaths, NumberAccess, ObjectPaths, Passes, Path } from "./passes.js";

// In the code: o object, v view, P and C previous and current numbers, S shown numbers, A and B previous and current held
// values, k and h where the numbers and held values of the object begin, K the kinds,
// M the motion of each field.

const value = (array: string, i: number) => `${array}[h+${i}]`;

/** Compiles the passes over objects of one shape. */
export function compiled({ fields, numbers, held, teleports, ahead }: ObjectPaths): Passes {
  const loop = (body: string) =>
    `let k=g.numbers,h=g.held;for(let i=g.first,e=g.end;i<e;i++,k+=${numbers},h+=${held.length}){${body}}`;
  const checkedLoop = (body: string) =>
    `${loop(`const o=T[i];if(o!==O[i])return false;${body}`)}return true;`;
  const hasVelocity = fields.some(({ velocity }) => velocity.length > 0);
  const length = hasVelocity ? "const d=D.dt;" : "";

  // Storing a fraction in an array allocates, so store only changes.
  const readHeld = (array: string) =>
    held
      .map((path, i) => `if(${value(array, i)}!==${at("o", path)})${value(array, i)}=${at("o", path)};`)
      .join("");
  const current = fields.map(readCurrent).join("");
  const discardPrevious =
    fields
      .flatMap(({ from, paths }) => paths.map((_, j) => from + j))
      .map((i) => `${number("P", i)}=${number("C", i)};`)
      .join("") +
    fields.map(forget).join("") +
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
  let access: Passes["access"] | undefined;
  return {
    enter: make("T,r,g,D", `${length}${checkedLoop(`${fields.map(enter).join("")}${readHeld("A")}`)}`),
    leave: make(
      "r,g,D",
      `${length}${loop(
        `const o=O[i];${current}${fields.map((field, f) => leave(field, f, ahead)).join("")}${readHeld("B")}${discardIf(inStep, discardPrevious)}`,
      )}`,
    ),
    draw: make(
      "T,r,g,F",
      `const t=F.t,u=1-t,z=t<.5;${checkedLoop(
        `const v=V[i];${discardIf(afterStep, current + readHeld("B") + discardPrevious)}${fields.map(drawField).join("")}${drawHeld}`,
      )}`,
    ),
    // Compiled only if there is a contact.
    get access() {
      return (access ??= fields.map(({ paths }) => paths.map(accessOf)));
    },
  };
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
