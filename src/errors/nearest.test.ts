import { expect, test } from "vitest";
import { nearest } from "./nearest.js";

test("a word of which few letters are wrong, missing, too many or in the wrong order", () => {
  const words = ["json", "timeout", "sim", "replay verify"];
  expect(
    ["josn", "jsn", "jsson", "time-out", "sym", "replay verfy", "repaly verifiy"].map((word) =>
      nearest(word, words),
    ),
  ).toEqual(["json", "json", "json", "timeout", "sim", "replay verify", "replay verify"]);
  expect(["", "x", "jobs", "sum up", "help"].map((word) => nearest(word, words))).toEqual(
    Array(5).fill(undefined),
  );
});

test("the nearest of several", () => {
  expect(nearest("ticks", ["kicks", "tick", "ticks"])).toBe("ticks");
});

test("great letters are small ones", () => {
  expect(["SIM", "Timout"].map((word) => nearest(word, ["sim", "timeout"]))).toEqual(["sim", "timeout"]);
  expect(nearest("readonly", ["readOnly"])).toBe("readOnly");
});
