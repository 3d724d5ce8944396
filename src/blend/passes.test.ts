import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";
import { Loop } from "../index.js";
import { compiled, interpreted, type ObjectPaths, type States } from "./passes.js";
import { angle, hold, lerp, lerpAngle, scalar, smoothAll, vector2, vector3 } from "./index.js";

afterEach(() => vi.unstubAllGlobals());

/** An object with all forms of fields, some of which move, turn, or teleport it. */
const newObject = () => ({
  x: 1.5,
  place: { x: 2.5, y: 3.5 },
  list: [0.25, 4.5, 5.5],
  'odd "name"\n': 6.5,
  heading: 3,
  frame: "a",
  parent: 1,
});
const paths: ObjectPaths = {
  fields: [
    { kind: scalar as never, from: 0, paths: [["x"]] },
    {
      kind: vector2 as never,
      from: 1,
      paths: [
        ["place", "x"],
        ["place", "y"],
      ],
    },
    {
      kind: vector3 as never,
      from: 3,
      paths: [
        ["list", 0],
        ["list", 1],
        ["list", 2],
      ],
    },
    { kind: scalar as never, from: 6, paths: [['odd "name"\n']] },
    { kind: angle as never, from: 7, paths: [["heading"]] },
  ],
  numbers: 8,
  held: [["frame"], ["parent"]],
  teleports: [1],
};

/** Runs both kinds of passes over three objects through the same events, and returns what is shown. */
function shownBy(make: typeof compiled): unknown[] {
  const passes = make(paths);
  const objects = [newObject(), newObject(), newObject()];
  const states: States = {
    objects,
    views: [newObject(), newObject(), newObject()],
    previous: new Float64Array(24),
    current: new Float64Array(24),
    shown: new Float64Array(24),
    heldPrevious: Array.from({ length: 6 }),
    heldCurrent: Array.from({ length: 6 }),
  };
  const range = { first: 0, end: 3, numbers: 0, held: 0 };
  const seen: unknown[] = [];
  const draw = (t: number) => {
    expect(passes.draw(objects, states, range, { t })).toBe(true);
    seen.push(structuredClone(states.views));
  };
  draw(1);
  for (let step = 1; step < 6; step++) {
    expect(passes.enter(objects, states, range)).toBe(true);
    for (const [i, object] of objects.entries()) {
      object.x += i + 0.1;
      object.place.y -= 0.7;
      object.list[1]! *= 1.1;
      object.heading += step === 2 ? -5 : 1.3;
      object.frame = `${object.frame}${step}`;
      if (i === 1 && step === 3) object.parent = 2;
    }
    passes.leave(states, range);
    for (const t of [0, 0.3, 0.5, 0.99, 1, 1.5]) draw(t);
    // Written after the step: shown as it is.
    objects[0]!.place.x += 10;
    objects[1]!["x"] = NaN;
    draw(0.25);
    objects[0]!.parent = step;
    draw(0.25);
    objects[1]!.x = step;
  }
  const reversed = [...objects].reverse();
  expect(passes.enter(reversed, states, range)).toBe(false);
  expect(passes.draw(reversed, states, range, { t: 0.5 })).toBe(false);
  return seen;
}

test("compiled and interpreted passes show the same, to the bit", () => {
  const seen = shownBy(compiled);
  expect(seen).toEqual(shownBy(interpreted));
  expect(seen).toHaveLength(41);
});

test("blends linear fields as lerp does", () => {
  const [first, second] = shownBy(compiled).slice(1) as ReturnType<typeof newObject>[][];
  expect(first![0]!.x).toBe(1.5);
  expect(second![0]!.x).toBe(lerp(1.5, 1.6, 0.3));
  expect(second![0]!.place).toEqual({ x: 2.5, y: lerp(3.5, 3.5 - 0.7, 0.3) });
  expect(second![0]!.heading).toBe(lerpAngle(3, 4.3, 0.3));
});

test("works without new Function", () => {
  vi.stubGlobal("Function", () => {
    throw new EvalError("unsafe-eval");
  });
  const ship = { x: 0, place: [0, 0], frame: 1 };
  const loop = new Loop({
    rate: 10,
    step: () => void Object.assign(ship, { x: 4, place: [2, 0], frame: 2 }),
  });
  const [shown] = smoothAll(loop, [ship], { x: scalar, place: vector2, frame: hold });
  loop.advance(0.15);
  expect(shown).toEqual({ x: 2, place: [1, 0], frame: 1 });
});

test("does not keep an object alive that left its list", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const list: { x: number; target: object | undefined }[] = [];
  const loop = new Loop({ rate: 10 });
  const shown = smoothAll(loop, list, { x: scalar, target: hold });
  const gone = (() => {
    const target = {};
    list.push({ x: 1, target }, { x: 2, target: undefined });
    loop.advance(0.25);
    return [new WeakRef(list.shift()!), new WeakRef(target), new WeakRef(shown[0]!)];
  })();
  loop.advance(0.25);
  await new Promise((resolve) => setTimeout(resolve));
  collect();
  expect(gone.map((ref) => ref.deref())).toEqual([undefined, undefined, undefined]);
  expect(shown).toEqual([{ x: 2, target: undefined }]);
});
