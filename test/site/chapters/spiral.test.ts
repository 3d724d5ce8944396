import { expect, test } from "vitest";
import { BARS, Part, SlowMachine } from "../../../site/src/chapters/spiral/model.js";

const pictureAt = (model: SlowMachine, seconds: number): Float64Array => {
  model.advance(seconds + 1e-6);
  return model.track.pictureOf(model.track.frames - 1);
};
const figuresOf = (model: SlowMachine): string[] => model.figures().map(({ value }) => value);

test("without a limit, each frame owes the steps of the time that the last one took", () => {
  const model = new SlowMachine(false, 32);
  const bars = [...pictureAt(model, 2.5).subarray(Part.bars, Part.bars + BARS)];
  const finished = bars.slice(1, 8).map((seconds) => Math.round(seconds / 0.032));
  expect(finished).toEqual([24, 15, 9, 5, 3, 2, 1]);
  // n steps of 32 ms end at a refresh; the next frame owes the whole steps of 20 ms until then, and what was left before.
  finished.slice(1).forEach((before, i) => {
    const owed = Math.floor(Math.ceil((before * 32) / (1000 / 60)) / 1.2);
    expect([0, 1]).toContain(finished[i]! - owed);
  });
  // The newest is not finished.
  expect(bars[0]).toBeGreaterThan(0.4);
});

test("the picture is frozen meanwhile, and the debt grows", () => {
  const model = new SlowMachine(false, 32);
  const early = pictureAt(model, 2.1).slice();
  const late = pictureAt(model, 2.5);
  expect(late[Part.x]).toBe(early[Part.x]);
  expect(late[Part.frozen]! - early[Part.frozen]!).toBeCloseTo(0.4);
  expect(late[Part.owed]! - early[Part.owed]!).toBeCloseTo(0.4);
  expect(figuresOf(model)[2]).toBe("no");
});

test("with a limit, a frame takes one step of 32 ms: 30 frames per second at 60 % speed", () => {
  const model = new SlowMachine(true, 32);
  const picture = pictureAt(model, 4);
  expect(figuresOf(model)).toEqual(["30", "60 %", "yes"]);
  for (const seconds of picture.subarray(Part.bars + 1, Part.bars + BARS)) expect(seconds).toBeCloseTo(0.032);
  expect(picture[Part.lost]! / 4).toBeCloseTo(0.4, 1);
  expect(picture[Part.owed]).toBeLessThan(0.1);
});

test.each([false, true])("on a machine that keeps up, nothing is owed or lost; limited: %s", (isFixed) => {
  const model = new SlowMachine(isFixed, 10);
  const picture = pictureAt(model, 3);
  expect(picture[Part.lost]).toBe(0);
  expect(picture[Part.owed]).toBeLessThan(0.051);
  expect(figuresOf(model)[0]).toBe("60");
  expect(figuresOf(model)[2]).toBe("yes");
});

test("a frozen game starts again when steps become cheaper", () => {
  const model = new SlowMachine(false, 32);
  model.advance(2.5);
  model.setCost(10);
  expect(pictureAt(model, 3.5)[Part.frozen]).toBeLessThan(0.02);
  expect(figuresOf(model)[2]).toBe("yes");
});

test("steps that are longer than a refresh but shorter than what they simulate: the limit trades speed for frames", () => {
  for (const cost of [17, 20]) {
    const [free, limited] = [new SlowMachine(false, cost), new SlowMachine(true, cost)];
    expect(pictureAt(free, 6)[Part.lost]).toBe(0);
    expect(figuresOf(free)[0]).toBe("10");
    expect(pictureAt(limited, 6)[Part.lost]! / 6).toBeCloseTo(0.4, 1);
    expect(figuresOf(limited)[0]).toBe("30");
  }
});

test("steps of 16 ms fit into a refresh: the limit costs nothing", () => {
  for (const isFixed of [false, true]) {
    const model = new SlowMachine(isFixed, 16);
    expect(pictureAt(model, 6)[Part.lost]).toBe(0);
    expect(figuresOf(model)[0]).toBe("60");
  }
});
