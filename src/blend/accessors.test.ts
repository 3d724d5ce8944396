import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, expect, test, vi } from "vitest";
import { Loop } from "../index.js";
import { compiled, interpreted, type Path } from "./accessors.js";
import { hold, scalar, smoothAll, vector2 } from "./index.js";

afterEach(() => vi.unstubAllGlobals());

const numbers: Path[] = [["x"], ["place", "y"], ["list", 1], ['odd "name"\n']];
const held: Path[] = [["frame"]];

test.each([compiled, interpreted])("%o reads and writes all forms", (make) => {
  const { read, write } = make(numbers, held);
  const object = { x: 1.5, place: { y: 2.5 }, list: [0, 3.5], 'odd "name"\n': 4.5, frame: "a" };
  const out = new Float64Array(4);
  const values: unknown[] = [undefined];
  read(object, out, values);
  expect([...out, ...values]).toEqual([1.5, 2.5, 3.5, 4.5, "a"]);
  write(
    object,
    out.map((value) => value + 1),
    ["b"],
  );
  expect(object).toEqual({ x: 2.5, place: { y: 3.5 }, list: [0, 4.5], 'odd "name"\n': 5.5, frame: "b" });
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
