import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";
import { Loop } from "../index.js";
import { compiled } from "./compiled-passes.js";
import { interpreted } from "./interpreted-passes.js";
import type { ObjectPaths, States } from "./passes.js";
import { Shapes } from "./shape.js";
import {
  angle,
  curve,
  extrapolate,
  hold,
  lerp,
  lerpAngle,
  rotation,
  scalar,
  smoothAll,
  teleportOnChange,
  vector2,
  vector3,
} from "./index.js";

afterEach(() => vi.unstubAllGlobals());

/** An object with all forms of fields, some of which move, turn, or teleport it. */
const newObject = () => ({
  x: 1.5,
  vx: 1,
  place: { x: 2.5, y: 3.5 },
  speed: [0, -7],
  list: [0.25, 4.5, 5.5],
  'odd "name"\n': 6.5,
  heading: 3,
  turn: [0, 0, 0, 1],
  frame: "a",
  parent: 1,
});
const straight = {
  x: scalar,
  place: vector2,
  list: vector3,
  'odd "name"\n': scalar,
  heading: angle,
  turn: rotation,
  frame: hold,
  parent: teleportOnChange,
};
const curved = {
  ...straight,
  x: curve(scalar, "vx"),
  place: curve(vector2, "speed"),
  list: curve(vector3),
  heading: curve(angle),
};
const pathsOf = (fields: object, ahead: number): ObjectPaths =>
  new Shapes("smooth", fields, ahead > 0 ? extrapolate(ahead) : undefined).of(newObject());

/** Runs both kinds of passes over three objects through the same events, and returns what is shown. */
function shownBy(make: typeof compiled, fields: object = straight, ahead = 0): unknown[] {
  const paths = pathsOf(fields, ahead);
  const passes = make(paths);
  const objects = [newObject(), newObject(), newObject()];
  const numbers = () => new Float64Array(3 * paths.numbers);
  const [previous, current, shown] = [numbers(), numbers(), numbers()];
  const states: States = {
    objects,
    views: [newObject(), newObject(), newObject()],
    previous,
    current,
    shown,
    next: shown,
    before: previous,
    after: current,
    heldPrevious: Array.from({ length: 6 }),
    heldCurrent: Array.from({ length: 6 }),
  };
  const step = { dt: 0.1 };
  const range = { first: 0, end: 3, numbers: 0, held: 0 };
  const seen: unknown[] = [];
  const draw = (t: number) => {
    passes.draw(states, range, { alpha: t });
    seen.push(structuredClone(states.views));
  };
  draw(1);
  for (let n = 1; n < 6; n++) {
    passes.enter(states, range, step);
    for (const [i, object] of objects.entries()) {
      object.x += i + 0.1;
      object.place.y -= 0.7;
      object.list[1]! *= 1.1;
      object.heading += n === 2 ? -5 : 1.3;
      object.turn = [0, 0, Math.sin(0.3 * n), Math.cos(0.3 * n)];
      object.vx = 10 * (i + 0.1);
      object.speed[1]! *= 1.1;
      object.frame = `${object.frame}${n}`;
      if (i === 1 && n === 3) object.parent = 2;
    }
    passes.leave(states, range, step);
    for (const t of [0, 0.3, 0.5, 0.75, 0.99, 1]) draw(t);
    // Written after the step: shown as it is.
    objects[0]!.place.x += 10;
    objects[1]!["x"] = NaN;
    draw(0.25);
    objects[0]!.parent = n;
    draw(0.25);
    objects[1]!.x = n;
  }
  return seen;
}

test.each([
  ["straight lines", straight, 0],
  ["extrapolation", straight, 1],
  ["half of it", straight, 0.5],
  ["curves", curved, 0],
  ["extrapolated curves", curved, 1],
])("compiled and interpreted passes show the same, to the bit: %s", (_, fields, ahead) => {
  const seen = shownBy(compiled, fields, ahead);
  expect(seen).toEqual(shownBy(interpreted, fields, ahead));
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
