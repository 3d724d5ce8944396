import { expect, test } from "vitest";
import { requireArguments, requireKnownOptions, requireOptions, unknownName } from "./options.js";

test("rejects an unknown option, and suggests the one that was probably meant", () => {
  const names = ["input", "effects"];
  requireKnownOptions("game", {}, names);
  requireKnownOptions("game", { effects: 1, input: undefined }, names);
  expect(() => requireKnownOptions("game", { input: 1, effect: 2 }, names)).toThrow(
    'game: unknown option "effect". Did you mean "effects"?',
  );
  expect(() => requireKnownOptions("game", { colour: 2 }, names)).toThrow(
    'game: unknown option "colour". Known: input, effects.',
  );
});

test("names the option that an unknown one is part of", () => {
  expect(() => requireKnownOptions("game", { second: 1 }, ["seconds"], "history")).toThrow(
    'game: unknown option "history.second". Did you mean "seconds"?',
  );
});

test("options must be an object", () => {
  requireOptions("game", { input: 1 }, ["input"]);
  expect(() => requireOptions("game", null, ["input"], "{ input: 1 }")).toThrow(
    "game: options must be an object, got null. Try { input: 1 }.",
  );
  expect(() => requireOptions("game", [], ["input"])).toThrow(
    "game: options must be an object, got []. Try {}.",
  );
  expect(() => requireOptions("game", Promise.resolve({}), ["input"])).toThrow(
    "game: options must be an object, got a Promise, did you forget `await`?",
  );
  expect(() => requireOptions("game", { inptu: 1 }, ["input"])).toThrow(
    'game: unknown option "inptu". Did you mean "input"?',
  );
});

test("counts arguments", () => {
  requireArguments("ramp", 2, 2);
  requireArguments("ramp", 1, 2);
  expect(() => requireArguments("ramp", 3, 2)).toThrow("ramp: takes at most 2 arguments, got 3.");
  expect(() => requireArguments("axis", 2, 1)).toThrow("axis: takes at most 1 argument, got 2.");
  expect(() => requireArguments("float", 1, 0)).toThrow("float: takes no arguments, got 1.");
});

test("an unknown name lists the known ones, or suggests one", () => {
  expect(() => unknownName("Loop.on", "event", "stpe", ["step", "render"])).toThrow(
    'Loop.on: unknown event "stpe". Did you mean "step"?',
  );
  expect(() => unknownName("Loop.on", "event", 7, ["step", "render"])).toThrow(
    'Loop.on: unknown event "7". Known: step, render.',
  );
  expect(() => unknownName("latch", "button", "jump", [])).toThrow(
    'latch: unknown button "jump". Known: none.',
  );
});
