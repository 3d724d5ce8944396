import { expect, test } from "vitest";
import { nearest } from "./nearest.js";

test("finds a name with a few wrong, missing, surplus or swapped letters", () => {
  const names = ["json", "timeout", "sim", "replay verify"];
  expect(
    ["josn", "jsn", "jsson", "time-out", "sym", "replay verfy", "replay vreify"].map((word) =>
      nearest(word, names),
    ),
  ).toEqual(["json", "json", "json", "timeout", "sim", "replay verify", "replay verify"]);
  expect(["", "x", "jobs", "sum up", "help"].map((word) => nearest(word, names))).toEqual(
    Array(5).fill(undefined),
  );
});

test("returns the nearest of several names", () => {
  expect(nearest("ticks", ["kicks", "tick", "ticks"])).toBe("ticks");
  expect(nearest("intit", ["input", "init"])).toBe("init");
});

test("ignores case", () => {
  expect(["SIM", "Timout"].map((word) => nearest(word, ["sim", "timeout"]))).toEqual(["sim", "timeout"]);
  expect(nearest("readonly", ["readOnly"])).toBe("readOnly");
});
