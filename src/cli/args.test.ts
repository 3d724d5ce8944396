import { expect, test } from "vitest";
import { Args, readArgs } from "./args.js";
import { newProject } from "./new.js";
import { serve } from "./serve.js";

const seconds = (text?: string, max?: number) =>
  new Args(new Map(text === undefined ? [] : [["seconds", text]]), []).seconds("seconds", 10, max);

test("seconds are decimal numbers, with an exponent or without", () => {
  expect([undefined, "5", "0.5", ".5", "1e3", "2.5E-1"].map((text) => seconds(text, 3600))).toEqual([
    10, 5, 0.5, 0.5, 1000, 0.25,
  ]);
});

test.each(["1e9", "3601", "1e999", "999999999"])(
  "%s seconds are too many, and the error has the limit",
  (text) => {
    expect(() => seconds(text, 3600)).toThrow(`--seconds must be at most 3600 seconds, got ${text}.`);
  },
);

test("without another limit, it is that of timers", () => {
  expect(seconds("1000000")).toBe(1e6);
  expect(() => seconds("1000001")).toThrow("--seconds must be at most 1000000 seconds, got 1000001.");
});

test.each(["0", "-1", "many", "1e", "e3", "Infinity", "0x10", "1e-999", "5s"])(
  "%s is no number of seconds",
  (text) => {
    expect(() => seconds(text)).toThrow(`--seconds must be a positive number of seconds, got ${text}.`);
  },
);

test("an empty argument is named, instead of failing as a path", () => {
  expect(() => readArgs(newProject, [""])).toThrow('folder is empty: "".');
  expect(() => readArgs(serve, [""])).toThrow('game file is empty: "".');
});

test("serve takes its module without --sim, and says so", () => {
  expect(() => readArgs(serve, ["--sim=game.ts"])).toThrow(
    "unknown option --sim. Name the game file without it: game.ts.",
  );
  expect(() => readArgs(serve, ["--sim", "other.ts"])).toThrow("Name the game file without it: other.ts.");
  expect(() => readArgs(serve, ["--sim"])).toThrow("Name the game file without it: game.js.");
});
