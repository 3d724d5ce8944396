import { expect, test } from "vitest";
import { requireKnown } from "./known.js";

test("an option that there is not is refused, with the one that was probably meant", () => {
  const names = ["input", "effects"];
  requireKnown("game", {}, names);
  requireKnown("game", { effects: 1, input: undefined }, names);
  expect(() => requireKnown("game", { input: 1, effect: 2 }, names)).toThrow(
    'game: an option must be one of input, effects, got "effect". Try effects.',
  );
  expect(() => requireKnown("game", { colour: 2 }, names)).toThrow('got "colour". Try to leave it out.');
});
