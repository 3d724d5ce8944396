import { expect, test } from "vitest";
import { manualLoop } from "../../testing/index.js";
import { Loop } from "../loop.js";
import { measure } from "./measure.js";

test("monitors are read when somebody looks, and not in frames", () => {
  const loop = new Loop({ rate: 60 });
  let reads = 0;
  measure(loop).monitor("reads", () => ++reads);
  for (let frame = 0; frame < 100; frame++) loop.advance(1 / 60);
  expect(reads).toBe(0);
  expect([measure(loop).monitors, measure(loop).monitors]).toEqual([{ reads: 1 }, { reads: 2 }]);
});

test("monitors survive a reset and end when they are removed", () => {
  const loop = new Loop({ rate: 60 });
  const remove = measure(loop).monitor("enemies", () => 3);
  measure(loop).monitor("level", () => "cave");
  loop.reset();
  expect(measure(loop).monitors).toEqual({ enemies: 3, level: "cave" });
  remove();
  expect(measure(loop).monitors).toEqual({ level: "cave" });
  measure(loop).monitor("enemies", () => 4);
  remove();
  expect(measure(loop).monitors).toEqual({ level: "cave", enemies: 4 });
});

test("a name is used once", () => {
  const loop = new Loop({ rate: 60 });
  measure(loop).monitor("enemies", () => 3);
  expect(() => measure(loop).monitor("enemies", () => 4)).toThrow(
    'Measurements.monitor: there is a monitor "enemies" already. Choose another name, or remove the other one first.',
  );
});

test("rejects bad names and what is not a function", () => {
  const loop = new Loop({ rate: 60 });
  for (const name of ["", 1, null, undefined])
    expect(() => measure(loop).monitor(name as string, () => 1)).toThrow(
      /^Measurements\.monitor: name must be a text/,
    );
  expect(() => measure(loop).monitor("enemies", 3 as never)).toThrow(
    /^Measurements\.monitor: read must be a function, got 3/,
  );
  const figures = measure(loop);
  expect(() => Reflect.apply(figures.monitor, figures, ["a", () => 1, {}])).toThrow(/at most 2 arguments/);
});

test("a name that every object has is a name like any other", () => {
  const loop = new Loop({ rate: 60 });
  measure(loop).monitor("__proto__", () => 1);
  expect(JSON.stringify(measure(loop).monitors)).toBe('{"__proto__":1}');
});

test("a value that is no number, text or boolean is shown as a text", () => {
  const loop = new Loop({ rate: 60 });
  const itself = {};
  Object.assign(itself, { itself });
  const values = [undefined, null, 12n, { a: 1 }, [1, NaN], Symbol("s"), () => 1, Promise.resolve(1)];
  const others = [Object.create(null), new Map(), { big: 1n }, itself] as unknown[];
  for (const [i, value] of [...values, ...others].entries())
    measure(loop).monitor(`m${i}`, () => value as never);
  const texts = ["undefined", "null", "12", '{"a":1}', "[1,NaN]", "Symbol(s)", "a function"];
  texts.push("a Promise, did you forget `await`?", "{}", "a Map", "an object", "an object");
  expect(Object.values(measure(loop).monitors)).toEqual(texts);
  expect(Object.values(JSON.parse(JSON.stringify(measure(loop))).monitors)).toEqual(texts);
  const lines = String(measure(loop)).split("\n").slice(-texts.length);
  for (const [i, line] of lines.entries()) expect(line.replace(/ {2,}/, ": ")).toBe(`m${i}: ${texts[i]}`);
});

test("line breaks in names and values do not break the table", () => {
  const loop = new Loop({ rate: 60 });
  const lines = () => String(measure(loop)).split(/[\n\r\u0085\u2028\u2029]/u);
  const before = lines().length;
  measure(loop).monitor("level\nname", () => "the\r\ncave\tof\u2028doom\u0085");
  expect(lines()).toHaveLength(before + 1);
  expect(lines().at(-1)).toMatch(/^level name +the cave of doom $/);
  expect(measure(loop).monitors).toEqual({ "level\nname": "the\r\ncave\tof\u2028doom\u0085" });
});

test("the table shows total, recent figures and monitors", () => {
  const loop = manualLoop({ rate: 50, step: () => loop.driver.spend(0.005) });
  measure(loop).monitor("enemies", () => 1234);
  measure(loop).monitor("heap", () => 12.34567);
  measure(loop).monitor("far", () => -123456.7);
  measure(loop).monitor("level", () => "cave");
  measure(loop).monitor("muted", () => false);
  loop.driver.display(50, 6);
  loop.driver.wait(1.25);
  expect(`\n${measure(loop)}\n`).toBe(`
                        all    recent
frames                  302       174
steps                   312       185
frameTime          24.02 ms  27.10 ms
framesWithoutTime         1         0
stepCost            5.00 ms   5.00 ms
renderCost          0.00 ms   0.00 ms
load                 25.0 %    25.0 %
lostSeconds         1.005 s   1.005 s
overloads                 1         1
droppedFrames             0         0
irregularFrames           0         0
judder                0.0 %     0.0 %
worstJudder           0.0 %     0.0 %
moveError             0.0 %     0.0 %
effectiveSpeed       86.1 %    78.7 %
framesWith(0)             1         0
framesWith(1)           300       173
framesWith(8)             1         1
enemies                1234
heap                  12.35
far                 -123457
level                  cave
muted                 false
`);
  expect(String(measure(loop).recent).split("\n").slice(0, 2)).toEqual([
    "                     recent",
    "frames                  174",
  ]);
});

test("JSON has every figure, also of a loop that never ran", () => {
  const loop = manualLoop({ rate: 50 });
  measure(loop).monitor("level", () => "cave");
  const zeros = Array.from({ length: 9 }, () => 0);
  expect(JSON.parse(JSON.stringify(measure(loop)))).toMatchObject({
    frames: 0,
    framesWith: zeros,
    judder: 0,
  });
  loop.driver.display(60, 2);
  const data = JSON.parse(JSON.stringify(measure(loop)));
  expect(data).toEqual(measure(loop).toJSON());
  expect(data.monitors).toEqual({ level: "cave" });
  // Whatever the class has as a number is in the data, by the same name.
  for (const [figures, copy] of [
    [measure(loop), data],
    [measure(loop).recent, data.recent],
  ]) {
    const getters = Object.getOwnPropertyNames(Object.getPrototypeOf(measure(loop).recent));
    const names = getters.filter((name) => typeof figures[name] === "number");
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(copy[name], name).toBe(figures[name]);
    expect(copy.framesWith).toEqual(zeros.map((_, steps) => figures.framesWith(steps)));
  }
});
