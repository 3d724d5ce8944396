import { expect, test } from "vitest";
import { requireKnownOptions } from "./options.js";

test("an option that there is not is refused, with the one that was probably meant", () => {
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
